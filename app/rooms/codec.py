"""A room's state as its durable head. Source: PROTOCOL §3.5 (deadlines are stored), docs/ARCHITECTURE.md.

What can be derived again is left out: options follow from the engine's state, the state from the record.
"""

from __future__ import annotations

from typing import Any

from app.rooms.fingerprint import fingerprint
from app.rooms.model import Decision, RoomState, SeatState
from app.rooms.ports import RoomRecord
from app.rules.tiles import TILE_NAMES


def room_record(room: RoomState) -> RoomRecord:
    """The head to store with a batch."""
    return RoomRecord(
        id=room.id,
        tier=room.tier,
        base_stake=room.base_stake,
        private=room.private,
        invite=room.invite,
        phase=room.phase.value,
        seats=(_user_id(room.seats[0]), _user_id(room.seats[1])),
        seq=room.seq,
        state=_state_data(room),
        commits=room.commits,
    )


def _user_id(sitting: SeatState | None) -> str | None:
    return None if sitting is None else sitting.player.id


def _state_data(room: RoomState) -> dict[str, Any]:
    match, play = room.match, room.play
    return {
        "hash": fingerprint(room),
        "dps": list(room.dps),
        "matched": room.matched,
        "spectators": room.spectators,
        "practice": room.practice,
        "paused": room.paused,
        "grace_until_ms": room.grace_until_ms,
        "version": room.version,
        "seats": [None if sitting is None else _seat_data(sitting) for sitting in room.seats],
        "match": {
            "rounds": match.rounds,
            "first_dealer": match.first_dealer,
            "dealer": match.dealer,
            "prevalent": TILE_NAMES[match.prevalent],
            "dealt_away": match.dealt_away,
        },
        "round": play and play.record.id,
        "proposal": room.proposal and room.proposal.id,
        "forced_at_ms": play and play.forced_at_ms,
        "pause_ends_ms": play and play.pause_ends_ms,
    }


def _seat_data(sitting: SeatState) -> dict[str, Any]:
    return {
        "offline_since_ms": sitting.offline_since_ms,
        "auto": sitting.auto,
        "timeouts": sitting.timeouts,
        "confirmed": sitting.confirmed,
        "has_confirmed": sitting.has_confirmed,
        "entropy": sitting.entropy,
        "seen": sitting.seen,
        "absent_rounds": sitting.absent_rounds,
        "reserve_ms": sitting.reserve_ms,
        "lag_quota_ms": sitting.lag_quota_ms,
        "expelled": sitting.expelled,
        "decision": None if sitting.decision is None else _decision_data(sitting.decision),
    }


def _decision_data(decision: Decision) -> dict[str, Any]:
    return {
        "dp": decision.dp,
        "question": decision.question.value,
        "asked_ms": decision.asked_ms,
        "base_ms": decision.base_ms,
        "bank_ms": decision.bank_ms,
        "lag_ms": decision.lag_ms,
        "server_plays_at_ms": decision.server_plays_at_ms,
    }
