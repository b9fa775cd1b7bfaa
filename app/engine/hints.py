"""What a player is told of his own hand: which discards make it ready, and for what. Source: RULES §5."""

from __future__ import annotations

from typing import Any

from app.engine.scoring import WinContext, score, waits
from app.engine.state import Hand, Ready, Seat, State
from app.engine.table import seat_wind, unseen_counts
from app.rules.tiles import PLAYABLE_KINDS, TILE_NAMES, Counts, Tile


def ready_hints(state: State, seat: Seat) -> list[dict[str, Any]]:
    """For each discard that leaves a ready hand: the waits, how many of each are unseen, the fan of each.

    The form is that of ``ask.hints`` (PROTOCOL §3.2). Fans are those of an ordinary win: nothing that only
    the moment of winning can add.
    """
    hand = state.hands[seat]
    unseen = unseen_counts(state, seat)
    hints = []
    for discard in range(PLAYABLE_KINDS):
        if not hand.counts[discard]:
            continue
        left = tuple(count - (tile == discard) for tile, count in enumerate(hand.counts))
        kinds = waits(left, hand.melds)
        if kinds:
            rows = [_wait_row(state, seat, left, wait, unseen[wait]) for wait in kinds]
            hints.append({"discard": TILE_NAMES[discard], "waits": rows})
    return hints


def _wait_row(state: State, seat: Seat, left: Counts, wait: Tile, unseen: int) -> dict[str, Any]:
    return {
        "wait": TILE_NAMES[wait],
        "unseen": unseen,
        "by_discard": _fan(state, seat, left, wait, self_drawn=False),
        "self_drawn": _fan(state, seat, left, wait, self_drawn=True),
    }


def _fan(state: State, seat: Seat, left: Counts, wait: Tile, *, self_drawn: bool) -> int:
    hand: Hand = state.hands[seat]
    context = WinContext(
        win_tile=wait,
        self_drawn=self_drawn,
        seat_wind=seat_wind(state.dealer, seat),
        prevalent_wind=state.prevalent,
        flowers=hand.flowers,
        ready=hand.ready is not None,
        heavenly_ready=hand.ready is Ready.HEAVENLY,
    )
    return score(state.rules, left, hand.melds, context).total
