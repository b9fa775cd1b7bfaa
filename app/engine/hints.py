"""What a player is told of his own hand: which discards make it ready, and for what. Source: RULES §5."""

from __future__ import annotations

from typing import Any

from app.engine.scoring import WinContext, ready_discards, score, waits
from app.engine.scoring.discards import without
from app.engine.state import Hand, Ready, Seat, State
from app.engine.table import seat_wind, unseen_counts
from app.rules.tiles import TILE_NAMES, Counts, Tile


def ready_hints(state: State, seat: Seat) -> list[dict[str, Any]]:
    """For each discard that leaves a ready hand: the waits, how many of each are unseen, the fan of each.

    The form is that of ``ask.hints`` (PROTOCOL §3.2). Fans are those of an ordinary win: nothing that only
    the moment of winning can add. A declared hand can discard no tile but the drawn one.
    """
    hand = state.hands[seat]
    discards = ready_discards(hand.counts, hand.melds)
    if hand.ready is not None:
        discards = tuple([tile for tile in discards if tile == hand.drawn])
    if not discards:
        return []
    unseen = unseen_counts(state, seat)
    by_discard, self_drawn = (_ordinary_win(state, seat, drawn) for drawn in (False, True))
    hints = []
    for discard in discards:
        left = without(hand.counts, discard)
        rows = [
            {
                "wait": TILE_NAMES[wait],
                "unseen": unseen[wait],
                "by_discard": _fan(state, hand, left, by_discard, wait),
                "self_drawn": _fan(state, hand, left, self_drawn, wait),
            }
            for wait in waits(left, hand.melds)
        ]
        hints.append({"discard": TILE_NAMES[discard], "waits": rows})
    return hints


def _ordinary_win(state: State, seat: Seat, self_drawn: bool) -> tuple[Any, ...]:
    """The circumstances of a win at any time, without its tile."""
    hand = state.hands[seat]
    context = WinContext(
        win_tile=-1,
        self_drawn=self_drawn,
        seat_wind=seat_wind(state.dealer, seat),
        prevalent_wind=state.prevalent,
        flowers=hand.flowers,
        ready=hand.ready is not None,
        heavenly_ready=hand.ready is Ready.HEAVENLY,
    )
    return context[1:]


def _fan(state: State, hand: Hand, left: Counts, circumstances: tuple[Any, ...], wait: Tile) -> int:
    return score(state.rules, left, hand.melds, WinContext(wait, *circumstances)).total
