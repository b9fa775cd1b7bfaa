"""What enters a room's inbox: players, connections and time alike. Source: PROTOCOL §3.5, §3.12."""

from __future__ import annotations

from dataclasses import dataclass, fields
from hashlib import sha256
from typing import TypeAlias

from app.engine.state import Seat
from app.rooms.ports import Player


@dataclass(frozen=True, slots=True)
class TakeSeat:
    player: Player


@dataclass(frozen=True, slots=True)
class GoOnline:
    seat: Seat


@dataclass(frozen=True, slots=True)
class GoOffline:
    seat: Seat


_ADDRESS = ("seat", "id")


@dataclass(frozen=True, slots=True)
class ClientRequest:
    """What a client asks for under an action id of its own, ``id``, and gets exactly one answer to."""

    seat: Seat
    id: str

    @property
    def digest(self) -> str:
        """Tells a resend from the same id with another content; seat and id are not part of it."""
        content = [
            (each.name, getattr(self, each.name)) for each in fields(self) if each.name not in _ADDRESS
        ]
        return sha256(repr((type(self).__name__, content)).encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Act(ClientRequest):
    """Answer decision ``dp`` with option ``o``; ``entropy`` is 64 hex digits, with a confirm only."""

    dp: int
    o: str
    entropy: str | None = None


@dataclass(frozen=True, slots=True)
class SwitchAuto(ClientRequest):
    on: bool


@dataclass(frozen=True, slots=True)
class Leave(ClientRequest):
    force: bool = False
    penalty_seen: int | None = None


@dataclass(frozen=True, slots=True)
class Tick:
    """Time has passed: whatever is due now is played."""


@dataclass(frozen=True, slots=True)
class Withdraw:
    """The player gives up his seat, unless a round of this pair has started."""

    user_id: str


@dataclass(frozen=True, slots=True)
class VoidRound:
    reason: str


@dataclass(frozen=True, slots=True)
class CloseRoom:
    reason: str


Request: TypeAlias = Act | SwitchAuto | Leave  # carries a client's action id and gets exactly one answer
Command: TypeAlias = TakeSeat | GoOnline | GoOffline | Withdraw | Request | Tick | VoidRound | CloseRoom
