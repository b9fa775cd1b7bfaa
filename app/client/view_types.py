"""The ``view`` of a ``snap``. Source: docs/PROTOCOL.md §1.4."""

from __future__ import annotations

from typing import Literal

from app.client.event_types import OfSeat, Revealed, Settled, Voided, Won
from app.client.wire import Pair, Strict, Tiles, User


class RoomHead(Strict):
    id: str
    tier: str
    tier_name: str
    ruleset: str
    base: int
    private: bool
    practice: bool
    spectators: bool
    paused: str | None
    phase: Literal["waiting", "confirm", "playing", "closed"]


class SeatView(Strict):
    user: User
    coins: int
    points: int
    rank: str
    online: bool
    auto: bool


class MeldView(Strict):
    type: Literal["chow", "pung", "exposed_kong", "added_kong", "concealed_kong"]
    tiles: Tiles | None
    claimed: str | None


class DiscardView(Strict):
    tile: str
    from_draw: bool
    claimed: bool
    ready: bool


class HandView(Strict):
    count: int
    tiles: Tiles | None
    drawn: str | None
    melds: list[MeldView]
    flowers: Tiles
    discards: list[DiscardView]
    ready: Literal["ready", "heavenly"] | None


class LastTile(Strict):
    seat: int
    tile: str
    kind: Literal["discard", "kong"]


class Result(Strict, omit_defaults=True):
    """How a round ended: the data of its closing events."""

    won: Won | None = None
    exhausted: Literal[True] | bool | None = None
    forfeited: OfSeat | None = None
    voided: Voided | None = None
    settled: Settled | None = None
    revealed: Revealed | None = None


class RoundView(Strict):
    id: str
    number: int
    commitment: str
    shuffle: str
    base: int
    dealer: int
    prevalent: str
    seat_winds: tuple[str, str]
    phase: Literal["open_hand", "double", "opening", "turn", "reaction", "ended"]
    turn: int | None
    offer: Literal["open_hand", "double", "opening"] | None
    dice: Pair | None
    wall: int
    openers: list[int]
    doublers: list[int]
    multiplier: int
    hands: tuple[HandView, HandView]
    last: LastTile | None
    result: Result | None


class RoomView(Strict):
    room: RoomHead
    you: int | None
    seats: tuple[SeatView | None, SeatView | None]
    round: RoundView | None
