"""The sets and the pair of a reading as one number.

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
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

from app.rules.tiles import (
    EAST,
    HONORS,
    PLAYABLE_KINDS,
    SUIT_KINDS,
    TERMINALS_AND_HONORS,
    WINDS,
    Tile,
    is_suited,
)

Code: TypeAlias = int
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


def bits(kinds: Iterable[Tile], start: int = 0) -> Kinds:
    """One bit for each of the kinds, from ``start`` up."""
    return sum(1 << start + kind for kind in kinds)


# What is left of a code when it is to tell no more than this.
KIND_BITS: Kinds = (1 << PLAYABLE_KINDS) - 1
CHOWS: Code = (1 << PUNGS_AT) - 1
WIND_PUNGS: Code = bits(WINDS, PUNGS_AT)

# What the fans of each group in ``form_fans`` read of a code.
_RANK_5 = 4
CHOW_FANS_READ: Code = CHOWS | SUITED_PAIR | 1 << PAIRS_AT + _RANK_5
RANK_FANS_READ: Code = bits(range(SUIT_KINDS), PUNGS_AT) | bits(range(SUIT_KINDS), PAIRS_AT) | 7 << INNER_AT
HONOR_FANS_READ: Code = (
    bits(TERMINALS_AND_HONORS, PUNGS_AT) | bits(HONORS, PAIRS_AT) | 15 << SEAT_AT | NINE_GATES_CODE
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


# The fans of the content tell no kinds apart that are alike; only those of seven pairs do.
_ALIKE = ((0,), (1, 2, 3), (_RANK_5,), (5, 6, 7), (8,), HONORS)
SORTS: tuple[Kinds, ...] = tuple(1 << alike[0] for alike in _ALIKE for _ in alike)
"""By kind: the bit of the first kind that is alike."""
