"""What operators read: what the house earns, and what looks wrong. Storage implements :class:`HouseReports`.

Source: RULES §9, §10; PROTOCOL §2.8.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Protocol
from zoneinfo import ZoneInfo


@dataclass(frozen=True, slots=True)
class Income:
    """What one tier brought the house on one day, in coins; refunded fees are taken off."""

    day: date
    tier_id: str
    rake: int
    escapes: int
    fees: int


@dataclass(frozen=True, slots=True)
class SuspectTerms:
    """``decided`` rounds of a pair all won by the same player, or ``escapes`` within a round's first
    ``early_actions`` actions, are worth a look.
    """

    decided: int = 8
    escapes: int = 3
    early_actions: int = 12


@dataclass(frozen=True, slots=True)
class OneSided:
    """``winner`` has won every decided round against ``loser``; ``coins`` are what that brought him. Each is
    (id, name).
    """

    winner: tuple[str, str]
    loser: tuple[str, str]
    decided: int
    coins: int


@dataclass(frozen=True, slots=True)
class Fleer:
    """A player (id, name) who leaves rounds that have hardly begun."""

    player: tuple[str, str]
    escapes: int


@dataclass(frozen=True, slots=True)
class Neighbours:
    """``winner`` has gained ``coins`` from ``loser``, and on ``days`` days both played from one address. Each
    is (id, name).
    """

    winner: tuple[str, str]
    loser: tuple[str, str]
    days: int
    coins: int


@dataclass(frozen=True, slots=True)
class Suspects:
    pairs: Sequence[OneSided]
    fleers: Sequence[Fleer]
    neighbours: Sequence[Neighbours]


class HouseReports(Protocol):
    async def income(self, days: Sequence[date], zone: ZoneInfo) -> Sequence[Income]:
        """Of consecutive days of the zone; only days and tiers that brought something."""

    async def suspects(self, since_ms: int, terms: SuspectTerms, zone: ZoneInfo) -> Suspects:
        """From the rounds ended since then, the most striking first; days are those of the zone."""
