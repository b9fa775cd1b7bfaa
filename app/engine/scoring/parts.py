"""Every way to cut 萬 or honours into whole sets and at most one pair, as look-up tables.

A *key* is the slice of the counts that belongs to one half of the tiles: nine ints for 萬, seven for
honours. A key is in a table exactly if its tiles can be cut without remainder, so its size is 0 or 2
modulo 3 and the pair shows in the size alone: two halves make a winning hand when their sizes add up to
the hand's, and no pair is counted twice.

Keys go up to five copies of a kind. No real hand holds five, but a wait is tested without minding how many
copies there are. Source: RULES §6, §7.5.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from typing import NamedTuple, TypeAlias

from app.engine.scoring.codes import CHOW_CODES, PAIR_CODES, PUNG_CODES, Code
from app.rules.tiles import COPIES, HONORS, PLAYABLE_KINDS, SUIT_KINDS, Tile

Key: TypeAlias = tuple[int, ...]

NO_PAIR: Tile = -1
SETS = 4  # in a whole hand
HAND_TILES = 14  # four sets and a pair, a kong taken for three
MOST_COPIES = COPIES + 1


class Part(NamedTuple):
    """One way to cut a key: lowest kinds of its chows, kinds of its pungs, both sorted; NO_PAIR for none."""

    chows: tuple[Tile, ...]
    pungs: tuple[Tile, ...]
    pair: Tile
    code: Code


@cache
def suit_parts() -> dict[Key, tuple[Part, ...]]:
    """萬 keys → their parts; 0.1 s the first time."""
    return _parts(range(SUIT_KINDS), range(SUIT_KINDS - 2))


@cache
def honor_parts() -> dict[Key, tuple[Part, ...]]:
    """Honour keys → their parts (never more than one: honours form no chows)."""
    return _parts(HONORS, ())


@cache
def part_sizes() -> tuple[dict[Key, int], dict[Key, int]]:
    """Numbers of tiles per key that can be cut: 萬, honours."""
    suit, honor = ({key: sum(key) for key in parts} for parts in (suit_parts(), honor_parts()))
    return suit, honor


def _parts(kinds: Iterable[Tile], lowest_of_chows: Iterable[Tile]) -> dict[Key, tuple[Part, ...]]:
    kinds = tuple(kinds)
    sets = tuple((tile, tile + 1, tile + 2) for tile in lowest_of_chows) + tuple(
        (tile,) * 3 for tile in kinds
    )
    found: dict[Key, list[Part]] = {}
    for chosen, counts in _choices(sets, [0] * PLAYABLE_KINDS, 0, SETS):
        chows = tuple(tiles[0] for tiles in chosen if tiles[0] != tiles[1])
        pungs = tuple(tiles[0] for tiles in chosen if tiles[0] == tiles[1])
        key = tuple(counts[kinds[0] : kinds[-1] + 1])
        code = sum([CHOW_CODES[low] for low in chows]) + sum([PUNG_CODES[tile] for tile in pungs])
        found.setdefault(key, []).append(Part(chows, pungs, NO_PAIR, code))
        for place, tile in enumerate(kinds):
            if key[place] + 2 <= MOST_COPIES:
                with_pair = (*key[:place], key[place] + 2, *key[place + 1 :])
                found.setdefault(with_pair, []).append(Part(chows, pungs, tile, code + PAIR_CODES[tile]))
    return {key: tuple(parts) for key, parts in found.items()}


def _choices(
    sets: tuple[tuple[Tile, ...], ...], counts: list[int], start: int, left: int
) -> Iterator[tuple[tuple[tuple[Tile, ...], ...], list[int]]]:
    """Each multiset of at most ``left`` sets with its counts, which the caller must copy before going on."""
    yield (), counts
    if not left:
        return
    for index in range(start, len(sets)):
        tiles = sets[index]
        for tile in tiles:
            counts[tile] += 1
        if all(counts[tile] <= MOST_COPIES for tile in tiles):
            for rest, total in _choices(sets, counts, index, left - 1):
                yield (tiles, *rest), total
        for tile in tiles:
            counts[tile] -= 1
