"""Legal actions and the circumstances of wins against a second reading of RULES §3–§5."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from app.engine import apply, legal_actions
from app.engine.actions import WIN, Action, ActionKind
from app.engine.melds import Meld, MeldKind
from app.engine.state import CLOCK, SEATS, DiscardedTile, LastTile, Phase, Seat, State
from app.engine.wins import score_win
from app.rules.ruleset import RULESET_IDS
from tests import brute_legal as brute
from tests.positions import built, played

POSITIONS = 600  # per rule set
CHUNK, CHUNKS = 2_500, 10  # the same in the long run: 100 000 in all

# What a sample must have met, or it shows nothing.
TOLD_APART = {"d", "c", "p", "k", "q", "a", "w", "x", "ready", "last tile", "rob", "min_fan"}
BY_RULESET = {
    "classic64": TOLD_APART | {"r", "db"},
    "jiule72": TOLD_APART | {"r", "rd", "cl"},
    "dazhong72": TOLD_APART | {"r", "rd", "cl", "claim of the last tile"},
    "baiwan64": TOLD_APART | {"r", "rd", "cl"},
}


def positions(ruleset: str, random: Random) -> Iterator[State]:
    """Played and built ones in turn; each built one with what a random action makes of it."""
    while True:
        yield from played(ruleset, random)
        for _ in range(60):
            state = built(ruleset, random)
            yield state
            able = [(seat, action) for seat in SEATS for action in legal_actions(state, seat)]
            if able:
                kongs = [(seat, action) for seat, action in able if action.kind is ActionKind.ADDED_KONG]
                seat, action = random.choice(kongs or able)
                after, _ = apply(state, seat, action)
                check_stop(state, seat, action, after)
                yield after


def check_actions(state: State) -> Counter[str]:
    """Each seat's actions, once each; what was met."""
    met: Counter[str] = Counter()
    for seat in (*SEATS, CLOCK):
        codes = [action.code for action in legal_actions(state, seat)]
        assert len(set(codes)) == len(codes)
        assert set(codes) == brute.brute_actions(state, seat), (seat, state)
        met.update(code[:1] if len(code) == 3 else code for code in codes)
        if WIN.code in codes:
            check_win(state, seat)
        met.update(_rare(state, seat, codes))
    return met


def _rare(state: State, seat: Seat, codes: list[str]) -> Iterator[str]:
    if seat == CLOCK or not codes or state.phase not in (Phase.TURN, Phase.CLAIM, Phase.ROB):
        return
    is_last = state.wall_left == 0
    yield from ["ready"] if state.hands[seat].ready is not None else []
    yield from ["last tile"] if is_last else []
    yield from ["rob"] if state.phase is Phase.ROB else []
    if state.phase is Phase.CLAIM and is_last and {"c", "p"} & {code[0] for code in codes}:
        yield "claim of the last tile"
    if state.phase is Phase.TURN and state.options.min_fan and WIN.code not in codes:
        hand = state.hands[seat]
        if brute.is_whole(hand) and state.drawn_from.value != "claim":
            yield "min_fan"


def check_win(state: State, seat: Seat) -> None:
    """The same fans as the slow scorer finds in circumstances counted afresh."""
    claimed = None if state.phase is Phase.TURN or state.last is None else state.last.tile
    won = score_win(state, seat, claimed)
    assert (won.total, [(fan.id, fan.count) for fan in won.fans]) == brute.win_fans(state, seat, claimed)


def check_stop(before: State, seat: Seat, action: Action, after: State) -> None:
    """The round stops for the opponent exactly if he has something to decide. Source: RULES §4."""
    other = 1 - seat
    if action.kind is ActionKind.ADDED_KONG:
        robbed = before._replace(last=LastTile(seat, action.tile, is_kong=True))
        robbed = _with_hand(robbed, seat, melds=_as_kong(before.hands[seat].melds, action.tile))
        assert (after.phase is Phase.ROB) == brute.may_win(robbed, other, action.tile)
    elif action.kind in (ActionKind.DISCARD, ActionKind.DISCARD_READY):
        river = (*before.hands[seat].discards, DiscardedTile(action.tile, False))
        thrown = _with_hand(before._replace(last=LastTile(seat, action.tile)), seat, discards=river)
        assert (after.phase is Phase.CLAIM) == bool(brute.claims(thrown, other))


def _with_hand(state: State, seat: Seat, **changes: Any) -> State:
    hands = list(state.hands)
    hands[seat] = hands[seat]._replace(**changes)
    return state._replace(hands=(hands[0], hands[1]))


def _as_kong(melds: tuple[Meld, ...], tile: int) -> tuple[Meld, ...]:
    is_pung = (MeldKind.PUNG, tile)
    return tuple(
        Meld(MeldKind.ADDED_KONG, tile) if (meld.kind, meld.tile) == is_pung else meld for meld in melds
    )


def compare(ruleset: str, sample: str, number: int) -> None:
    random = Random(f"{sample} of {ruleset}")
    met: Counter[str] = Counter()
    for count, state in enumerate(positions(ruleset, random)):
        if count == number:
            break
        met += check_actions(state)
    assert BY_RULESET[ruleset] <= met.keys()


@pytest.mark.parametrize("ruleset", RULESET_IDS)
def test_legal_actions(ruleset: str) -> None:
    compare(ruleset, "positions", POSITIONS)


@pytest.mark.long
@pytest.mark.parametrize("chunk", range(CHUNKS))
@pytest.mark.parametrize("ruleset", RULESET_IDS)
def test_legal_actions_of_many_positions(ruleset: str, chunk: int) -> None:
    compare(ruleset, f"chunk {chunk}", CHUNK)
