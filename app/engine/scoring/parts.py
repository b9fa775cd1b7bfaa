"""Every way to cut 萬 or honours into whole sets and at most one pair, as look-up tables.

A *key* is the packed counts of one half of the tiles. It is in the half's table exactly if its tiles can be
cut without remainder, so its size is 0 or 2 modulo 3 and the pair shows in the size alone: two such halves
make a winning hand if there are as many tiles as a hand has, and no pair is counted twice.

Keys go up to five copies of a kind. No real hand holds five, but a wait is tested without minding how many
copies there are. Source: RULES §6, §7.5.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from app.engine.scoring.codes import CHOW_CODES, PAIR_CODES, PUNG_CODES, SORTS, Code, Kinds
from app.engine.scoring.packed import PACKED, SUIT_AT, Packed, has_more_than
from app.rules.tiles import COPIES, PLAYABLE_KINDS, SUIT_KINDS, Tile, is_suited

SETS = 4  # in a whole hand
HAND_TILES = 14  # four sets and a pair, a kong taken for three
MOST_COPIES = COPIES + 1


@dataclass(frozen=True, slots=True)
class Half:
    """A half that can be cut: which sorts of tiles there are, the sum of the 萬 ranks.

    ``codes``: one per way to cut it; honours form no chows and have one way only.
    """

    sorts: Kinds
    ranks: int
    codes: tuple[Code, ...]


class Piece(NamedTuple):
    """Some sets and pairs: code, packed counts, sorts, sum of the 萬 ranks."""

    code: Code
    packed: Packed
    sorts: Kinds
    ranks: int

    def with_(self, other: Piece) -> Piece:
        return Piece(
            self.code + other.code,
            self.packed + other.packed,
            self.sorts | other.sorts,
            self.ranks + other.ranks,
        )


NOTHING = Piece(0, 0, 0, 0)
Table: TypeAlias = dict[Packed, Half]


def piece(code: Code, tiles: Sequence[Tile]) -> Piece:
    """``tiles`` as one set or pair with this code."""
    packed = sorts = ranks = 0
    for tile in tiles:
        packed += PACKED[tile]
        sorts |= SORTS[tile]
        ranks += tile + 1 if is_suited(tile) else 0
    return Piece(code, packed, sorts, ranks)


CHOWS = tuple(piece(code, range(low, low + 3)) for low, code in enumerate(CHOW_CODES))
PUNGS = tuple(piece(PUNG_CODES[tile], (tile,) * 3) for tile in range(PLAYABLE_KINDS))
PAIRS = tuple(piece(PAIR_CODES[tile], (tile,) * 2) for tile in range(PLAYABLE_KINDS))


def _table(sets: Sequence[Piece], pairs: Sequence[Piece]) -> Table:
    found: Table = {}
    for chosen in _choices(sets, 0, SETS, NOTHING):
        _enter(found, chosen)
        for pair in pairs:
            whole = chosen.with_(pair)
            if not has_more_than(whole.packed, MOST_COPIES):
                _enter(found, whole)
    return found


def _enter(found: Table, whole: Piece) -> None:
    code, packed, sorts, ranks = whole
    known = found.get(packed)
    found[packed] = Half(sorts, ranks, (*known.codes, code) if known else (code,))


def _choices(sets: Sequence[Piece], start: int, left: int, chosen: Piece) -> Iterator[Piece]:
    """Each multiset of at most ``left`` sets more than those ``chosen``."""
    yield chosen
    if left:
        for index in range(start, len(sets)):
            more = chosen.with_(sets[index])
            if not has_more_than(more.packed, MOST_COPIES):
                yield from _choices(sets, index, left - 1, more)


def build() -> tuple[Table, Table]:
    """What can be cut, 萬 and honours."""
    suit = _table((*CHOWS, *PUNGS[:SUIT_KINDS]), PAIRS[:SUIT_KINDS])
    honor = _table(PUNGS[SUIT_KINDS:], PAIRS[SUIT_KINDS:])
    return {packed >> SUIT_AT: half for packed, half in suit.items()}, honor


SUIT_TABLE, HONOR_TABLE = build()  # 0.1 s at the start, so that no game waits for it
