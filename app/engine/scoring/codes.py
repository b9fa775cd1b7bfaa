"""The sets and the pair of a reading as one number, and the tiles of a hand as another.

A form's *code* is made so that it adds up: the codes of the parts that 萬 and honours are cut into, of the
melds and of what else a form knows give the code of the whole. To add numbers and look one up is what makes
the scorer fast; predicates see nothing of it, they read a :class:`~app.engine.scoring.forms.Form`.

====== ==== ===================================================
bits   each holds
====== ==== ===================================================
0–20   3    how many chows start at each rank 1–7
21–36  1    a pung (or kong) of each kind
37–52  1    a pair of each kind
53     1    the pair is 萬
54–56  3    how many sets and pairs hold neither terminal nor honour
57–58  2    the seat's wind
59–60  2    the prevalent wind
61     1    九蓮: the tiles before the winning one were 1112345678999
62–64  3    how many pungs there are
====== ==== ===================================================

*Packed counts* are the counts as the digits of a number of base 256, honours last; they add up as well.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias

from app.rules.tiles import (
    EAST,
    HONORS,
    PLAYABLE_KINDS,
    SUIT_KINDS,
    TERMINALS,
    TERMINALS_AND_HONORS,
    WINDS,
    Tile,
    is_suited,
)

Code: TypeAlias = int
Packed: TypeAlias = int
Kinds: TypeAlias = int
"""One bit per kind."""

CHOW_BITS = 3
PUNGS_AT = CHOW_BITS * (SUIT_KINDS - 2)
PAIRS_AT = PUNGS_AT + PLAYABLE_KINDS
SUITED_PAIR: Code = 1 << PAIRS_AT + PLAYABLE_KINDS
INNER_AT = PAIRS_AT + PLAYABLE_KINDS + 1
SEAT_AT = INNER_AT + 3
PREVALENT_AT = SEAT_AT + 2
NINE_GATES_CODE: Code = 1 << PREVALENT_AT + 2

PUNGS_NUMBER_AT = PREVALENT_AT + 3

_INNER: Code = 1 << INNER_AT


def _inner(*tiles: Tile) -> Code:
    return 0 if any(tile in TERMINALS_AND_HONORS for tile in tiles) else _INNER


# One of each; the code of a form is their sum.
CHOW_CODES: tuple[Code, ...] = tuple(
    (1 << CHOW_BITS * low) + _inner(low, low + 2) for low in range(SUIT_KINDS - 2)
)
PUNG_CODES: tuple[Code, ...] = tuple(
    (1 << PUNGS_AT + kind) + _inner(kind) + (1 << PUNGS_NUMBER_AT) for kind in range(PLAYABLE_KINDS)
)
PAIR_CODES: tuple[Code, ...] = tuple(
    (1 << PAIRS_AT + kind) + is_suited(kind) * SUITED_PAIR + _inner(kind) for kind in range(PLAYABLE_KINDS)
)


def _bits(kinds: Iterable[Tile], start: int = 0) -> int:
    return sum(1 << start + kind for kind in kinds)


# What is left of a code when it is to tell no more than this.
KIND_BITS: Kinds = (1 << PLAYABLE_KINDS) - 1
CHOWS: Code = (1 << PUNGS_AT) - 1
PUNGS: Code = KIND_BITS << PUNGS_AT
PAIRS: Code = KIND_BITS << PAIRS_AT
WIND_PUNGS: Code = _bits(WINDS, PUNGS_AT)

# What the fans of each group in ``form_fans`` read of a code.
_RANK_5 = 4
CHOW_FANS_READ: Code = CHOWS | SUITED_PAIR | 1 << PAIRS_AT + _RANK_5
RANK_FANS_READ: Code = _bits(range(SUIT_KINDS), PUNGS_AT) | _bits(range(SUIT_KINDS), PAIRS_AT) | 7 << INNER_AT
HONOR_FANS_READ: Code = (
    _bits(TERMINALS_AND_HONORS, PUNGS_AT) | _bits(HONORS, PAIRS_AT) | 15 << SEAT_AT | NINE_GATES_CODE
)

_NEAR = tuple(range(max(0, tile - 2), min(tile, SUIT_KINDS - 3) + 1) for tile in range(PLAYABLE_KINDS))
PLACES_READ: tuple[Code, ...] = tuple(
    sum(7 << CHOW_BITS * low for low in lows)
    | 1 << PUNGS_AT + tile
    | 1 << PAIRS_AT + tile
    | 7 << PUNGS_NUMBER_AT
    for tile, lows in enumerate(_NEAR)
)
"""By kind of the winning tile: the sets and the pair that can hold it, and how many pungs there are."""


def winds_code(seat_wind: Tile, prevalent_wind: Tile) -> Code:
    return (seat_wind - EAST << SEAT_AT) + (prevalent_wind - EAST << PREVALENT_AT)


# Kinds that the fans of the content tell apart only as these, one for all alike; seven pairs are looked at
# kind by kind.
_ALIKE = ({TERMINALS[0]}, set(range(1, _RANK_5)), {_RANK_5}, set(range(_RANK_5 + 1, 8)), {8}, set(HONORS))
SORTS: tuple[Kinds, ...] = tuple(
    next(1 << min(alike) for alike in _ALIKE if kind in alike) for kind in range(PLAYABLE_KINDS)
)
"""By kind: the bit of the first kind that is alike."""

SUIT_AT = 8 * len(HONORS)
ALL_HONORS: Packed = (1 << SUIT_AT) - 1
PACKED: tuple[Packed, ...] = tuple(1 << 8 * kind for kind in reversed(range(PLAYABLE_KINDS)))
SIZE_OF = 255
"""The remainder by it is the number of tiles, as 256 leaves 1: ``packed % SIZE_OF``."""
_ONES: Packed = sum(PACKED)
ODD: Packed = _ONES
FOURS: Packed = 4 * _ONES


pack: Callable[[Sequence[int]], Packed] = int.from_bytes


def has_more_than(packed: Packed, copies: int) -> bool:
    """Whether there are more than ``copies`` (far below 128) of some kind."""
    return bool(packed + (127 - copies) * _ONES & 128 * _ONES)


def kinds_in(packed: Packed) -> Kinds:
    """Which kinds there are any of."""
    return _bits(kind for kind, one in enumerate(PACKED) if packed & 7 * one)
