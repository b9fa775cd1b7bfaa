"""Properties of the scorer over hands nobody chose. Source: RULES §6, §7; PROTOCOL §1.1."""

from __future__ import annotations

from random import Random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from app.engine.scoring import ErrorCode, is_winning, shape_waits
from app.engine.scoring.wire import answer_score, answer_waits
from app.rules.ruleset import RULESET_IDS, load_ruleset
from app.rules.tiles import parse_tiles, to_counts
from tests.random_wins import random_win
from tests.slow_scorer import numbers, slow_waits, wins

UNHURRIED = settings(deadline=None)  # the first example builds the tables
RULESETS = st.sampled_from(RULESET_IDS)
SEEDS = st.integers(0, 2**32)
FEW_KINDS = [f"{rank}m" for rank in range(1, 10)] + ["1z", "5z"]

SCALARS: st.SearchStrategy[Any] = (
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=6)
)
JSON: st.SearchStrategy[Any] = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
)
FIELDS = (
    *(
        "ruleset",
        "hand",
        "melds",
        "win_tile",
        "self_drawn",
        "seat_wind",
        "prevalent_wind",
        "flowers",
        "ready",
    ),
    *("heavenly_ready", "opening", "last_wall_tile", "kong_replacement", "robbing_kong", "last_of_kind"),
)


def a_win(ruleset: str, seed: int) -> dict[str, Any]:
    return random_win(Random(seed), ruleset, load_ruleset(ruleset).flowers)


def tiles(melds: int) -> st.SearchStrategy[str]:
    """Concealed tiles of a hand before the winning one, from few kinds so that many are near a win."""
    deck = st.permutations([name for name in FEW_KINDS for _ in range(4)])
    return deck.map(lambda names: "".join(names[: 13 - 3 * melds]))


@given(melds=st.integers(0, 4), data=st.data())
@UNHURRIED
def test_wins_and_waits_are_the_slow_ones(melds: int, data: st.DataObject) -> None:
    hand = data.draw(tiles(melds))
    counts = to_counts(parse_tiles(hand))
    expected = slow_waits(numbers(hand), melds)
    assert [kind + 1 if kind < 9 else kind + 2 for kind in shape_waits(counts, melds)] == expected
    for win in range(16):
        full = (*counts[:win], counts[win] + 1, *counts[win + 1 :])
        number = win + 1 if win < 9 else win + 2
        assert is_winning(full, melds) is wins(sorted([*numbers(hand), number]), melds)


@given(ruleset=RULESETS, seed=SEEDS)
@UNHURRIED
def test_order_and_repetition_are_nothing(ruleset: str, seed: int) -> None:
    request, random = a_win(ruleset, seed), Random(seed)
    first = answer_score(request)
    names = [request["hand"][at : at + 2] for at in range(0, len(request["hand"]), 2)]
    melds = [
        {
            **meld,
            "tiles": "".join(
                random.sample(
                    [meld["tiles"][at : at + 2] for at in range(0, len(meld["tiles"]), 2)],
                    len(meld["tiles"]) // 2,
                )
            ),
        }
        for meld in random.sample(request["melds"], len(request["melds"]))
    ]
    turned = {**request, "hand": "".join(random.sample(names, len(names))), "melds": melds}
    assert "total" in first
    assert answer_score(turned) == first == answer_score(request)


@given(ruleset=RULESETS, seed=SEEDS)
@UNHURRIED
def test_a_score_is_the_sum_of_its_fans(ruleset: str, seed: int) -> None:
    answer = answer_score(a_win(ruleset, seed))
    rows = {fan.id: fan for fan in load_ruleset(ruleset).fans}
    assert answer["total"] == sum(fan["value"] * fan["count"] for fan in answer["fans"])
    assert all(fan["value"] == rows[fan["id"]].value and fan["count"] >= 1 for fan in answer["fans"])
    order = [(-fan["value"], rows[fan["id"]].position) for fan in answer["fans"]]
    assert order == sorted(set(order))


@given(ruleset=RULESETS, seed=SEEDS)
@UNHURRIED
def test_the_winning_tile_is_among_the_waits(ruleset: str, seed: int) -> None:
    request = a_win(ruleset, seed)
    assert request["win_tile"] in answer_waits(request)["waits"]


@given(body=JSON)
@UNHURRIED
def test_any_json_has_an_answer(body: Any) -> None:
    for answer in (answer_score(body), answer_waits(body)):
        assert answer["error"]["code"] in set(ErrorCode)


@given(ruleset=RULESETS, seed=SEEDS, changes=st.dictionaries(st.sampled_from(FIELDS), JSON, max_size=2))
@settings(UNHURRIED, max_examples=200)
def test_any_field_has_an_answer(ruleset: str, seed: int, changes: dict[str, Any]) -> None:
    answer = answer_score({**a_win(ruleset, seed), **changes})
    assert set(answer) == {"total", "fans"} or answer["error"]["code"] in set(ErrorCode)
