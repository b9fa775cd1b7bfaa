"""How far a hand is from winning. Source: RULES §6.

*Shanten* is the number of tiles that must still be exchanged before the hand is ready: 0 is ready, -1 wins.
Each half of the tiles, 萬 and honours, is cut into blocks on its own: whole sets, halves of sets (two tiles
that a third completes) and at most one pair.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import TypeAlias

from app.rules.tiles import SUIT_KINDS, Counts

Key: TypeAlias = tuple[int, ...]
Blocks: TypeAlias = tuple[int, int, int]  # whole sets, halves, pairs (0 or 1)

SETS = 4
PAIRS = 7


def shanten(counts: Counts, melds_count: int) -> int:
    """Exchanges to a ready hand; ``counts`` are the concealed tiles, with or without the one just drawn.

    >>> from app.rules.tiles import parse_tiles, to_counts
    >>> [shanten(to_counts(parse_tiles(hand)), 0) for hand in ("123456789m11z22z3z", "11223344556677m")]
    [0, -1]
    """
    wanted = SETS - melds_count
    suit, honors = counts[:SUIT_KINDS], counts[SUIT_KINDS:]
    best = min(
        _distance(wanted, ours, theirs)
        for ours in blocks(suit, is_suit=True)
        for theirs in blocks(honors, is_suit=False)
    )
    if melds_count:
        return best
    return min(best, PAIRS - 1 - sum(count // 2 for count in counts))


def _distance(wanted: int, first: Blocks, second: Blocks) -> int:
    """With ``wanted`` sets and a pair to be made from the blocks of both halves."""
    missing = max(0, wanted - first[0] - second[0])
    halves = min(first[1] + second[1], missing)
    spare_pairs = first[2] + second[2]
    pair = min(spare_pairs, 1)
    halves = min(halves + spare_pairs - pair, missing)  # a second pair waits for its third tile
    return 2 * missing - halves - pair


@lru_cache(maxsize=1 << 16)
def blocks(key: Key, *, is_suit: bool) -> tuple[Blocks, ...]:
    """Every best way to cut a half: no other has as many sets, pairs and halves at once."""
    place = next((place for place, count in enumerate(key) if count), None)
    if place is None:
        return ((0, 0, 0),)
    found: dict[tuple[int, int], int] = {}
    for (sets, halves, pair), rest in _first_blocks(key, place, is_suit):
        for more_sets, more_halves, more_pairs in blocks(rest, is_suit=is_suit):
            if pair + more_pairs <= 1:
                kind = (sets + more_sets, pair + more_pairs)
                found[kind] = max(found.get(kind, 0), halves + more_halves)
    return tuple((sets, halves, pair) for (sets, pair), halves in found.items())


def _first_blocks(key: Key, place: int, is_suit: bool) -> Iterator[tuple[Blocks, Key]]:
    """What the lowest tile can be part of, and what that leaves."""
    yield (0, 0, 0), _without(key, place)
    if key[place] >= 3:
        yield (1, 0, 0), _without(key, place, place, place)
    if key[place] >= 2:
        yield (0, 1, 0), _without(key, place, place)
        yield (0, 0, 1), _without(key, place, place)
    if not is_suit:
        return
    near, far = place + 1 < len(key) and key[place + 1], place + 2 < len(key) and key[place + 2]
    if near and far:
        yield (1, 0, 0), _without(key, place, place + 1, place + 2)
    if near:
        yield (0, 1, 0), _without(key, place, place + 1)
    if far:
        yield (0, 1, 0), _without(key, place, place + 2)


def _without(key: Key, *places: int) -> Key:
    left = list(key)
    for place in places:
        left[place] -= 1
    return tuple(left)
