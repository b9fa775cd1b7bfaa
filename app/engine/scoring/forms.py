"""What the predicates of fans read: the sets and the pair of a reading, and the tiles of the hand."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from app.engine.scoring.codes import (
    CHOW_BITS,
    CHOWS,
    INNER_AT,
    KIND_BITS,
    NINE_GATES_CODE,
    PAIRS_AT,
    PREVALENT_AT,
    PUNGS_AT,
    PUNGS_NUMBER_AT,
    SEAT_AT,
    SUITED_PAIR,
    Code,
    Kinds,
)
from app.rules.tiles import EAST, PLAYABLE_KINDS, SUIT_KINDS, Tile


class Form(NamedTuple):
    """Four sets, melds among them and kongs as pungs, and a pair.

    ``chows`` are lowest kinds, ``pungs`` kinds, both sorted; ``pair`` is -1 where its kind is not told.
    ``inner``: how many of them hold neither a terminal nor an honour. ``is_nine_gates``: the 13 tiles before
    the winning one were 1112345678999. ``pungs_number`` is known also where not all of ``pungs`` are told.
    """

    chows: tuple[Tile, ...]
    pungs: tuple[Tile, ...]
    pair: Tile
    is_pair_suited: bool
    inner: int
    seat_wind: Tile
    prevalent_wind: Tile
    is_nine_gates: bool
    pungs_number: int


class Content(NamedTuple):
    """The tiles of a hand, melds and winning tile included, and whether they are read as seven pairs.

    ``kinds`` of four sets and a pair stand for all that are alike (``codes.SORTS``). ``fours``: how many
    kinds all four are held of, not konged. ``ranks``: the sum of all 萬 ranks, a kong with all four tiles; 0
    if it is too small for any fan.
    """

    kinds: frozenset[Tile]
    fours: int
    ranks: int
    is_pairs: bool


def form_of(code: Code) -> Form:
    """The form with this code, or as much of it as the code tells."""
    return Form(
        chows=_lows(code & CHOWS),
        pungs=kinds_of(code >> PUNGS_AT & KIND_BITS),
        pair=(code >> PAIRS_AT & KIND_BITS).bit_length() - 1,
        is_pair_suited=bool(code & SUITED_PAIR),
        inner=code >> INNER_AT & 7,
        seat_wind=EAST + (code >> SEAT_AT & 3),
        prevalent_wind=EAST + (code >> PREVALENT_AT & 3),
        is_nine_gates=bool(code & NINE_GATES_CODE),
        pungs_number=code >> PUNGS_NUMBER_AT & 7,
    )


@lru_cache(maxsize=1 << 14)
def kinds_of(bits: Kinds) -> tuple[Tile, ...]:
    """The kinds whose bits are set, sorted."""
    return tuple(kind for kind in range(PLAYABLE_KINDS) if bits >> kind & 1)


@lru_cache(maxsize=1 << 10)
def _lows(bits: int) -> tuple[Tile, ...]:
    """The lowest kinds of chows, sorted."""
    counts = [bits >> CHOW_BITS * lowest & 7 for lowest in range(SUIT_KINDS - 2)]
    return tuple(lowest for lowest, count in enumerate(counts) for _ in range(count))
