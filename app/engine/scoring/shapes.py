"""Whether tiles win, and on which tiles a hand waits. Source: RULES §6, §7.5."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from app.engine.melds import Meld, meld_counts
from app.engine.scoring.parts import HAND_TILES, Key, part_sizes
from app.rules.tiles import COPIES, SUIT_KINDS, Counts, Tile

_NOT_WHOLE = -HAND_TILES  # a size that no other half can make good


def is_winning(counts: Counts, melds_count: int) -> bool:
    """Whether the concealed ``counts``, winning tile included, are whole beside ``melds_count`` melds.

    >>> from app.rules.tiles import parse_tiles, to_counts
    >>> is_winning(to_counts(parse_tiles("11m")), 4), is_winning(to_counts(parse_tiles("1199m")), 3)
    (True, False)
    """
    suit_sizes, honor_sizes = part_sizes()
    honor_size = honor_sizes.get(counts[SUIT_KINDS:])
    if honor_size is not None:  # honours are looked at first: they seldom are whole
        size = honor_size + suit_sizes.get(counts[:SUIT_KINDS], _NOT_WHOLE)
        if size == HAND_TILES - 3 * melds_count:
            return True
    return melds_count == 0 and is_seven_pairs(counts)


def wins_on(hand: Counts, melds_count: int, tile: Tile) -> bool:
    """Whether ``hand`` (13 tiles less three per meld) is whole with ``tile``."""
    suit_sizes, honor_sizes = part_sizes()
    # The half that the tile does not touch must be whole as it is: it seldom is.
    untouched = hand[SUIT_KINDS:] in honor_sizes if tile < SUIT_KINDS else hand[:SUIT_KINDS] in suit_sizes
    if not untouched and (melds_count or not completes_pairs(hand, tile)):
        return False
    return is_winning((*hand[:tile], hand[tile] + 1, *hand[tile + 1 :]), melds_count)


def is_seven_pairs(counts: Counts) -> bool:
    """Seven pairs, four equal tiles being two of them. Source: RULES §6."""
    return 1 not in counts and 3 not in counts and sum(counts) == HAND_TILES


def completes_pairs(hand: Counts, win: Tile) -> bool:
    """Whether 13 concealed tiles make seven pairs with the tile ``win``."""
    return hand[win] & 1 == hand.count(1) + hand.count(3) and sum(hand) == HAND_TILES - 1


def shape_waits(hand: Counts, melds_count: int) -> tuple[Tile, ...]:
    """Sorted kinds that complete ``hand`` (13 tiles less three per meld) by shape, used up or not.

    This is what the single-wait fans go by. Source: RULES §7.5.
    """
    if sum(hand) != HAND_TILES - 1 - 3 * melds_count:
        return ()
    suit, honor = hand[:SUIT_KINDS], hand[SUIT_KINDS:]
    suit_sizes, honor_sizes = part_sizes()
    # Given the hand's size, a whole half leaves exactly what the other half needs to become whole.
    found = completing_suit(suit) if honor in honor_sizes else ()
    if suit in suit_sizes:
        found += completing_honors(honor)
    if melds_count == 0 and hand.count(1) + hand.count(3) == 1:  # six pairs and a single tile
        single = hand.index(1) if 1 in hand else hand.index(3)
        return found if single in found else tuple(sorted((*found, single)))
    return found


def waits(hand: Counts, melds: Sequence[Meld]) -> tuple[Tile, ...]:
    """Sorted kinds that complete ``hand``, without those the player holds all four of himself.

    >>> from app.rules.tiles import format_tiles, parse_tiles, to_counts
    >>> format_tiles(waits(to_counts(parse_tiles("1112345678999m")), ()))
    '123456789m'
    """
    found = shape_waits(hand, len(melds))
    if not melds and COPIES not in hand:
        return found
    laid = meld_counts(melds)
    for tile in found:
        if hand[tile] + laid[tile] == COPIES:
            return tuple([wait for wait in found if hand[wait] + laid[wait] < COPIES])
    return found


@lru_cache(maxsize=1 << 16)
def completing_suit(key: Key) -> tuple[Tile, ...]:
    """The kinds of 萬 one of which makes the half whole; ``key`` holds its nine counts."""
    return _completing(key, part_sizes()[0], 0)


@lru_cache(maxsize=1 << 12)
def completing_honors(key: Key) -> tuple[Tile, ...]:
    """The honours one of which makes the half whole; ``key`` holds its seven counts."""
    return _completing(key, part_sizes()[1], SUIT_KINDS)


def _completing(key: Key, sizes: dict[Key, int], lowest: Tile) -> tuple[Tile, ...]:
    return tuple(
        [
            lowest + place
            for place in range(len(key))
            if (*key[:place], key[place] + 1, *key[place + 1 :]) in sizes
        ]
    )
