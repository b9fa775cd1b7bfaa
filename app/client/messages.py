"""The server's frames of ``erma.v1`` as types: what docs/PROTOCOL.md describes, exactly and no more.

:func:`read_message` is strict: an unknown or missing field is an error. Tiles are texts, seats 0 and 1, times
epoch ms. Source: PROTOCOL §3; docs/PROTOCOL.md §1.
"""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

import msgspec

Tiles: TypeAlias = list[str]
Pair: TypeAlias = tuple[int, int]


class _Strict(msgspec.Struct, forbid_unknown_fields=True):
    pass


# --- parts -------------------------------------------------------------------------------------------------


class User(_Strict):
    id: str
    name: str


class CountedFan(_Strict):
    id: str
    zh: str
    value: int
    count: int


class Option(_Strict, omit_defaults=True):
    """One way to answer; which further fields there are follows from ``kind``."""

    o: str
    kind: Literal[
        "confirm",
        "open_hand",
        "keep_closed",
        "double",
        "no_double",
        "ready",
        "discard",
        "discard_ready",
        "chow",
        "pung",
        "kong",
        "win",
        "pass",
    ]
    tile: str | None = None
    tiles: Tiles | None = None
    how: Literal["exposed", "concealed", "added"] | None = None
    total: int | None = None
    fans: list[CountedFan] | None = None


class Wait(_Strict):
    wait: str
    unseen: int
    by_discard: int
    self_drawn: int


class Hint(_Strict):
    discard: str
    waits: list[Wait]


# --- the view ----------------------------------------------------------------------------------------------


class RoomHead(_Strict):
    id: str
    tier: str
    tier_name: str
    ruleset: str
    base: int
    private: bool
    phase: Literal["waiting", "confirm", "playing", "closed"]


class SeatView(_Strict):
    user: User
    coins: int
    points: int
    rank: str
    online: bool
    auto: bool


class MeldView(_Strict):
    type: Literal["chow", "pung", "exposed_kong", "added_kong", "concealed_kong"]
    tiles: Tiles | None
    claimed: str | None


class DiscardView(_Strict):
    tile: str
    from_draw: bool
    claimed: bool
    ready: bool


class HandView(_Strict):
    count: int
    tiles: Tiles | None
    drawn: str | None
    melds: list[MeldView]
    flowers: Tiles
    discards: list[DiscardView]
    ready: Literal["ready", "heavenly"] | None


class LastTile(_Strict):
    seat: int
    tile: str
    kind: Literal["discard", "kong"]


# --- events ------------------------------------------------------------------------------------------------


class SeatTaken(_Strict):
    seat: int
    user: User
    coins: int
    points: int
    rank: str


class SeatLeft(_Strict):
    seat: int
    reason: Literal["left", "escaped", "not_confirmed", "absent", "coins", "removed"]


class OfSeat(_Strict):
    seat: int


class AutoPlay(_Strict):
    seat: int
    on: bool


class BaseChanged(_Strict):
    base: int


class RoundStarted(_Strict):
    round_id: str
    number: int
    shuffle: str
    commitment: str
    base: int
    dealer: int
    prevalent: str
    seat_winds: tuple[str, str]
    coins: Pair


class OfferOpened(_Strict):
    offer: Literal["open_hand", "double", "opening"]


class OfferClosed(_Strict):
    offer: Literal["open_hand", "double", "opening"]
    seats: list[int]
    multiplier: int


class Dealt(_Strict):
    dealer: int
    dice: Pair
    hands: tuple[Tiles | None, Tiles | None]
    drawn: str | None
    wall: int


class Flower(_Strict):
    seat: int
    tile: str
    replacement: str | None
    wall: int


class Drawn(_Strict):
    seat: int
    tile: str | None
    wall: int
    replacement: bool


class Discarded(_Strict):
    seat: int
    tile: str
    from_draw: bool


class ReadyDeclared(_Strict):
    seat: int
    heavenly: bool


