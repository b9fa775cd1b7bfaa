"""Which discards leave a hand ready, half by half. Source: RULES §5, §6.

Of a hand with a tile to discard one half gives up a tile, and one half, the same or the other, then waits
for one. Whether that can be is asked of the honours first: most hands hold honours that fit nowhere, and for
those a single look-up is the whole answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from operator import add
from typing import NamedTuple

from app.engine.melds import Meld, meld_counts
from app.engine.scoring.parts import Key, part_sizes
from app.engine.scoring.shapes import completing_honors, completing_suit, waits
from app.rules.tiles import COPIES, SUIT_KINDS, Counts, Tile

Kinds = tuple[Tile, ...]

NOT_PAIRS = 3  # more kinds held an odd number of times than one discard can leave of seven pairs


class _HonorHalf(NamedTuple):
    """What the honours lack: nothing, a tile more, a tile less, or one for another; else they are hopeless.

    ``spare``: kinds to discard so that the half is whole; ``swapped``: so that it then waits.
    """

    is_hopeless: bool
    is_whole: bool
    waits: bool
    spare: Kinds
    swapped: Kinds


def ready_discards(counts: Counts, melds: Sequence[Meld]) -> Kinds:
    """Sorted kinds whose discard leaves a hand that waits for a tile it does not hold all of.

    ``counts`` are the concealed tiles, the one to discard among them.

    >>> from app.rules.tiles import format_tiles, parse_tiles, to_counts
    >>> format_tiles(ready_discards(to_counts(parse_tiles("123456789m11233z")), ()))
    '2z'
    """
    honor = _honor_half(counts[SUIT_KINDS:])
    odd = NOT_PAIRS if melds else counts.count(1) + counts.count(3)
    if odd > 2 and honor.is_hopeless:
        return ()
    candidates = _by_shape(counts, honor)
    if odd <= 2:  # six pairs and a single tile are left (RULES §6)
        candidates.update([tile for tile, count in enumerate(counts) if (count & 1 if odd else count)])
    if not candidates:
        return ()
    held = map(add, counts, meld_counts(melds)) if melds else counts
    if COPIES not in held:  # then no wait can be for a kind that is wholly in this hand
        return tuple(sorted(candidates))
    return tuple([tile for tile in sorted(candidates) if waits(without(counts, tile), melds)])


def without(counts: Counts, tile: Tile) -> Counts:
    """The counts with one ``tile`` less."""
    return (*counts[:tile], counts[tile] - 1, *counts[tile + 1 :])


def _by_shape(counts: Counts, honor: _HonorHalf) -> set[Tile]:
    suit = counts[:SUIT_KINDS]
    found: set[Tile] = set()
    if honor.is_whole:
        found.update(_suit_swapped(suit))
    if honor.waits:
        found.update(_spare(suit, 0))
    if honor.spare and completing_suit(suit):
        found.update(honor.spare)
    if honor.swapped and suit in part_sizes()[0]:
        found.update(honor.swapped)
    return found


@lru_cache(maxsize=1 << 13)
def _honor_half(key: Key) -> _HonorHalf:
    places = [place for place, count in enumerate(key) if count]
    swapped = tuple([SUIT_KINDS + place for place in places if completing_honors(without(key, place))])
    is_whole, waits_for_one, spare = key in part_sizes()[1], bool(completing_honors(key)), _spare(key, 1)
    is_hopeless = not (is_whole or waits_for_one or spare or swapped)
    return _HonorHalf(is_hopeless, is_whole, waits_for_one, spare, swapped)


@lru_cache(maxsize=1 << 15)
def _suit_swapped(key: Key) -> Kinds:
    return tuple([rank for rank in range(SUIT_KINDS) if key[rank] and completing_suit(without(key, rank))])


@lru_cache(maxsize=1 << 15)
def _spare(key: Key, half: int) -> Kinds:
    """Kinds without one of which the half (0 萬, 1 honours) is whole."""
    sizes, lowest = part_sizes()[half], half * SUIT_KINDS
    return tuple(
        [lowest + place for place, count in enumerate(key) if count and without(key, place) in sizes]
    )
