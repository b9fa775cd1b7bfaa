"""What the scorer remembers answers by: it must tell all that they depend on. Source: RULES §7.2–§7.4."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice, product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.engine.scoring import shape_waits
from app.engine.scoring.codes import (
    CHOW_CODES,
    CHOW_FANS_READ,
    HONOR_FANS_READ,
    NINE_GATES_CODE,
    PAIR_CODES,
    PUNG_CODES,
    RANK_FANS_READ,
    SORTS,
    WIND_PUNGS,
    Code,
    winds_code,
)
from app.engine.scoring.counting import Counts as FanCounts
from app.engine.scoring.counting import FormCounting
from app.engine.scoring.fan_table import Shown, fan_table
from app.engine.scoring.forms import Content, Form, form_of, kinds_of
from app.engine.scoring.memo import Memo
from app.engine.scoring.packed import (
    ALL_HONORS,
    FOURS,
    ODD,
    PACKED,
    SIZE_OF,
    SUIT_AT,
    has_more_than,
    held,
    kinds_marked,
    pack,
)
from app.engine.scoring.shapes import waits_on_one
from app.rules.ruleset import RULESET_IDS, Fan, RuleSet, load_ruleset
from app.rules.tiles import EAST, PLAYABLE_KINDS, WINDS

FORMS, CONTENTS, SHOWN = 2_000, 2_000, 500
COUNTS = st.lists(st.integers(0, 4), min_size=PLAYABLE_KINDS, max_size=PLAYABLE_KINDS)

both_ways = pytest.mark.parametrize("ruleset", ["classic64", "dazhong72"])  # one per way of counting


def codes() -> Iterator[Code]:
    """All of chows, some others; no fan minds whether there are enough tiles for them."""
    for *chows, pair in product(*[CHOW_CODES] * 4, PAIR_CODES):
        if chows == sorted(chows):
            yield sum(chows) + pair
    random = Random("forms")
    for _ in range(FORMS):
        chows = random.choices(CHOW_CODES, k=random.randint(0, 3))
        pungs = random.sample(PUNG_CODES, 4 - len(chows))
        gates = random.choice((0, 0, NINE_GATES_CODE))
        yield sum(chows) + sum(pungs) + random.choice(PAIR_CODES) + gates


def counting_of(ruleset: str) -> FormCounting:
    rules = load_ruleset(ruleset)
    return FormCounting(rules.counting, fan_table(rules).bits)


@both_ways
def test_fans_of_a_form_read_no_more_than_they_are_shown(ruleset: str) -> None:
    counting = counting_of(ruleset)
    groups: list[tuple[Callable[[Form], FanCounts], Code]] = [
        (counting.chow_fans, CHOW_FANS_READ),
        (counting.rank_fans, RANK_FANS_READ),
        (counting.honor_fans, HONOR_FANS_READ),
    ]
    random = Random("winds")
    for bare in codes():
        code = bare + winds_code(random.choice(WINDS), random.choice(WINDS))
        for fans, read in groups:
            assert fans(form_of(code)) == fans(form_of(code & read)), form_of(code)


@both_ways
def test_winds_say_nothing_without_a_pung_of_winds(ruleset: str) -> None:
    counting = counting_of(ruleset)
    for code in islice(codes(), 0, None, 13):
        if not code & WIND_PUNGS:
            fans = counting.honor_fans(form_of(code + winds_code(EAST, EAST)))
            for seat, prevalent in product(WINDS, WINDS):
                assert counting.honor_fans(form_of(code + winds_code(seat, prevalent))) == fans


@both_ways
def test_content_tells_no_kinds_apart_that_are_alike(ruleset: str) -> None:
    counting, random = counting_of(ruleset), Random("contents")
    for _ in range(CONTENTS):
        kinds = random.sample(range(PLAYABLE_KINDS), random.randint(2, 12))
        sorts = 0
        for kind in kinds:
            sorts |= SORTS[kind]
        fours, ranks = random.randint(0, 3), random.choice((0, 99, 100))
        by_kinds, by_sorts = (
            counting.content_fans(Content(frozenset(some), fours, ranks, False))
            for some in (kinds, kinds_of(sorts))
        )
        assert by_kinds == by_sorts, kinds


@pytest.mark.parametrize("ruleset", RULESET_IDS)
def test_what_exclusions_leave_is_what_the_rule_says(ruleset: str) -> None:
    """A fan is counted unless a counted fan excludes it, from the highest value down, ties by the table."""
    rules, random = load_ruleset(ruleset), Random(f"shown in {ruleset}")
    reachable = [fan for fan in rules.fans if not fan.unreachable]
    for _ in range(SHOWN):
        times = {
            fan: random.choice((1, 1, 1, 2, 5)) for fan in random.sample(reachable, random.randint(1, 12))
        }
        counted = by_the_rule(list(times))
        kept = fan_table(rules).kept[shown_of(rules, times)]
        assert [(fan.id, fan.count) for fan in kept.score.fans] == [(fan.id, times[fan]) for fan in counted]
        assert kept.total == kept.score.total == sum(fan.value * times[fan] for fan in counted)
        assert kept.positions == tuple(fan.position for fan in counted)


def by_the_rule(fans: list[Fan]) -> list[Fan]:
    counted: list[Fan] = []
    for fan in sorted(fans, key=lambda fan: (-fan.value, fan.position)):
        if not any(fan.id in other.excludes for other in counted):
            counted.append(fan)
    return counted


def shown_of(rules: RuleSet, times: dict[Fan, int]) -> Shown:
    table = fan_table(rules)
    return sum(
        table.bits[fan.id] << len(table.fans) * plane
        for fan, number in times.items()
        for plane in range(number)
    )


def test_a_memo_asks_once_and_forgets_when_it_is_full() -> None:
    asked: list[int] = []

    def square(number: int) -> int:
        asked.append(number)
        return number * number

    memo = Memo(square, most=3)
    assert [memo[number] for number in (1, 2, 3, 1, 2, 3)] == [1, 4, 9, 1, 4, 9]
    assert asked == [1, 2, 3]
    assert memo[4] == 16
    assert dict(memo) == {4: 16}
    assert [memo[1], len(memo)] == [1, 2]


@given(counts=COUNTS)
def test_packed_counts_are_the_counts(counts: list[int]) -> None:
    packed = pack(counts)
    assert packed == sum(one * count for one, count in zip(PACKED, counts, strict=True))
    assert packed % SIZE_OF == sum(counts)
    assert (packed >> SUIT_AT, packed & ALL_HONORS) == (pack(counts[:9]), pack(counts[9:]))
    assert kinds_marked[packed & ODD] == kinds(counts, {1, 3})
    assert kinds_marked[held(packed)] == kinds(counts, {1, 2, 3, 4})
    assert kinds_marked[(packed & FOURS) >> 2] == kinds(counts, {4})
    assert [has_more_than(packed, copies) for copies in range(5)] == [max(counts) > n for n in range(5)]


def kinds(counts: list[int], numbers: set[int]) -> tuple[int, ...]:
    return tuple(kind for kind, count in enumerate(counts) if count in numbers)


def test_one_wait_is_one_wait() -> None:
    random, ones = Random("waits"), set()
    for _ in range(2_000):
        deck = [kind for kind in (*range(5), 9) for _ in range(4)]
        hand = tuple(map(random.sample(deck, 13).count, range(PLAYABLE_KINDS)))
        if found := shape_waits(hand, 0):
            ones.add(len(found) == 1)
            assert waits_on_one(pack(hand), can_be_pairs=True) is (len(found) == 1)
    assert ones == {True, False}
