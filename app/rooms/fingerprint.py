"""A short hash of where a room stands, stored with every commit and compared when the room is rebuilt.

It tells a replay that leads elsewhere than the round went: other tiles in a hand, a river or the wall,
another turn, answer or question, an action missing or one too many, a head changed by hand. It leaves out
what follows from the rest (what a question offers) and all times, which a restart moves.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import Any

import msgspec

from app.engine.state import State
from app.rooms.model import RoomState, SeatState

FORM = 1  # a hash of another form is not compared: raise it when anything here comes out differently
_BYTES = 8
_ENCODE = msgspec.msgpack.Encoder().encode


def fingerprint(room: RoomState) -> str:
    """The hash of a room's state, with the form it is of."""
    match, play = room.match, room.play
    running = None
    if play is not None and room.is_playing:
        running = (play.record.id, play.actions, position(play.state))
    content = (
        room.seq,
        room.phase,
        room.dps,
        [sitting and _seat(sitting) for sitting in room.seats],
        (match.rounds, match.first_dealer, match.dealer, match.prevalent, match.dealt_away),
        room.proposal and room.proposal.id,
        running,
    )
    return f"{FORM}:{blake2b(_ENCODE(content), digest_size=_BYTES).hexdigest()}"


def is_comparable(stored: object) -> bool:
    """Whether a stored hash is of this form; older heads have another, or none."""
    return isinstance(stored, str) and stored.startswith(f"{FORM}:")


def position(state: State) -> tuple[Any, ...]:
    """Everything in a round's state that has come of its actions, and the wall they were played on."""
    return (
        state.dealer,
        state.prevalent,
        state.wall,
        state.phase,
        state.turn,
        state.head,
        state.tail,
        state.hands,
        state.drawn_from,
        state.passed,
        state.last,
        state.openers,
        state.doublers,
        state.answers,
        state.ready_answer,
        state.calls,
        state.discards,
    )


def _seat(sitting: SeatState) -> tuple[Any, ...]:
    decision = sitting.decision
    return (
        sitting.player.id,
        sitting.auto,
        sitting.confirmed,
        sitting.has_confirmed,
        sitting.entropy,
        sitting.seen,
        sitting.timeouts,
        sitting.absent_rounds,
        sitting.reserve_ms,
        decision and (decision.dp, decision.question),
    )
