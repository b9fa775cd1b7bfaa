"""Who stands where: leaderboards and careers. Storage implements :class:`Standings`. Source: PROTOCOL §2."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from app.economy.users import User


class Measure(StrEnum):
    """What a board is ordered by."""

    POINTS = "points"
    COINS = "coins"
    WINS = "wins"


@dataclass(frozen=True, slots=True)
class Place:
    """One line of a board. Equal values share a ``rank`` (1, 1, 3); ``points`` are the player's own, for his
    title.
    """

    rank: int
    value: int
    user_id: str
    name: str
    points: int


@dataclass(frozen=True, slots=True)
class Spot:
    """A point of a board's order: just after this user with this value."""

    value: int
    user_id: str


@dataclass(frozen=True, slots=True)
class Around:
    """A player's own place and its neighbours, himself among them."""

    me: Place
    places: Sequence[Place]


@dataclass(frozen=True, slots=True)
class Career:
    """Rounds by their outcome, settled ones alone.

    ``best_fan`` is the highest total fan of a win, ``dealt_in`` how many were lost by a tile of his own.
    """

    user: User
    wins: int = 0
    draws: int = 0
    losses: int = 0
    escapes: int = 0
    deserted: int = 0
    best_fan: int = 0
    dealt_in: int = 0

    @property
    def rounds(self) -> int:
        return self.wins + self.draws + self.losses + self.escapes + self.deserted


class Standings(Protocol):
    """``key`` names a period (:func:`app.economy.periods.period_key`). Order: value, then account's age."""

    async def page(self, measure: Measure, key: str, after: Spot | None, limit: int) -> Sequence[Place]: ...

    async def around(self, measure: Measure, key: str, user_id: str, limit: int) -> Around | None:
        """``limit`` places with the user's own in the middle; None when he is not on the board."""

    async def career(self, user_id: str) -> Career | None:
        """None when there is no such player."""
