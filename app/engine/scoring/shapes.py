"""Whether tiles win, and on which tiles a hand waits. Source: RULES §6, §7.5."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from app.engine.melds import Meld, meld_counts
from app.engine.scoring.parts import HAND_TILES, Key, part_sizes
from app.rules.tiles import COPIES, PLAYABLE_KINDS, SUIT_KINDS, Counts, Tile

_NOT_WHOLE = -HAND_TILES  # a size that no other half can make good
_NO_ODD_COUNT = frozenset((0, 2, 4))


def is_winning(counts: Counts, melds_count: int) -> bool:
    """Whether the concealed ``counts``, winning tile included, are whole beside ``melds_count`` melds.

    >>> from app.rules.tiles import parse_tiles, to_counts
    >>> is_winning(to_counts(parse_tiles("11m")), 4), is_winning(to_counts(parse_tiles("1199m")), 3)
    (True, False)
    """
    suit, honor = part_sizes()
    size = suit.get(counts[:SUIT_KINDS], _NOT_WHOLE) + honor.get(counts[SUIT_KINDS:], _NOT_WHOLE)
    return size == HAND_TILES - 3 * melds_count or (melds_count == 0 and is_seven_pairs(counts))


def is_seven_pairs(counts: Counts) -> bool:
    """Seven pairs, four equal tiles being two of them. Source: RULES §6."""
    return _NO_ODD_COUNT.issuperset(counts) and sum(counts) == HAND_TILES


def shape_waits(hand: Counts, melds_count: int) -> tuple[Tile, ...]:
    """Sorted kinds that complete ``hand`` (13 tiles less three per meld) by shape, used up or not.

    This is what the single-wait fans go by. Source: RULES §7.5.
    """
    if sum(hand) != HAND_TILES - 1 - 3 * melds_count:
        return ()
    suit, honor = hand[:SUIT_KINDS], hand[SUIT_KINDS:]
    suit_sizes, honor_sizes = part_sizes()
    waits: tuple[Tile, ...] = ()
    # Given the hand's size, a whole half leaves exactly what the other half needs to become whole.
    if honor in honor_sizes:
        waits = _suit_waits(suit)
    if suit in suit_sizes:
        waits += _honor_waits(honor)
    if melds_count == 0:
        pair = _seven_pairs_wait(hand)
        if pair is not None and pair not in waits:
            waits = tuple(sorted((*waits, pair)))
    return waits


def waits(hand: Counts, melds: Sequence[Meld]) -> tuple[Tile, ...]:
    """Sorted kinds that complete ``hand``, without those the player holds all four of himself.

    >>> from app.rules.tiles import format_tiles, parse_tiles, to_counts
    >>> format_tiles(waits(to_counts(parse_tiles("1112345678999m")), ()))
    '123456789m'
    """
    laid = meld_counts(melds)
    return tuple(tile for tile in shape_waits(hand, len(melds)) if hand[tile] + laid[tile] < COPIES)


@lru_cache(maxsize=1 << 16)
def _suit_waits(key: Key) -> tuple[Tile, ...]:
    return _completing(key, part_sizes()[0], 0)


@lru_cache(maxsize=1 << 12)
def _honor_waits(key: Key) -> tuple[Tile, ...]:
    return _completing(key, part_sizes()[1], SUIT_KINDS)


def _completing(key: Key, sizes: dict[Key, int], lowest: Tile) -> tuple[Tile, ...]:
    return tuple(
        lowest + place
        for place in range(len(key))
        if (*key[:place], key[place] + 1, *key[place + 1 :]) in sizes
    )


def _seven_pairs_wait(hand: Counts) -> Tile | None:
    odd = [tile for tile in range(PLAYABLE_KINDS) if hand[tile] & 1]
    return odd[0] if len(odd) == 1 else None
