"""What the fans of a reading follow from beside its form and its tiles.

A reading cuts the concealed tiles into sets and pair and gives the winning tile a place in one of them. Its
fans come from four things, each scored for itself in ``fan_table``:

* the *form*: which sets and pair there are, melds among them (``forms``),
* the *content*: the tiles alone,
* the *placement*: what follows from where the winning tile stands in it,
* the *situation*: what is the same for every reading of the hand.

Source: RULES §7.1.
"""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple

from app.engine.scoring.codes import Code
from app.engine.scoring.context import WinContext
from app.engine.scoring.forms import form_of
from app.engine.scoring.laid import Lying
from app.rules.enums import pinned
from app.rules.tiles import SUIT_KINDS, Tile

_LAST_LOWEST = SUIT_KINDS - 3  # of a chow: 789


@pinned
class Wait(IntEnum):
    """What the one kind a hand waited on did for its form. Source: RULES §7.5."""

    NONE = 0
    EDGE = 1  # 邊張
    CLOSED = 2  # 坎張
    SINGLE = 3  # 單釣將


class Placement(NamedTuple):
    """Where the winning tile stands: pungs that count as concealed (concealed kongs too), and the wait."""

    concealed_pungs: int
    wait: Wait


class Situation(NamedTuple):
    """The circumstances and how the melds lie."""

    context: WinContext
    lying: Lying


def placements(read: Code, win: Tile, opened: bool, concealed_kongs: int) -> tuple[Placement, ...]:
    """Every different place of the winning tile among the concealed sets and pair, the waits taken as alone.

    ``read``: what ``codes.PLACES_READ`` leaves of the code of these. A discard (``opened``) placed in a pung
    opens that pung; placed elsewhere it leaves all pungs concealed. Source: RULES §7.6.
    """
    form = form_of(read)
    concealed = form.pungs_number + concealed_kongs
    found: dict[Placement, None] = {}
    if form.pungs:
        found[Placement(concealed - opened, Wait.NONE)] = None
    if form.pair == win:
        found[Placement(concealed, Wait.SINGLE)] = None
    for lowest in form.chows:
        found[Placement(concealed, _chow_wait(lowest, win))] = None
    return tuple(found)


def _chow_wait(lowest: Tile, win: Tile) -> Wait:
    if win == lowest + 1:
        return Wait.CLOSED
    is_edge = (lowest == 0 and win == 2) or (lowest == _LAST_LOWEST and win == lowest)
    return Wait.EDGE if is_edge else Wait.NONE
