"""Tile kinds and their notation.

A tile is a small int, its *kind*; equal tiles are interchangeable, so no tile has an identity beyond it:

====== ======== ==========================
kinds  text     tiles
====== ======== ==========================
0–8    1m–9m    一萬 … 九萬, four of each
9–15   1z–7z    東 南 西 北 白 發 中, four of each
16–23  1f–8f    春 夏 秋 冬 梅 蘭 竹 菊, one of each
====== ======== ==========================

*Counts* are a tuple of :data:`PLAYABLE_KINDS` ints, one per kind 0–15, each 0–4.
Source: RULES §1.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TypeAlias

Tile: TypeAlias = int
Counts: TypeAlias = tuple[int, ...]

SUIT_KINDS = 9
PLAYABLE_KINDS = 16  # kinds that can stand in a hand; flowers never do
FLOWER_KINDS = 8
TILE_KINDS = PLAYABLE_KINDS + FLOWER_KINDS
COPIES = 4  # of each playable kind

EAST, SOUTH, WEST, NORTH, WHITE, GREEN, RED = range(9, 16)
WINDS = (EAST, SOUTH, WEST, NORTH)
DRAGONS = (WHITE, GREEN, RED)
HONORS = WINDS + DRAGONS
TERMINALS = (0, 8)
TERMINALS_AND_HONORS = TERMINALS + HONORS
FLOWERS = tuple(range(PLAYABLE_KINDS, TILE_KINDS))

TILE_NAMES: tuple[str, ...] = (
    tuple(f"{rank}m" for rank in range(1, 10))
    + tuple(f"{rank}z" for rank in range(1, 8))
    + tuple(f"{rank}f" for rank in range(1, 9))
)
TILE_BY_NAME: dict[str, Tile] = {name: kind for kind, name in enumerate(TILE_NAMES)}

_GROUP = re.compile(r"([0-9]+)([mzf])")
_COMPACT = re.compile(r"(?:[0-9]+[mzf])*")


class TileError(ValueError):
    """A text that names no tiles."""


def is_suited(tile: Tile) -> bool:
    """萬, that is ranks 1–9."""
    return tile < SUIT_KINDS


def is_flower(tile: Tile) -> bool:
    return tile >= PLAYABLE_KINDS


def parse_tile(text: str) -> Tile:
    """The kind named by one tile's text.

    Raises:
        TileError: ``text`` is not the name of exactly one tile.

    >>> parse_tile("9m"), parse_tile("1z"), parse_tile("8f")
    (8, 9, 23)
    """
    try:
        return TILE_BY_NAME[text]
    except (KeyError, TypeError):
        raise TileError(f"no such tile: {text!r}") from None


def parse_tiles(text: str) -> tuple[Tile, ...]:
    """Kinds in the order written, from the compact form (``""`` is no tiles).

    Raises:
        TileError: the text is not in the compact form, or names a tile that does not exist.

    >>> parse_tiles("123m11z")
    (0, 1, 2, 9, 9)
    """
    if not isinstance(text, str) or not _COMPACT.fullmatch(text):
        raise TileError(f"not in compact tile form: {text!r}")
    return tuple(parse_tile(rank + suit) for ranks, suit in _GROUP.findall(text) for rank in ranks)


def format_tiles(tiles: Iterable[Tile]) -> str:
    """The compact form, sorted by kind.

    >>> format_tiles((9, 0, 9, 2, 1))
    '123m11z'
    """
    groups: dict[str, str] = {}
    for tile in sorted(tiles):
        rank, suit = TILE_NAMES[tile][0], TILE_NAMES[tile][1]
        groups[suit] = groups.get(suit, "") + rank
    return "".join(ranks + suit for suit, ranks in groups.items())


def to_counts(tiles: Iterable[Tile]) -> Counts:
    """Counts of playable tiles; a flower raises IndexError (it never stands in a hand)."""
    counts = [0] * PLAYABLE_KINDS
    for tile in tiles:
        counts[tile] += 1
    return tuple(counts)


def from_counts(counts: Sequence[int]) -> tuple[Tile, ...]:
    """The tiles of ``counts``, sorted by kind."""
    return tuple(tile for tile, count in enumerate(counts) for _ in range(count))


def full_set(with_flowers: bool) -> tuple[Tile, ...]:
    """All 64 or 72 tiles, sorted by kind. Source: RULES §1."""
    playable = tuple(kind for kind in range(PLAYABLE_KINDS) for _ in range(COPIES))
    return playable + (FLOWERS if with_flowers else ())
