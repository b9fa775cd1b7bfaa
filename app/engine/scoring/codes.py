"""The sets and the pair of a reading as one number, and the tiles of a hand as another.

A form's *code* is made so that it adds up: the codes of the parts that 萬 and honours are cut into, of the
melds and of the winds give the code of the whole. To add numbers and look one up is what makes the scorer
fast; predicates see nothing of it, they read a :class:`~app.engine.scoring.forms.Form`.

====== ==== ===================================================
bits   each holds
====== ==== ===================================================
0–20   3    how many chows start at each rank 1–7
21–36  1    a pung (or kong) of each kind
37–41  5    the pair's kind plus one, 0 while there is none
42–43  2    the seat's wind
44–45  2    the prevalent wind
46     1    九蓮: the tiles before the winning one were 1112345678999
47     1    there is a chow other than 123 and 789
====== ==== ===================================================

*Packed counts* hold three bits per kind, and add up as well.
"""

from __future__ import annotations

from typing import TypeAlias

from app.rules.tiles import COPIES, EAST, PLAYABLE_KINDS, SUIT_KINDS, WINDS, Tile

Code: TypeAlias = int
Packed: TypeAlias = int

CHOW_BITS = 3
PUNGS_AT = CHOW_BITS * (SUIT_KINDS - 2)
PAIR_AT = PUNGS_AT + PLAYABLE_KINDS
SEAT_AT = PAIR_AT + 5
PREVALENT_AT = SEAT_AT + 2

# One of each; the code of a form is their sum.
CHOW_CODES: tuple[Code, ...] = tuple(1 << CHOW_BITS * lowest for lowest in range(SUIT_KINDS - 2))
PUNG_CODES: tuple[Code, ...] = tuple(1 << PUNGS_AT + kind for kind in range(PLAYABLE_KINDS))
PAIR_CODES: tuple[Code, ...] = tuple(kind + 1 << PAIR_AT for kind in range(PLAYABLE_KINDS))
NINE_GATES_CODE: Code = 1 << PREVALENT_AT + 2
INNER_CHOW_CODE: Code = NINE_GATES_CODE << 1

# What is left of a code when it is to tell no more than this.
KIND_BITS = 0xFFFF
CHOWS: Code = (1 << PUNGS_AT) - 1
_PAIR = 31 << PAIR_AT
CHOWS_AND_PAIR: Code = CHOWS | _PAIR
PUNGS_AND_PAIR: Code = KIND_BITS << PUNGS_AT | _PAIR
INNER_CHOWS: Code = CHOWS & ~(7 * CHOW_CODES[0] | 7 * CHOW_CODES[-1])
WIND_PUNGS: Code = sum(PUNG_CODES[wind] for wind in WINDS)

PACKED: tuple[Packed, ...] = tuple(1 << 3 * kind for kind in range(PLAYABLE_KINDS))
_FOURS: Packed = COPIES * sum(PACKED)


def winds_code(seat_wind: Tile, prevalent_wind: Tile) -> Code:
    return (seat_wind - EAST << SEAT_AT) + (prevalent_wind - EAST << PREVALENT_AT)


def fours_in(packed: Packed) -> int:
    """How many kinds there are four of."""
    return (packed & _FOURS).bit_count()
