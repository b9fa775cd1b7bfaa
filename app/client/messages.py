"""The server's frames of ``erma.v1`` as types: what docs/PROTOCOL.md describes, exactly and no more.

:func:`read_message` is strict: an unknown or missing field is an error. Tiles are texts, seats 0 and 1, times
epoch ms. Source: PROTOCOL §3; docs/PROTOCOL.md §1.
"""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

import msgspec

from app.client.event_types import EVENT_DATA
from app.client.view_types import RoomView
from app.client.wire import CountedFan, Strict, Tiles, User


class Option(Strict, omit_defaults=True):
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


class Wait(Strict):
    wait: str
    unseen: int
    by_discard: int
    self_drawn: int


class Hint(Strict):
    discard: str
    waits: list[Wait]


class _Message(Strict, tag_field="m"):
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


class Said(_Message, tag="said", omit_defaults=True):
    seat: int
    phrase: str | None = None
    text: str | None = None


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