class Chow(_Strict):
    seat: int
    tile: str
    tiles: Tiles


class OnTile(_Strict):
    seat: int
    tile: str


class Kong(_Strict):
    seat: int
    how: Literal["exposed", "concealed", "added"]
    tile: str | None


class Won(_Strict, rename={"source": "from"}):
    seat: int
    source: int | None
    self_drawn: bool
    tile: str
    hand: Tiles
    fans: list[CountedFan]
    total: int
    multiplier: int


class Nothing(_Strict):
    pass


class Voided(_Strict):
    reason: str
    coins: Pair


class Factors(_Strict):
    open: int
    double: int
    ready: int


class Numbers(_Strict):
    before: Pair
    after: Pair


class Titles(_Strict):
    before: tuple[str, str]
    after: tuple[str, str]


class Settled(_Strict):
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


class Revealed(_Strict):
    round_id: str
    hands: tuple[Tiles, Tiles]
    wall: Tiles
    shuffle: str
    secret: str
    nonce: str
    entropy: tuple[str, str]
    commitment: str


class RoomClosed(_Strict):
    reason: str


EVENT_DATA: dict[str, type[msgspec.Struct]] = {
    "seat_taken": SeatTaken,
    "seat_left": SeatLeft,
    "online": OfSeat,
    "offline": OfSeat,
    "auto_play": AutoPlay,
    "base_changed": BaseChanged,
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


class Result(_Strict, omit_defaults=True):
    """How a round ended: the data of its closing events."""

    won: Won | None = None
    exhausted: Literal[True] | bool | None = None
    forfeited: OfSeat | None = None
    voided: Voided | None = None
    settled: Settled | None = None
    revealed: Revealed | None = None


class RoundView(_Strict):
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


class RoomView(_Strict):
    room: RoomHead
    you: int | None
    seats: tuple[SeatView | None, SeatView | None]
    round: RoundView | None


# --- messages ----------------------------------------------------------------------------------------------


class _Message(_Strict, tag_field="m"):
    pass


class Welcome(_Message, tag="welcome"):
    user: User
    room: str
    seat: int | None
    conn: int
    proto: str
    server_ms: int
    mode: Literal["play", "watch"]


class Snap(_Message, tag="snap"):
    seq: int
    round: str | None
    view: RoomView


class Ev(_Message, tag="ev"):
    """``d`` by ``k`` as in :data:`EVENT_DATA`."""

    seq: int
    k: str
    d: dict[str, Any]
    t: int


class Ask(_Message, tag="ask", omit_defaults=True):
    dp: int
    seat: int
    q: Literal["confirm", "open_hand", "double", "opening", "turn", "claim"]
    opts: list[Option]
    base_ms: int
    bank_ms: int
    deadline_ms: int
    hints: list[Hint] | None = None
    round_id: str | None = None
    base: int | None = None
    shuffle: str | None = None
    commitment: str | None = None


class Ack(_Message, tag="ack"):
    id: str
    seq: int
    dup: bool


class Err(_Message, tag="err", omit_defaults=True):
    code: str
    retry: bool
    id: str | None = None
    dp: int | None = None
    seq: int | None = None
    penalty: int | None = None


class Pong(_Message, tag="pong"):
    n: int
    t: float
    server_ms: int


class Said(_Message, tag="said"):
    seat: int
    phrase: str


Message: TypeAlias = Welcome | Snap | Ev | Ask | Ack | Err | Pong | Said

_DECODER = msgspec.json.Decoder(Message)


def read_message(frame: str | bytes) -> Message:
    """One server frame, strictly; an event's data is checked against its kind as well.

    Raises:
        msgspec.ValidationError: the frame is not what the protocol describes.
    """
    message = _DECODER.decode(frame)
    if isinstance(message, Ev):
        if message.k not in EVENT_DATA:
            raise msgspec.ValidationError(f"unknown event kind {message.k!r}")
        msgspec.convert(message.d, EVENT_DATA[message.k])
    return message
