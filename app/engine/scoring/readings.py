"""Every way to read a winning hand, split into the three things its fans depend on.

* a :class:`Form`: which sets and pair the tiles make, once per way to cut them,
* a :class:`Placement`: what follows from where the winning tile stands in that form,
* a :class:`Situation`: what is the same for every reading of the hand.

Forms and placements are small values that come up again and again, so what they score is remembered.
Source: RULES §7.1.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import IntEnum
from typing import NamedTuple

from app.engine.melds import Meld, MeldKind
from app.engine.scoring.context import WinContext
from app.engine.scoring.parts import HAND_TILES, NO_PAIR, Part, honor_parts, suit_parts
from app.engine.scoring.shapes import is_seven_pairs, shape_waits
from app.rules.tiles import SUIT_KINDS, Counts, Tile, parse_tiles, to_counts

NINE_GATES = to_counts(parse_tiles("1112345678999m"))
_LAST_LOWEST = SUIT_KINDS - 3  # of a chow: 789


class Wait(IntEnum):
    """What the one kind a hand waited on did for its form. Source: RULES §7.5."""

    NONE = 0
    EDGE = 1  # 邊張
    CLOSED = 2  # 坎張
    SINGLE = 3  # 單釣將


class Form(NamedTuple):
    """The sets of a reading, melds among them and kongs as pungs, with what else bears on their fans.

    ``chows`` are lowest kinds, ``pungs`` kinds, both sorted. ``pairs`` are the seven pairs, sorted, and then
    ``pair`` is NO_PAIR; else they are empty. ``kongs`` repeats those pungs that are kongs.
    ``is_nine_gates``: the 13 tiles before the winning one were 1112345678999.
    """

    chows: tuple[Tile, ...]
    pungs: tuple[Tile, ...]
    pair: Tile
    pairs: tuple[Tile, ...]
    kongs: tuple[Tile, ...]
    seat_wind: Tile
    prevalent_wind: Tile
    is_nine_gates: bool


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


def situation(melds: Sequence[Meld], context: WinContext) -> Situation:
    """The part that every reading shares."""
    concealed = sum(meld.kind is MeldKind.CONCEALED_KONG for meld in melds)
    kongs = sum(meld.kind.is_kong for meld in melds)
    return Situation(context, len(melds) - concealed, concealed, kongs - concealed)


def readings(
    hand: Counts, melds: Sequence[Meld], context: WinContext
) -> Iterator[tuple[Form, tuple[Placement, ...]]]:
    """Each form of ``hand`` (concealed, without the winning tile) with its distinct placements.

    Nothing comes if the tiles do not win.
    """
    win = context.win_tile
    counts = (*hand[:win], hand[win] + 1, *hand[win + 1 :])
    if not melds and is_seven_pairs(counts):
        pairs = tuple(tile for tile, count in enumerate(counts) for _ in range(count // 2))
        winds = context.seat_wind, context.prevalent_wind
        yield Form((), (), NO_PAIR, pairs, (), *winds, False), (Placement(0, Wait.NONE),)
    if sum(counts) == HAND_TILES - 3 * len(melds):
        yield from _readings_of_sets(hand, counts, melds, context)


def _readings_of_sets(
    hand: Counts, counts: Counts, melds: Sequence[Meld], context: WinContext
) -> Iterator[tuple[Form, tuple[Placement, ...]]]:
    chows = tuple(meld.tile for meld in melds if meld.kind is MeldKind.CHOW)
    pungs = tuple(meld.tile for meld in melds if meld.kind is not MeldKind.CHOW)
    kongs = tuple(sorted(meld.tile for meld in melds if meld.kind.is_kong))
    concealed_kongs = sum(meld.kind is MeldKind.CONCEALED_KONG for meld in melds)
    is_single = len(shape_waits(hand, len(melds))) == 1
    for part in _parts(counts):
        form = Form(
            chows=tuple(sorted(chows + part.chows)),
            pungs=tuple(sorted(pungs + part.pungs)),
            pair=part.pair,
            pairs=(),
            kongs=kongs,
            seat_wind=context.seat_wind,
            prevalent_wind=context.prevalent_wind,
            is_nine_gates=hand == NINE_GATES,
        )
        yield form, _placements(part, context, concealed_kongs, is_single)


def _parts(counts: Counts) -> Iterator[Part]:
    for suit in suit_parts().get(counts[:SUIT_KINDS], ()):
        for honor in honor_parts().get(counts[SUIT_KINDS:], ()):
            yield Part(suit.chows, suit.pungs + honor.pungs, max(suit.pair, honor.pair))


def _placements(
    part: Part, context: WinContext, concealed_kongs: int, is_single: bool
) -> tuple[Placement, ...]:
    """Every place the winning tile can have among the concealed sets and the pair.

    A discard placed in a pung opens that pung; placed elsewhere it leaves all pungs concealed.
    Source: RULES §7.6.
    """
    win = context.win_tile
    concealed = len(part.pungs) + concealed_kongs
    found: dict[Placement, None] = {}
    if win in part.pungs:
        found[Placement(concealed if context.self_drawn else concealed - 1, Wait.NONE)] = None
    if win == part.pair:
        found[Placement(concealed, Wait.SINGLE if is_single else Wait.NONE)] = None
    for lowest in part.chows:
        if lowest <= win <= lowest + 2:
            found[Placement(concealed, _chow_wait(lowest, win) if is_single else Wait.NONE)] = None
    return tuple(found)


def _chow_wait(lowest: Tile, win: Tile) -> Wait:
    if win == lowest + 1:
        return Wait.CLOSED
    is_edge = (lowest == 0 and win == 2) or (lowest == _LAST_LOWEST and win == lowest)
    return Wait.EDGE if is_edge else Wait.NONE
