"""Which discards leave a hand ready, half by half. Source: RULES §5, §6.

Of a hand with a tile to discard one half gives up a tile, and one half, the same or the other, then waits
for one. Whether that can be is asked of the honours first: most hands hold honours that fit nowhere, and for
those a single look-up is the whole answer.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from app.engine.melds import Meld
from app.engine.scoring.laid import meld_tiles
from app.engine.scoring.memo import Memo
from app.engine.scoring.packed import (
    ALL_HONORS,
    FOURS,
    ODD,
    PACKED,
    SUIT_AT,
    Marks,
    Packed,
    held,
    kinds_marked,
    pack,
)
from app.engine.scoring.parts import HONOR_TABLE, SUIT_TABLE
from app.engine.scoring.shapes import completing_honors, completing_suit, waits
from app.rules.tiles import Counts, Tile

NOT_PAIRS = 3  # more kinds held an odd number of times than one discard can leave of seven pairs


class _HonorHalf(NamedTuple):
    """What the honours lack: nothing, a tile more, a tile less, or one for another; else they are hopeless.

    ``spare``: kinds to discard so that the half is whole; ``swapped``: so that it then waits.
    """

    is_hopeless: bool
    is_whole: bool
    waits: bool
    spare: Marks
    swapped: Marks


def ready_discards(counts: Counts, melds: Sequence[Meld]) -> tuple[Tile, ...]:
    """Sorted kinds whose discard leaves a hand that waits for a tile it does not hold all of.

    ``counts`` are the concealed tiles, the one to discard among them.

    >>> from app.rules.tiles import format_tiles, parse_tiles, to_counts
    >>> format_tiles(ready_discards(to_counts(parse_tiles("123456789m11233z")), ()))
    '2z'
    """
    packed = pack(counts)
    honor = _honor_half[packed & ALL_HONORS]
    odd = NOT_PAIRS if melds else (packed & ODD).bit_count()
    if odd > 2 and honor.is_hopeless:
        return ()
    marks = _by_shape(packed >> SUIT_AT, honor)
    if odd <= 2:  # six pairs and a single tile are left (RULES §6)
        marks |= packed & ODD if odd else held(packed)
    candidates = kinds_marked[marks]
    if not candidates or not sum([meld_tiles[meld] for meld in melds], packed) & FOURS:
        return candidates  # no wait can be for a kind that is wholly in this hand
    return tuple([tile for tile in candidates if waits(without(counts, tile), melds)])


def without(counts: Counts, tile: Tile) -> Counts:
    """The counts with one ``tile`` less."""
    return (*counts[:tile], counts[tile] - 1, *counts[tile + 1 :])


def _by_shape(suit: Packed, honor: _HonorHalf) -> Marks:
    marks = 0
    if honor.is_whole:
        marks |= _suit_swapped[suit]
    if honor.waits:
        marks |= _suit_spare[suit]
    if honor.spare and completing_suit[suit]:
        marks |= honor.spare
    if honor.swapped and suit in SUIT_TABLE:
        marks |= honor.swapped
    return marks


def _lacking(key: Packed) -> _HonorHalf:
    is_whole, waits_for_one = key in HONOR_TABLE, bool(completing_honors[key])
    spare = _where(key, HONOR_TABLE.__contains__)
    swapped = _where(key, completing_honors.__getitem__)
    is_hopeless = not (is_whole or waits_for_one or spare or swapped)
    return _HonorHalf(is_hopeless, is_whole, waits_for_one, spare, swapped)


def _where(key: Packed, is_so: Callable[[Packed], object]) -> Marks:
    """The kinds of a half without one of which it ``is_so``."""
    marks = held(key)
    return sum([one for one in PACKED if marks & one and is_so(key - one)])


def _without_one_waits(suit: Packed) -> Marks:
    return _where(suit, completing_suit.__getitem__) << SUIT_AT


def _without_one_whole(suit: Packed) -> Marks:
    return _where(suit, SUIT_TABLE.__contains__) << SUIT_AT


# By the key of a half: what the honours lack; kinds without one of which 萬 waits, or is whole.
_honor_half: Memo[Packed, _HonorHalf] = Memo(_lacking, 1 << 13)
_suit_swapped: Memo[Packed, Marks] = Memo(_without_one_waits, 1 << 15)
_suit_spare: Memo[Packed, Marks] = Memo(_without_one_whole, 1 << 15)
