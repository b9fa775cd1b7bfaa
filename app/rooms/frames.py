"""Server frames of ``erma.v1``, encoded. Source: PROTOCOL §3; docs/PROTOCOL.md §1.2."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import orjson

from app.engine.events import Sees, redact
from app.engine.state import Seat
from app.rooms.model import Decision
from app.rooms.ports import EventRecord

PROTOCOL = "erma.v1"
RETRYABLE = frozenset({"rate_limited", "internal", "paused"})


def encode(name: str, fields: Mapping[str, Any]) -> bytes:
    return orjson.dumps({"m": name, **fields})


class EventFrames:
    """An event as its readers get it: the one way from the log to a socket.

    Each form of it is encoded once, however many read it: the whole one, and what is left for each ``sees``.
    """

    def __init__(self, event: EventRecord) -> None:
        self._event = event
        self._frames: dict[Sees | None, bytes] = {}

    def seen_by(self, sees: Sees) -> bytes:
        """The frame for a reader who sees these seats' concealed tiles."""
        event = self._event
        data = redact(event.kind, event.data, sees)
        form = None if data is event.data else sees
        if form not in self._frames:
            fields = {"seq": event.seq, "k": event.kind, "d": data, "t": event.at_ms}
            self._frames[form] = encode("ev", fields)
        return self._frames[form]


def ask_frame(seat: Seat, decision: Decision) -> bytes:
    return encode(
        "ask",
        {
            "dp": decision.dp,
            "seat": seat,
            "q": decision.question.value,
            "opts": [{"o": option.o, **option.data} for option in decision.options],
            "base_ms": decision.base_ms,
            "bank_ms": decision.bank_ms,
            "deadline_ms": decision.deadline_ms,
            **decision.extra,
        },
    )


def ack_frame(action_id: str, seq: int, *, dup: bool) -> bytes:
    return encode("ack", {"id": action_id, "seq": seq, "dup": dup})


def error_frame(code: str, **fields: Any) -> bytes:
    """An ``err``; fields that are None are left out."""
    known = {name: value for name, value in fields.items() if value is not None}
    return encode("err", {"code": code, "retry": code in RETRYABLE, **known})
