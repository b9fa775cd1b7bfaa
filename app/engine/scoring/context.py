"""How a hand was won: all that the fans need to know beside the tiles."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from app.rules.enums import pinned
from app.rules.tiles import EAST, SOUTH, Tile


@pinned
class Opening(StrEnum):
    """A win before the game has got under way. Source: RULES §7.10."""

    HEAVENLY = "heavenly"  # 天和: the dealer on the deal
    EARTHLY = "earthly"  # 地和: the other on his first drawn tile
    HUMANLY = "humanly"  # 人和: the other on the dealer's first discard


class WinContext(NamedTuple):
    """The circumstances of a win, trusted as they come; ``validate_win`` judges them.

    ``flowers`` lie open before the winner. ``last_wall_tile``: the wall is empty. ``heavenly_ready``
    implies ``ready``. ``last_of_kind``: the other three copies of ``win_tile`` lie open.
    Source: RULES §5, §7.8–§7.11.
    """

    win_tile: Tile
    self_drawn: bool
    seat_wind: Tile = SOUTH
    prevalent_wind: Tile = EAST
    flowers: tuple[Tile, ...] = ()
    ready: bool = False
    heavenly_ready: bool = False
    opening: Opening | None = None
    last_wall_tile: bool = False
    kong_replacement: bool = False
    robbing_kong: bool = False
    last_of_kind: bool = False
