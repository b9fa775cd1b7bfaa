"""What enters a room's inbox: players, connections and time alike. Source: PROTOCOL §3.5, §3.12."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from typing import TypeAlias

from app.economy.operators import By
from app.engine.state import Seat
from app.rooms.ports import Player


@dataclass(frozen=True, slots=True)
class TakeSeat:
    player: Player


@dataclass(frozen=True, slots=True)
class Practise:
    """The computer sits down, and the player across from it."""

    player: Player


@dataclass(frozen=True, slots=True)
class GoOnline:
    seat: Seat


@dataclass(frozen=True, slots=True)
class GoOffline:
    seat: Seat


@dataclass(frozen=True, slots=True)
class ClientRequest:
    """What a client asks for under an action id of its own, and gets exactly one answer to.

    It names no seat: that is the connection's, and the room knows which.
    """

    id: str

    @property
    def digest(self) -> str:
        """Tells a resend from the same id with another content."""
        content = [(name, getattr(self, name)) for name in self.__slots__]  # of its kind: all but the id
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
class Reopen:
    """The server is back: nobody is connected, and the clocks have stood still since ``stood_still_ms``."""

    stood_still_ms: int


@dataclass(frozen=True, slots=True)
class Withdraw:
    """The player gives up his seat, unless a round of this pair has started."""

    user_id: str


@dataclass(frozen=True, slots=True)
class ChangeBase:
    """The base stake of the next round on; a running one keeps its own. Source: RULES §9."""

    base_stake: int


@dataclass(frozen=True, slots=True)
class PauseRoom:
    """No round starts and nobody sits down until the room is resumed; a running round goes on."""

    reason: str


@dataclass(frozen=True, slots=True)
class ResumeRoom:
    """Rounds may start again."""


@dataclass(frozen=True, slots=True)
class VoidRound:
    reason: str


@dataclass(frozen=True, slots=True)
class GiveUpRound:
    """After a fault of ours: a running round is voided, one that is proposed makes way for another."""

    reason: str


@dataclass(frozen=True, slots=True)
class CloseRoom:
    reason: str


@dataclass(frozen=True, slots=True)
class Expel:
    """The player is banned: his seat is freed, after auto-play has played a running round to its end."""

    user_id: str


Request: TypeAlias = Act | SwitchAuto | Leave


@dataclass(frozen=True, slots=True)
class Asked:
    """A request of the player at ``seat``."""

    seat: Seat
    request: Request


HouseCommand: TypeAlias = ChangeBase | PauseRoom | ResumeRoom | VoidRound | GiveUpRound | CloseRoom | Expel


@dataclass(frozen=True, slots=True)
class Operated:
    """What an operator does to the room, in one step that enters the audit log as ``action``.

    It is refused unless ``version`` is the room's; None takes the room as it stands.
    """

    by: By
    action: str
    commands: tuple[HouseCommand, ...]
    version: int | None = None


Command: TypeAlias = (
    TakeSeat | Practise | GoOnline | GoOffline | Reopen | Withdraw | Asked | Tick | HouseCommand | Operated
)
