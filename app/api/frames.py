"""Client frames of ``erma.v1``, strictly read. Source: PROTOCOL §3; docs/PROTOCOL.md §1.1."""

from __future__ import annotations

from typing import Annotated, TypeAlias

import msgspec
from msgspec import Meta

MAX_FRAME_BYTES = 4096

# no control characters: not every database stores them
ActionId: TypeAlias = Annotated[str, Meta(min_length=1, max_length=64, pattern=r"^[^\x00-\x1f\x7f]+$(?!\n)")]
Number: TypeAlias = Annotated[int, Meta(ge=0, le=2**53)]
Echo: TypeAlias = Annotated[float, Meta(ge=-(2**53), le=2**53)] | Annotated[int, Meta(ge=-(2**53), le=2**53)]
EntropyHex: TypeAlias = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}$(?!\n)")]


class _Frame(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="m"):
    pass


class ResumeFrom(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    round: Annotated[str, Meta(max_length=64)]
    seq: Number


class Hello(_Frame, frozen=True, tag="hello"):
    ticket: Annotated[str, Meta(max_length=128)]
    resume: ResumeFrom | None = None


class Act(_Frame, frozen=True, tag="act"):
    id: ActionId
    dp: Number
    o: Annotated[str, Meta(max_length=16)]
    entropy: EntropyHex | None = None


class Auto(_Frame, frozen=True, tag="auto"):
    id: ActionId
    on: bool


class Sync(_Frame, frozen=True, tag="sync"):
    pass


class Ping(_Frame, frozen=True, tag="ping"):
    n: Number
    t: Echo  # the client's own clock


class Say(_Frame, frozen=True, tag="say"):
    """A phrase of the list, or a text where the house allows one."""

    phrase: Annotated[str, Meta(max_length=32)] | None = None
    text: Annotated[str, Meta(max_length=240)] | None = None


class Leave(_Frame, frozen=True, tag="leave"):
    id: ActionId
    force: bool = False
    penalty_seen: Number | None = None


ClientFrame: TypeAlias = Hello | Act | Auto | Sync | Ping | Say | Leave

_DECODER = msgspec.json.Decoder(ClientFrame)
_ANY = msgspec.json.Decoder(dict[str, object])


class FrameError(ValueError):
    """``code`` is bad_frame (no JSON object) or bad_schema (an object that is none of the messages)."""

    def __init__(self, code: str, action_id: str | None = None) -> None:
        super().__init__(code)
        self.code = code
        self.action_id = action_id


def read_frame(raw: str | bytes) -> ClientFrame:
    """One client frame.

    Raises:
        FrameError: what is wrong with it; ``action_id`` is its id where it has a usable one.
    """
    try:
        return _DECODER.decode(raw)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        pass
    try:
        fields = _ANY.decode(raw)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise FrameError("bad_frame") from None
    action_id = fields.get("id")
    usable = isinstance(action_id, str) and 1 <= len(action_id) <= 64
    raise FrameError("bad_schema", str(action_id) if usable else None)
