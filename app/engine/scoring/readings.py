"""Every way to read a winning hand, half by half.

Four sets and a pair fall apart into a half of 萬 and a half of honours that know nothing of each other. What
a half can be is looked up by its tiles and remembered; a reading of the hand is one reading of each half. Its
fans come from three things, each scored for itself in ``fan_table``:

* the *form*: which sets and pair there are (``forms``),
* the *placement*: what follows from where the winning tile stands in it,
* the *situation*: what is the same for every reading of the hand.

Source: RULES §7.1.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from app.engine.melds import Meld, MeldKind
from app.engine.scoring.codes import CHOW_CODES, PACKED, PUNG_CODES, Code, Packed
from app.engine.scoring.context import WinContext
from app.engine.scoring.parts import HAND_TILES, Key, Part, honor_parts, suit_parts
from app.rules.enums import pinned
from app.rules.tiles import SUIT_KINDS, Counts, Tile, parse_tiles, to_counts

NINE_GATES = to_counts(parse_tiles("1112345678999m"))
ELSEWHERE: Tile = -1  # the winning tile stands in the other half
_LAST_LOWEST = SUIT_KINDS - 3  # of a chow: 789
_NOT_WHOLE = -HAND_TILES  # a size that no other half can make good


@pinned
class Wait(IntEnum):
    """What the one kind a hand waited on did for its form. Source: RULES §7.5."""

    NONE = 0
    EDGE = 1  # 邊張
    CLOSED = 2  # 坎張
    SINGLE = 3  # 單釣將


Place: TypeAlias = tuple[bool, Wait]
"""A place of the winning tile: whether in a pung, which a discard opens; the wait if it is the only one."""


class HalfReading(NamedTuple):
    """One way to cut a half: its code, its number of pungs, the places of the winning tile in it."""

    code: Code
    pungs: int
    places: tuple[Place, ...]


class Half(NamedTuple):
    """A half with the winning tile: its readings, none if it cannot be cut, and what its tiles come to.

    ``size`` is their number, hopeless if the half cannot be cut; ``kinds`` one bit per kind, ``packed`` the
    counts, ``ranks`` the sum of the 萬 ranks.
    """

    size: int
    readings: tuple[HalfReading, ...]
    kinds: int
    packed: Packed
    ranks: int


class Placement(NamedTuple):
    """Where the winning tile stands: pungs that count as concealed (concealed kongs too), and the wait."""

    concealed_pungs: int
    wait: Wait


class Situation(NamedTuple):
    """The circumstances and what the melds alone say; ``exposed_sets`` counts kongs too."""

    context: WinContext
    exposed_sets: int
    concealed_kongs: int
    melded_kongs: int


class Laid(NamedTuple):
    """What a hand's melds come to, as in a half and in a situation; a kong is packed as a pung."""

    code: Code
    kinds: int
    packed: Packed
    ranks: int
    exposed_sets: int
    concealed_kongs: int
    melded_kongs: int


@lru_cache(maxsize=1 << 14)
def laid(melds: Sequence[Meld]) -> Laid:
    """The melds (a tuple, as they are remembered) summed up."""
    code = kinds = packed = ranks = concealed = melded = 0
    for meld in melds:
        kind, tile, _ = meld
        code += CHOW_CODES[tile] if kind is MeldKind.CHOW else PUNG_CODES[tile]
        concealed += kind is MeldKind.CONCEALED_KONG
        melded += kind is MeldKind.EXPOSED_KONG or kind is MeldKind.ADDED_KONG
        for other in meld.tiles:
            kinds |= 1 << other
            ranks += other + 1 if other < SUIT_KINDS else 0
        for other in meld.tiles[:3]:
            packed += PACKED[other]
    return Laid(code, kinds, packed, ranks, len(melds) - concealed, concealed, melded)


def halves(hand: Counts, win: Tile) -> tuple[Half, Half]:
    """萬 and honours of ``hand`` (concealed, without the winning tile) once the winning tile has come."""
    if win < SUIT_KINDS:
        with_win = (*hand[:win], hand[win] + 1, *hand[win + 1 : SUIT_KINDS])
        return suit_half(with_win, win), honor_half(hand[SUIT_KINDS:], ELSEWHERE)
    with_win = (*hand[SUIT_KINDS:win], hand[win] + 1, *hand[win + 1 :])
    return suit_half(hand[:SUIT_KINDS], ELSEWHERE), honor_half(with_win, win)


@lru_cache(maxsize=1 << 16)
def suit_half(key: Key, win: Tile) -> Half:
    """The half of 萬; ``key`` holds nine counts, ``win`` among them if it is 萬."""
    ranks = sum([rank * count for rank, count in enumerate(key, 1)])
    return _half(key, win, suit_parts().get(key, ()), 0, ranks)


@lru_cache(maxsize=1 << 13)
def honor_half(key: Key, win: Tile) -> Half:
    """The half of honours; ``key`` holds seven counts."""
    return _half(key, win, honor_parts().get(key, ()), SUIT_KINDS, 0)


def _half(key: Key, win: Tile, parts: tuple[Part, ...], lowest: Tile, ranks: int) -> Half:
    readings = tuple([HalfReading(part.code, len(part.pungs), _places(part, win)) for part in parts])
    kinds = packed = 0
    for tile, count in enumerate(key, lowest):
        if count:
            kinds |= 1 << tile
            packed += count * PACKED[tile]
    return Half(sum(key) if parts else _NOT_WHOLE, readings, kinds, packed, ranks)


def _places(part: Part, win: Tile) -> tuple[Place, ...]:
    """Every different place of the winning tile among a half's sets and pair; none if it is elsewhere.

    A discard placed in a pung opens that pung; placed elsewhere it leaves all pungs concealed.
    Source: RULES §7.6.
    """
    found: dict[Place, None] = {}
    if win in part.pungs:
        found[True, Wait.NONE] = None
    if win == part.pair != ELSEWHERE:
        found[False, Wait.SINGLE] = None
    for lowest in part.chows:
        if lowest <= win <= lowest + 2:
            found[False, _chow_wait(lowest, win)] = None
    return tuple(found)


def _chow_wait(lowest: Tile, win: Tile) -> Wait:
    if win == lowest + 1:
        return Wait.CLOSED
    is_edge = (lowest == 0 and win == 2) or (lowest == _LAST_LOWEST and win == lowest)
    return Wait.EDGE if is_edge else Wait.NONE
