"""From rows back to the values the other floors speak of."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

import orjson
from sqlalchemy import Row

from app.rooms.ports import ActionRecord, EventRecord, RoomRecord, RoundRecord, RoundStatus
from app.rooms.tiers import Clocks, Tier

T = TypeVar("T")

# What comes of a stored value that is none of its kind: torn, or of another shape. The drivers' are others.
UNREADABLE = (ValueError, LookupError, TypeError, AttributeError)


def readable(text: str | None) -> Mapping[str, Any]:
    """What a JSON column holds, given as it is written; nothing if it is torn or no object."""
    try:
        value = orjson.loads(text or "null")
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def found(value: Any, *path: str, default: T) -> T:
    """What lies there in a stored value; the default unless something of its kind does.

    >>> found({"won": {"fan": 8}}, "won", "fan", default=0), found({"won": [8]}, "won", "fan", default=0)
    (8, 0)
    """
    for name in path:
        value = value.get(name) if isinstance(value, dict) else None
    return value if type(value) is type(default) else default


def tier_of(value: Mapping[str, Any]) -> Tier:
    """A tier from its stored value; clocks that are not in it stand at their defaults."""
    known = {name: value[name] for name in Tier.__dataclass_fields__ if name in value}
    times = {name: ms for name, ms in value["clocks"].items() if name in Clocks.__dataclass_fields__}
    return Tier(**known | {"clocks": Clocks(**times)})


def room_of(row: Row[Any]) -> RoomRecord:
    return RoomRecord(
        id=row.id,
        tier=tier_of(row.tier),
        base_stake=row.base_stake,
        private=row.private,
        invite=row.invite,
        phase=row.phase,
        seats=(row.seat0, row.seat1),
        seq=row.seq,
        state=row.state,
        commits=row.commits,
    )


def round_of(row: Row[Any]) -> RoundRecord:
    return RoundRecord(
        id=row.id,
        room_id=row.room_id,
        number=row.number,
        status=RoundStatus(row.status),
        ruleset=row.ruleset,
        ruleset_version=row.ruleset_version,
        record_version=row.record_version,
        options=row.options,
        base_stake=row.base_stake,
        players=(row.player0, row.player1),
        dealer=row.dealer,
        shuffle=row.shuffle,
        secret=row.secret,
        nonce=row.nonce,
        commitment=row.commitment,
        entropy=None if row.entropy0 is None else (row.entropy0, row.entropy1),
        result=row.result,
    )


def action_of(row: Row[Any]) -> ActionRecord:
    return ActionRecord(round_id=row.round_id, n=row.n, seat=row.seat, code=row.code, at_ms=row.at_ms)


def event_of(row: Row[Any]) -> EventRecord:
    return EventRecord(seq=row.seq, at_ms=row.at_ms, round_id=row.round_id, kind=row.kind, data=row.data)
