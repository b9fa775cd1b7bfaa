"""What operators see of players and do to them. Storage implements :class:`PlayerDesk`.

Source: PROTOCOL §2.8.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from app.economy.operators import By, Role
from app.economy.standings import Career
from app.economy.users import User


class Sanction(StrEnum):
    MUTE = "mute"  # he says nothing to others at a table
    BAN = "ban"  # he signs in nowhere, sits nowhere and stands on no board


@dataclass(frozen=True, slots=True)
class Listed:
    """A player in a list; moments are epoch ms, None while the sanction does not hold."""

    user: User
    muted_ms: int | None
    banned_ms: int | None


@dataclass(frozen=True, slots=True)
class Dossier:
    """One player in full; ``sessions`` counts those that stand."""

    listed: Listed
    career: Career
    created_ms: int
    sessions: int


class DeskRefusal(Exception):
    """Nothing has changed."""


class NoSuchPlayer(DeskRefusal):
    """There is none of this id, or it is the computer."""


class WouldOwe(DeskRefusal):
    """The purse holds ``short`` coins fewer than are to be taken."""

    def __init__(self, short: int) -> None:
        super().__init__(str(short))
        self.short = short


class KeyReused(DeskRefusal):
    """The idempotency key belongs to another adjustment of this player."""


class NotRegistered(DeskRefusal):
    """A guest cannot sign in again, so he is given no role."""


class LastOwner(DeskRefusal):
    """Somebody must be able to give roles."""


class PlayerDesk(Protocol):
    """Every change raises :class:`NoSuchPlayer` where there is none."""

    async def search(self, text: str, after: str | None, limit: int) -> Sequence[Listed]:
        """By id: whoever has this id or a name that holds the text, whatever the case; "" finds everybody."""

    async def dossier(self, user_id: str, at_ms: int) -> Dossier | None: ...

    async def adjust(self, user_id: str, coins: int, key: str, by: By) -> int:
        """Give coins, or take them when negative; the purse after it. Of one ``key`` it happens once.

        Raises:
            WouldOwe, KeyReused: as they say.
        """

    async def sanction(self, user_id: str, sanction: Sanction, holds: bool, by: By) -> None:
        """It holds from now on, or no longer; where it stands so already nothing happens."""

    async def under(self, sanction: Sanction) -> Collection[str]:
        """The ids of everybody for whom it holds."""

    async def set_role(self, user_id: str, role: Role | None, by: By) -> None:
        """Raises:
        NotRegistered, LastOwner: as they say.
        """
