"""The data of every event, by kind. Source: PROTOCOL §3.4; docs/PROTOCOL.md §1.5."""

from __future__ import annotations

from typing import Literal

import msgspec

from app.client.wire import CountedFan, Pair, Strict, Tiles, User


class SeatTaken(Strict):
    seat: int
    user: User
    coins: int
    points: int
    rank: str


class SeatLeft(Strict):
    seat: int
    reason: Literal["left", "escaped", "not_confirmed", "absent", "coins", "removed"]


class OfSeat(Strict):
    seat: int


class AutoPlay(Strict):
    seat: int
    on: bool


class BaseChanged(Strict):
    base: int


class RoundStarted(Strict):
    round_id: str
    number: int
    shuffle: str
    commitment: str
    base: int
    dealer: int
    prevalent: str
    seat_winds: tuple[str, str]
    coins: Pair


class OfferOpened(Strict):
    offer: Literal["open_hand", "double", "opening"]


class OfferClosed(Strict):
    offer: Literal["open_hand", "double", "opening"]
    seats: list[int]
    multiplier: int


class Dealt(Strict):
    dealer: int
    dice: Pair
    hands: tuple[Tiles | None, Tiles | None]
    drawn: str | None
    wall: int


class Flower(Strict):
    seat: int
    tile: str
    replacement: str | None
    wall: int


class Drawn(Strict):
    seat: int
    tile: str | None
    wall: int
    replacement: bool


class Discarded(Strict):
    seat: int
    tile: str
    from_draw: bool


class ReadyDeclared(Strict):
    seat: int
    heavenly: bool


class Chow(Strict):
    seat: int
    tile: str
    tiles: Tiles


class OnTile(Strict):
    seat: int
    tile: str


class Kong(Strict):
    seat: int
    how: Literal["exposed", "concealed", "added"]
    tile: str | None


class Won(Strict, rename={"source": "from"}):
    seat: int
    source: int | None
    self_drawn: bool
    tile: str
    hand: Tiles
    fans: list[CountedFan]
    total: int
    multiplier: int


class Nothing(Strict):
    pass


class Paused(Strict):
    """``reason`` is null when rounds may start again."""

    reason: str | None


class Voided(Strict):
    reason: str
    coins: Pair


class Factors(Strict):
    open: int
    double: int
    ready: int


class Numbers(Strict):
    before: Pair
    after: Pair


class Titles(Strict):
    before: tuple[str, str]
    after: tuple[str, str]


class Settled(Strict):
    outcome: Literal["win", "draw", "forfeit"]
    winner: int | None
    total: int
    base: int
    multiplier: int
    factors: Factors
    amount: int
    capped: bool
    rake: int
    deltas: Pair
    coins: Numbers
    points: Numbers
    ranks: Titles


class Revealed(Strict):
    round_id: str
    hands: tuple[Tiles, Tiles]
    wall: Tiles
    shuffle: str
    secret: str
    nonce: str
    entropy: tuple[str, str]
    commitment: str


class RoomClosed(Strict):
    reason: str


EVENT_DATA: dict[str, type[msgspec.Struct]] = {
    "seat_taken": SeatTaken,
    "seat_left": SeatLeft,
    "online": OfSeat,
    "offline": OfSeat,
    "auto_play": AutoPlay,
    "base_changed": BaseChanged,
    "paused": Paused,
    "round_started": RoundStarted,
    "offer_opened": OfferOpened,
    "offer_closed": OfferClosed,
    "dealt": Dealt,
    "flower": Flower,
    "drawn": Drawn,
    "discarded": Discarded,
    "ready_declared": ReadyDeclared,
    "chow": Chow,
    "pung": OnTile,
    "kong": Kong,
    "kong_robbed": OnTile,
    "won": Won,
    "exhausted": Nothing,
    "forfeited": OfSeat,
    "voided": Voided,
    "settled": Settled,
    "revealed": Revealed,
    "room_closed": RoomClosed,
}
