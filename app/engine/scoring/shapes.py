"""Whether tiles win, and on which tiles a hand waits. Source: RULES §6, §7.5."""

from __future__ import annotations

from collections.abc import Sequence

from app.engine.melds import Meld
from app.engine.scoring.laid import meld_tiles
from app.engine.scoring.memo import Memo
from app.engine.scoring.packed import (
    ALL_HONORS,
    FOURS,
    ODD,
    PACKED,
    SIZE_OF,
    SUIT_AT,
    Marks,
    Packed,
    kinds_marked,
    pack,
)
from app.engine.scoring.parts import HAND_TILES, HONOR_TABLE, SUIT_TABLE, Table
from app.rules.tiles import HONORS, SUIT_KINDS, Counts, Tile


def is_winning(counts: Counts, melds_count: int) -> bool:
    """Whether the concealed ``counts``, winning tile included, are whole beside ``melds_count`` melds.

    >>> from app.rules.tiles import parse_tiles, to_counts
    >>> is_winning(to_counts(parse_tiles("11m")), 4), is_winning(to_counts(parse_tiles("1199m")), 3)
    (True, False)
    """
    packed = pack(counts)
    # Honours are looked at first: they seldom are whole.
    is_whole = packed & ALL_HONORS in HONOR_TABLE and packed >> SUIT_AT in SUIT_TABLE
    if not is_whole and (melds_count or packed & ODD):  # nor seven pairs
        return False
    return packed % SIZE_OF == HAND_TILES - 3 * melds_count


def wins_on(hand: Counts, melds_count: int, tile: Tile) -> bool:
    """Whether ``hand`` (13 tiles less three per meld) is whole with ``tile``."""
    packed = pack(hand)
    # The half that the tile does not touch must be whole as it is: it seldom is.
    untouched = packed & ALL_HONORS in HONOR_TABLE if tile < SUIT_KINDS else packed >> SUIT_AT in SUIT_TABLE
    if not untouched and (melds_count or packed & ODD != PACKED[tile]):
        return False
    return is_winning((*hand[:tile], hand[tile] + 1, *hand[tile + 1 :]), melds_count)


def shape_waits(hand: Counts, melds_count: int) -> tuple[Tile, ...]:
    """Sorted kinds that complete ``hand`` (13 tiles less three per meld) by shape, used up or not."""
    packed = pack(hand)
    if packed % SIZE_OF != HAND_TILES - 1 - 3 * melds_count:
        return ()
    return kinds_marked[waited_on(packed, not melds_count)]


def waits(hand: Counts, melds: Sequence[Meld]) -> tuple[Tile, ...]:
    """Sorted kinds that complete ``hand``, without those the player holds all four of himself.

    >>> from app.rules.tiles import format_tiles, parse_tiles, to_counts
    >>> format_tiles(waits(to_counts(parse_tiles("1112345678999m")), ()))
    '123456789m'
    """
    packed = pack(hand)
    if packed % SIZE_OF != HAND_TILES - 1 - 3 * len(melds):
        return ()
    marks = waited_on(packed, not melds)
    if marks:
        for meld in melds:
            packed += meld_tiles[meld]
        if packed & FOURS:
            marks &= ~(packed >> 2)  # a digit of four has its third bit set
    return kinds_marked[marks]


def waited_on(packed: Packed, can_be_pairs: bool) -> Marks:
    """The kinds that complete a hand by shape, used up or not; it has the size that a hand has before a win.

    Source: RULES §7.5.
    """
    suit, honor = packed >> SUIT_AT, packed & ALL_HONORS
    # Given the hand's size, a whole half leaves exactly what the other half needs to become whole.
    marks = completing_honors[honor]
    if marks and suit not in SUIT_TABLE:
        marks = 0
    if honor in HONOR_TABLE:
        marks |= completing_suit[suit]
    if can_be_pairs:
        odd = packed & ODD
        if not odd & (odd - 1):  # six pairs and a single tile
            marks |= odd
    return marks


def waits_on_one(packed: Packed, can_be_pairs: bool) -> bool:
    """Whether a hand that waits does so on one kind alone; that is what the wait fans go by."""
    marks = waited_on(packed, can_be_pairs)
    return not marks & (marks - 1)


def _completing_suit(suit: Packed) -> Marks:
    return _completing(suit, SUIT_TABLE, SUIT_KINDS) << SUIT_AT


def _completing_honors(honor: Packed) -> Marks:
    return _completing(honor, HONOR_TABLE, len(HONORS))


def _completing(key: Packed, table: Table, digits: int) -> Marks:
    return sum([one for one in PACKED[-digits:] if key + one in table])


# By the key of a half, the kinds of 萬 or the honours one of which makes it whole.
completing_suit: Memo[Packed, Marks] = Memo(_completing_suit, 1 << 16)
completing_honors: Memo[Packed, Marks] = Memo(_completing_honors, 1 << 12)
