"""Changing tiers. A room keeps the tier it was opened with; what is changed holds for rooms opened later.

Storage implements :class:`TierDesk`. Source: RULES §12, PROTOCOL §2.8.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, Protocol

from app.economy.operators import By
from app.rooms.tiers import Clocks, Tier
from app.rules.ruleset import RULESET_IDS

MAX_COINS = 10**12  # a stake times any multiplier still is a 64-bit number
MAX_CLOCK_MS = 600_000
MAX_FAN = 1_000
MAY_BE_ZERO = {"reserve_ms", "floor_min_ms", "floor_max_ms"}


class TierRefusal(Exception):
    """Nothing has changed."""


class NoSuchTier(TierRefusal):
    """There is none of this id."""


class TierExists(TierRefusal):
    """The id belongs to another tier."""


class TierChanged(TierRefusal):
    """Somebody has changed the tier since; ``present`` is how it stands."""

    def __init__(self, present: Tier) -> None:
        super().__init__(present.id)
        self.present = present


class BadTier(TierRefusal):
    """``field`` cannot be so, alone or beside the others."""

    def __init__(self, field: str) -> None:
        super().__init__(field)
        self.field = field


class TierDesk(Protocol):
    async def create(self, tier: Tier, by: By) -> Tier:
        """Raises:
        BadTier, TierExists: as they say.
        """

    async def change(self, tier_id: str, version: int, changes: Mapping[str, Any], by: By) -> Tier:
        """Replace fields of the tier whose ``version`` this is; changing nothing leaves it as it is.

        Raises:
            NoSuchTier, TierChanged, BadTier: as they say.
        """


def check_tier(tier: Tier) -> None:
    """Raises:
    BadTier: for the first field that cannot be so.
    """
    checks = {
        "ruleset": tier.ruleset in RULESET_IDS,
        "base_stake": 1 <= tier.base_stake <= MAX_COINS // 1_000,
        "entry_min": 0 <= tier.entry_min <= MAX_COINS,
        "entry_max": tier.entry_max is None or tier.entry_min <= tier.entry_max <= MAX_COINS,
        "rake_bp": 0 <= tier.rake_bp <= 10_000,
        "table_fee": 0 <= tier.table_fee <= MAX_COINS,
        "min_fan": tier.min_fan is None or 0 <= tier.min_fan <= MAX_FAN,
        "clocks": _are_clocks(tier.clocks),
    }
    for field, holds in checks.items():
        if not holds:
            raise BadTier(field)


def _are_clocks(clocks: Clocks) -> bool:
    """No clock is endless, none that a player decides by is 0, and the floor's bounds are in order."""
    times = asdict(clocks)
    in_range = all((0 if name in MAY_BE_ZERO else 1) <= ms <= MAX_CLOCK_MS for name, ms in times.items())
    return in_range and clocks.floor_min_ms <= clocks.floor_max_ms
