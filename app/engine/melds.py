"""Melds (副露): sets laid down during play. Source: RULES §4, §6."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

from app.rules.enums import pinned
from app.rules.tiles import COPIES, PLAYABLE_KINDS, Counts, Tile


@pinned
class MeldKind(StrEnum):
    CHOW = "chow"
    PUNG = "pung"
    EXPOSED_KONG = "exposed_kong"
    ADDED_KONG = "added_kong"
    CONCEALED_KONG = "concealed_kong"

    @property
    def is_kong(self) -> bool:
        return self in KONGS

    @property
    def is_exposed(self) -> bool:
        """Everything but a concealed kong opens the hand."""
        return self is not MeldKind.CONCEALED_KONG


KONGS = frozenset({MeldKind.EXPOSED_KONG, MeldKind.ADDED_KONG, MeldKind.CONCEALED_KONG})


class Meld(NamedTuple):
    """One meld; ``tile`` is its kind, for a chow the lowest of the three.

    ``claimed`` is the tile taken from the opponent (for an added kong the one its pung was made with),
    None for a concealed kong. It matters to the picture alone, never to the score.
    """

    kind: MeldKind
    tile: Tile
    claimed: Tile | None = None

    @property
    def tiles(self) -> tuple[Tile, ...]:
        """All tiles of the meld: three, or four for a kong."""
        if self.kind is MeldKind.CHOW:
            return (self.tile, self.tile + 1, self.tile + 2)
        return (self.tile,) * (COPIES if self.kind in KONGS else 3)


def meld_counts(melds: Iterable[Meld]) -> Counts:
    """Counts over all tiles lying in ``melds``, kongs with all four."""
    return _counts(tuple(melds))


@lru_cache(maxsize=1 << 14)
def _counts(melds: tuple[Meld, ...]) -> Counts:
    counts = [0] * PLAYABLE_KINDS
    for meld in melds:
        for tile in meld.tiles:
            counts[tile] += 1
    return tuple(counts)
