"""Every winning hand there is, by its sets and pair: what counts, and what never can.

Sixteen kinds, four of each, leave 131 309 choices of four sets and a pair, and 110 448 of seven pairs.
A row marked ``unreachable`` must be so by its own definition, not only because nothing implements it,
so the definitions that one suit could tempt are spelt out here. Source: RULES §6, §7.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import combinations_with_replacement
from random import Random

import pytest

from app.engine.scoring.wire import Answer, answer_score
from app.rules.ruleset import RULESET_IDS, load_ruleset
from tests.random_wins import Hand, laid, won_with

Blocks = list[list[int]]

KINDS, RANKS = range(16), range(9)
SETS: Blocks = [[low, low + 1, low + 2] for low in range(7)] + [[kind] * 3 for kind in KINDS]
STRUCTURES, SEVEN_PAIRS = 131_309, 110_448
SAMPLE = 199  # every so many structures in the short run


def structures() -> Iterator[Blocks]:
    """Four sets and a pair, the pair last, no more than four of a kind."""
    for chosen in combinations_with_replacement(SETS, 4):
        counts = Counter(tile for tiles in chosen for tile in tiles)
        if max(counts.values()) <= 4:
            for kind in KINDS:
                if counts[kind] <= 2:
                    yield [*chosen, [kind, kind]]


def seven_pairs() -> Iterator[Blocks]:
    """Seven pairs, two of which may be equal."""
    for chosen in combinations_with_replacement(KINDS, 7):
        if max(Counter(chosen).values()) <= 2:
            yield [[kind, kind] for kind in chosen]


# What the rows say that no hand of one suit and honours can be (ranks from 0; 14 is 發, 13 白).
Definition = Callable[[Blocks], bool]


def _only(*kinds: int) -> Definition:
    return lambda blocks: all(tile in kinds for tiles in blocks for tile in tiles)


def _is_all_fives(blocks: Blocks) -> bool:
    return len(blocks) == 5 and all(4 in tiles for tiles in blocks)


def _is_all_even_pungs(blocks: Blocks) -> bool:
    return len(blocks) == 5 and all(tiles[0] == tiles[-1] and tiles[0] in (1, 3, 5, 7) for tiles in blocks)


def _never(blocks: Blocks) -> bool:
    """Needs a second suit, a flower, or a shape other than sets and a pair or seven pairs."""
    return False


DEFINITIONS: dict[str, Definition] = {
    "all_green": _only(14),
    "all_terminals": _only(0, 8),
    "upper_tiles": _only(6, 7, 8),
    "middle_tiles": _only(3, 4, 5),
    "lower_tiles": _only(0, 1, 2),
    "reversible_tiles": _only(13),
    "all_fives": _is_all_fives,
    "all_even_pungs": _is_all_even_pungs,
    "thirteen_orphans": _never,
    "greater_honors_and_knitted_tiles": _never,
    "lesser_honors_and_knitted_tiles": _never,
    "knitted_straight": _never,
    "three_suited_terminal_chows": _never,
    "triple_pung": _never,
    "mixed_straight": _never,
    "mixed_triple_chow": _never,
    "mixed_shifted_pungs": _never,
    "mixed_shifted_chows": _never,
    "all_types": _never,
    "double_pung": _never,
    "mixed_double_chow": _never,
    "flower_tiles": _never,
    "one_voided_suit": _never,  # 萬 alone voids two suits
}
JUDGED_BY_SCORE = {"chicken_hand", "no_honors"}  # by what else counts: see check_score


def check_score(ruleset: str, answer: Answer) -> set[str]:
    """The fans of an answer: some, of known rows, and if without honours then with one that bars 無字."""
    rows = {fan.id: fan for fan in load_ruleset(ruleset).fans}
    counted = {fan["id"] for fan in answer["fans"]}
    assert answer["total"] > 0  # never 無番和
    assert not any(rows[fan_id].unreachable for fan_id in counted)
    if "no_honors" in rows and not counted & {"half_flush", "all_honors"}:
        assert any("no_honors" in rows[fan_id].excludes for fan_id in counted)
    return counted


def walk(ruleset: str, hands: Iterator[Blocks], every: int) -> tuple[int, set[str]]:
    """How many hands there are, and what they counted: each concealed, and each laid out anyhow."""
    flowers = load_ruleset(ruleset).flowers
    number, counted = -1, set()
    for number, blocks in enumerate(hands):
        if number % every:
            continue
        assert not any(holds(blocks) for holds in DEFINITIONS.values())
        random = Random(number)
        variants: list[Hand] = [(blocks, [])]
        if len(blocks) == 5:
            copies = Counter(tile for tiles in blocks for tile in tiles)
            kongs = 0.5 if max(copies.values()) < 4 else 0.0
            variants.append(laid(random, blocks[:4], blocks[4][0], kongs))
        for variant in variants:
            counted |= check_score(ruleset, answer_score(won_with(random, ruleset, flowers, variant)))
    return number + 1, counted


@pytest.mark.parametrize("ruleset", RULESET_IDS)
def test_sampled_hands(ruleset: str) -> None:
    walk(ruleset, structures(), SAMPLE)
    walk(ruleset, seven_pairs(), SAMPLE)


@pytest.mark.long
@pytest.mark.parametrize("ruleset", RULESET_IDS)
def test_every_hand(ruleset: str) -> None:
    """No unreachable row is ever counted, every reachable one is."""
    sets, of_sets = walk(ruleset, structures(), 1)
    pairs, of_pairs = walk(ruleset, seven_pairs(), 1)
    assert (sets, pairs) == (STRUCTURES, SEVEN_PAIRS)
    assert of_sets | of_pairs == {fan.id for fan in load_ruleset(ruleset).fans if not fan.unreachable}


def test_every_unreachable_row_has_its_reason() -> None:
    rows = {fan.id for ruleset in RULESET_IDS for fan in load_ruleset(ruleset).fans if fan.unreachable}
    assert rows == DEFINITIONS.keys() | JUDGED_BY_SCORE
