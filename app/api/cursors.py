"""Cursors: where a list goes on, opaque to the client. Source: PROTOCOL §2."""

from __future__ import annotations

import base64
import json
from typing import Annotated, Any

from fastapi import Query

from app.api.errors import Refused

MAX_LENGTH = 200
INT64 = range(-(2**63), 2**63)

Cursor = Annotated[str | None, Query(max_length=MAX_LENGTH, description="`next` of the page before")]
Limit = Annotated[int, Query(ge=1, le=100)]


def cursor_of(*parts: str | int) -> str:
    """Text that :func:`parts_of` reads again.

    >>> parts_of(cursor_of("points", 26), "si")
    ('points', 26)
    """
    return base64.urlsafe_b64encode(json.dumps(parts, separators=(",", ":")).encode()).decode().rstrip("=")


def parts_of(cursor: str, kinds: str) -> tuple[Any, ...]:
    """The parts of a cursor; ``kinds`` has one letter each: ``s`` text, ``i`` a 64-bit number.

    Raises:
        Refused: it is none that :func:`cursor_of` made with these kinds.
    """
    try:
        padded = cursor.encode("ascii") + b"=" * (-len(cursor) % 4)
        parts = json.loads(base64.b64decode(padded, altchars=b"-_", validate=True))
    except (ValueError, RecursionError):
        raise bad_cursor() from None
    if not isinstance(parts, list) or len(parts) != len(kinds):
        raise bad_cursor()
    if not all(map(_fits, parts, kinds)):
        raise bad_cursor()
    return tuple(parts)


def _fits(part: object, kind: str) -> bool:
    if kind == "i":
        return type(part) is int and part in INT64
    return isinstance(part, str) and part.isascii() and part.isprintable()


def bad_cursor() -> Refused:
    return Refused("invalid", faults=[{"where": ["query", "cursor"], "what": "cursor"}])
