"""A room as one reader may see it, in the JSON form of docs/PROTOCOL.md §1.4."""

from __future__ import annotations

from typing import Any

from app.engine.state import SEATS, Seat
from app.engine.views import WATCHER, view_for
from app.rooms.model import RoomState, RoundPlay, SeatState
from app.rooms.seats import purse_data


def room_view(room: RoomState, reader: Seat) -> dict[str, Any]:
    """The ``view`` of a ``snap``; ``reader`` is a seat or :data:`~app.engine.views.WATCHER`."""
    return {
        "room": {
            "id": room.id,
            "tier": room.tier.id,
            "tier_name": room.tier.name,
            "ruleset": room.tier.ruleset,
            "base": room.base_stake,
            "private": room.private,
            "practice": room.practice,
            "paused": room.paused,
            "spectators": room.spectators,
            "phase": room.phase.value,
        },
        "you": None if reader == WATCHER else reader,
        "seats": [_seat_view(room.seats[seat]) for seat in SEATS],
        "round": None if room.play is None else _round_view(room.play, reader),
    }


def _seat_view(sitting: SeatState | None) -> dict[str, Any] | None:
    if sitting is None:
        return None
    player = sitting.player
    return {
        "user": {"id": player.id, "name": player.name},
        **purse_data(player),
        "online": sitting.is_online,
        "auto": sitting.auto,
    }


def _round_view(play: RoundPlay, reader: Seat) -> dict[str, Any]:
    record = play.record
    return {
        "id": record.id,
        "number": record.number,
        "commitment": record.commitment,
        "shuffle": record.shuffle,
        "base": record.base_stake,
        **view_for(play.state, reader).data(),
        "result": dict(play.closing) or None,
    }
