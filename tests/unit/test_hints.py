"""The ready hints of a discard against a second reading of RULES §5."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest

from app.engine.hints import ready_hints
from app.engine.state import Phase, State
from app.rules.ruleset import RULESET_IDS
from app.rules.tiles import TILE_NAMES
from tests import brute_legal as brute
from tests.positions import built

POSITIONS = 120


def slow_hints(state: State) -> list[dict[str, Any]]:
    """Each discard that is allowed and leaves a ready hand, with what it waits for."""
    hand = state.hands[state.turn]
    allowed = range(16) if hand.ready is None else [hand.drawn]
    found = []
    for kind in allowed:
        waits = brute.live_waits(hand, thrown=kind) if hand.counts[kind] else []
        if waits:
            rows = [slow_row(state, kind, wait) for wait in waits]
            found.append({"discard": TILE_NAMES[kind], "waits": rows})
    return found


def slow_row(state: State, discard: int, wait: int) -> dict[str, Any]:
    seat = state.turn
    seen = brute.open_copies(state, wait) + state.hands[seat].counts[wait]
    seen += 4 * sum(
        meld.tile == wait and meld.kind.value == "concealed_kong" for meld in state.hands[seat].melds
    )
    totals = [brute.plain_total(state, seat, discard, wait, drawn) for drawn in (False, True)]
    return {"wait": TILE_NAMES[wait], "unseen": 4 - seen, "by_discard": totals[0], "self_drawn": totals[1]}


@pytest.mark.parametrize("ruleset", RULESET_IDS)
def test_hints_of_many_hands(ruleset: str) -> None:
    random, met = Random(f"hints of {ruleset}"), Counter[str]()
    while met["turn"] < POSITIONS:
        state = built(ruleset, random)
        if state.phase is Phase.TURN:
            hints = ready_hints(state, state.turn)
            assert hints == slow_hints(state)
            met.update(["turn"] + ["declared"] * (state.hands[state.turn].ready is not None))
            met.update(["some"] * bool(hints))
    assert met["declared"] > POSITIONS / 10
    assert met["some"] > POSITIONS / 3
