"""Coins from issuance: relief for who has lost nearly everything, and a little for everybody every day.

Source: RULES §12.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Protocol


@dataclass(frozen=True, slots=True)
class ReliefTerms:
    """``coins`` for who holds fewer than ``below``, up to ``per_day`` times a day."""

    below: int = 1_000
    coins: int = 3_000
    per_day: int = 3


@dataclass(frozen=True, slots=True)
class Relief:
    """What was granted, the purse after it, and how often it may still be had today."""

    granted: int
    coins: int
    left: int


class ReliefRefused(Exception):
    """Nothing was granted."""


class ReliefNotNeeded(ReliefRefused):
    """The purse holds enough."""


class ReliefUsedUp(ReliefRefused):
    """As often as a day allows, it was granted already."""


class DailyTaken(ReliefRefused):
    """The day's coins have been taken already, or there are none."""


class DuringRound(ReliefRefused):
    """A round of his is running: its stakes were agreed on by what both held."""


class Reliefs(Protocol):
    async def daily_left(self, user_id: str, day: date) -> bool:
        """Whether the day's coins are still to be had."""

    async def grant_daily(self, user_id: str, coins: int, day: date, at_ms: int) -> int:
        """The day's coins, once; what the purse holds after.

        Raises:
            DailyTaken: they were taken already.
            DuringRound: he is playing.
        """

    async def grant(self, user_id: str, terms: ReliefTerms, day: date, at_ms: int) -> Relief:
        """Grant relief once; of calls that come together each sees the purse the one before it left.

        Raises:
            ReliefRefused: by its kind.
            HasLeft: there is nobody to grant it to.
        """
