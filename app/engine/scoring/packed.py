"""The tiles of a hand as one number.

*Packed counts* are the counts as digits of base 256, 一萬 first and honours last. They add up, the halves of
a hand come off with a shift and a mask, and one operation asks something of all kinds at once.

*Marks* are packed counts that are all 0 or 1: a set of kinds that compares with the tiles of a hand.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from app.engine.scoring.memo import Memo
from app.rules.tiles import COPIES, HONORS, PLAYABLE_KINDS, Tile

Packed: TypeAlias = int
Marks: TypeAlias = Packed

_DIGIT = 8  # bits
PACKED: tuple[Marks, ...] = tuple(1 << _DIGIT * place for place in reversed(range(PLAYABLE_KINDS)))
"""By kind: one of it."""

# The keys of the halves: ``packed >> SUIT_AT`` and ``packed & ALL_HONORS``.
SUIT_AT = _DIGIT * len(HONORS)
ALL_HONORS: Packed = (1 << SUIT_AT) - 1

SIZE_OF = 255
"""``packed % SIZE_OF`` is the number of tiles, as 256 leaves 1."""

_ONES: Marks = sum(PACKED)
ODD: Marks = _ONES
"""``packed & ODD`` marks the kinds held once or three times."""
FOURS: Packed = COPIES * _ONES
"""``packed & FOURS`` has one bit for each kind held four times."""

pack: Callable[[Sequence[int]], Packed] = int.from_bytes


def has_more_than(packed: Packed, copies: int) -> bool:
    """Whether there are more than ``copies`` (far below 128) of some kind."""
    return bool(packed + (127 - copies) * _ONES & 128 * _ONES)


def held(packed: Packed) -> Marks:
    """The kinds held at all, at most seven times each."""
    return (packed | packed >> 1 | packed >> 2) & _ONES


def _kinds_marked(marks: Marks) -> tuple[Tile, ...]:
    return tuple([tile for tile, one in enumerate(PACKED) if marks & one])


kinds_marked: Memo[Marks, tuple[Tile, ...]] = Memo(_kinds_marked, 1 << 12)
"""The kinds, sorted."""
