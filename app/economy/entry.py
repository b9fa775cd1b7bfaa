"""Who may sit down, and stay: a tier's entry limits. Source: RULES §9, §12."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class EntryRefusal:
    """Why not: ``short`` coins are missing, or 0 when there are too many."""

    short: int


def entry_minimum(base_stake: int, *, tier_base: int, entry_min: int) -> int:
    """The minimum of a room whose base an operator has changed: it follows in proportion, rounded up.

    >>> entry_minimum(20, tier_base=10, entry_min=500)
    1000
    """
    return -(-entry_min * base_stake // tier_base)


def check_entry(
    coins: int, base_stake: int, entry_min: int, entry_max: int | None, table_fee: int, *, tier_base: int
) -> EntryRefusal | None:
    """None when a player holding ``coins`` may play a round at the room's ``base_stake``.

    ``entry_min`` is the tier's, set for ``tier_base``; the fee must be payable as well.

    >>> check_entry(499, 10, 500, None, 0, tier_base=10)
    EntryRefusal(short=1)
    """
    needed = max(entry_minimum(base_stake, tier_base=tier_base, entry_min=entry_min), table_fee)
    if coins < needed:
        return EntryRefusal(short=needed - coins)
    if entry_max is not None and coins > entry_max:
        return EntryRefusal(short=0)
    return None
