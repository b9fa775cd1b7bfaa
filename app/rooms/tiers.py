"""Tiers (場): what a room is opened with. Source: RULES §12."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Clocks:
    """All times in milliseconds. A decision has its own time; turns and claims then draw on the reserve."""

    confirm_ms: int = 30_000
    offer_ms: int = 8_000
    pause_ms: int = 5_000  # the 天聽 pause where no 加倍 is offered
    opening_ms: int = 15_000  # the dealer's first decision
    turn_ms: int = 15_000
    claim_ms: int = 8_000
    reserve_ms: int = 20_000  # a round, for turns and claims together
    forced_ms: int = 1_000  # before a ready hand's drawn tile is discarded, and before auto-play answers
    absent_confirm_ms: int = 5_000
    floor_min_ms: int = 0  # what follows a discard or an added kong shows no earlier than a time drawn
    floor_max_ms: int = 0  # between these two (PROTOCOL §3.6); both 0: at once

    def slowed(self) -> Clocks:
        """Twice the time for everything a player decides; what the room does by itself keeps its pace."""
        return replace(
            self,
            confirm_ms=self.confirm_ms * 2,
            offer_ms=self.offer_ms * 2,
            pause_ms=self.pause_ms * 2,
            opening_ms=self.opening_ms * 2,
            turn_ms=self.turn_ms * 2,
            claim_ms=self.claim_ms * 2,
            reserve_ms=self.reserve_ms * 2,
        )


@dataclass(frozen=True, slots=True)
class Tier:
    """A tier as it stood when the room was opened.

    ``base_stake``, ``entry_min``, ``entry_max`` and ``table_fee`` are coins, ``rake_bp`` basis points.
    ``min_fan`` None leaves the rule set's own. ``version`` counts the changes operators made, from 1.
    """

    id: str
    name: str
    ruleset: str
    base_stake: int
    entry_min: int
    entry_max: int | None = None
    rake_bp: int = 500
    table_fee: int = 0
    open_hand: bool = True
    double: bool = True
    min_fan: int | None = None
    is_open: bool = True
    clocks: Clocks = field(default_factory=Clocks)
    version: int = 1


class Tiers(Protocol):
    """The tiers as they stand now."""

    async def all(self) -> Sequence[Tier]:
        """Every tier, closed ones too, by rule set and stake."""

    async def tier(self, tier_id: str) -> Tier | None: ...
