"""Writing the batches of many rooms, statement by statement, inside the caller's transaction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from functools import lru_cache
from operator import attrgetter
from typing import Any
from zoneinfo import ZoneInfo

from sqlalchemy import Connection, bindparam, select
from sqlalchemy.exc import IntegrityError

from app.economy.periods import day_of
from app.rooms.faults import reach
from app.rooms.ports import (
    AlreadyAnswered,
    AlreadySettled,
    BalanceMoved,
    Batch,
    ResultRecord,
    RoomRecord,
    RoundRecord,
    RoundStatus,
    StoreError,
)
from app.rooms.tiers import Tier
from app.store.audit_log import write_changes
from app.store.bulk import Bulk, Inserts, Row, Updates, write_together
from app.store.faults import is_taken
from app.store.ledger import write_postings
from app.store.models import ActionRow, AnswerRow, EventRow, ResultRow, RoomRow, RoundRow, UserRow
from app.store.standings import add_results

# A room's head in two parts: the terms it is played on, which few batches change, and what all of them do.
ROOM_TERMS = ("tier_id", "tier", "base_stake", "private", "invite")
ROOM_STATE = ("phase", "seat0", "seat1", "seq", "state", "updated_ms")
_ROUND_STATE = (
    "number",
    "status",
    "ruleset",
    "ruleset_version",
    "record_version",
    "options",
    "base_stake",
    "player0",
    "player1",
    "dealer",
    "shuffle",
    "secret",
    "nonce",
    "commitment",
    "entropy0",
    "entropy1",
    "result",
)
_ACTIONS = Inserts(ActionRow, ("round_id", "n", "seat", "code", "at_ms"))
_ANSWERS = Inserts(AnswerRow, ("room_id", "user_id", "action_id", "digest", "seq", "at_ms"))
_EVENTS = Inserts(EventRow, ("room_id", "seq", "at_ms", "round_id", "kind", "data"))
_RESULT = tuple(ResultRecord.__dataclass_fields__)
_VALUES = attrgetter(*_RESULT)
_RESULTS = Inserts(ResultRow, (*_RESULT, "at_ms"))
_ROOMS = Updates(RoomRow, ("id", *ROOM_TERMS, *ROOM_STATE))
_ROOM_STATES = Updates(RoomRow, ("id", *ROOM_STATE))
_ROUNDS = Inserts(
    RoundRow,
    ("id", "room_id", *_ROUND_STATE, "created_ms", "ended_ms"),
    replaced=_ROUND_STATE,
    settled=("ended_ms",),
)
_POINTS = Updates(UserRow, ("id", "points"))
_LOCK_POINTS = (
    select(UserRow.id, UserRow.points)
    .where(UserRow.id.in_(bindparam("users", expanding=True)))
    .order_by(UserRow.id)
    .with_for_update(key_share=True)
)
_LIVE = (RoundStatus.PROPOSED, RoundStatus.RUNNING)


def write_batches(connection: Connection, batches: Sequence[Batch], zone: ZoneInfo) -> None:
    """Write everything in the batches, each of another room; ``zone`` says whose day a round's end is.

    Each statement writes the rows of all batches. What several rooms share is locked in one order, whoever
    writes which batches together: players, purses, standings, each by id.

    Raises:
        BalanceMoved, AlreadyAnswered, AlreadySettled, StoreError: of one of them; none must be committed.
    """
    points = _lock_points(connection, batches)
    postings = [(posting, b.at_ms) for b in batches for posting in b.postings]
    write_postings(connection, postings, [each for b in batches for each in b.held.items()])
    reach("mid_settlement", when=bool(points))
    _write_results(connection, batches, points, zone)
    _write_logs(connection, batches)
    write_changes(connection, [change for b in batches for change in b.changes])


def _write_logs(connection: Connection, batches: Sequence[Batch]) -> None:
    """What every batch brings: the answer, where room and round stand, what was done and what happened."""
    rounds = [(record, batch.at_ms) for batch in batches for record in batch.rounds]
    # a proposal that ends makes way for the next one of the same batch
    rounds.sort(key=lambda each: each[0].status in _LIVE)
    states = {b.room.id: room_state(b.room, b.at_ms) for b in batches}
    parts: list[tuple[Bulk, Sequence[Row]]] = [
        (_ANSWERS, [(b.room.id, *answer, b.at_ms) for b in batches for answer in b.answers]),
        (_ROOMS, [(b.room.id, *room_terms(b.room), *states[b.room.id]) for b in batches if b.new_terms]),
        (_ROOM_STATES, [(b.room.id, *states[b.room.id]) for b in batches if not b.new_terms]),
        (_ROUNDS, [_round_row(record, at_ms) for record, at_ms in rounds]),
        (_ACTIONS, [tuple(action) for b in batches for action in b.actions]),
        (_EVENTS, [(b.room.id, *event) for b in batches for event in b.events]),
    ]
    try:
        _, whole, state, *_ = write_together(connection, parts)
    except IntegrityError as error:
        if is_taken(error, AnswerRow.__tablename__):
            known = ", ".join(answer.action_id for b in batches for answer in b.answers)
            raise AlreadyAnswered(known) from error
        raise
    if whole + state != len(batches):
        raise StoreError(f"no such room: one of {', '.join(states)}")


def _lock_points(connection: Connection, batches: Sequence[Batch]) -> dict[str, int]:
    """The points of everybody whose round ends in these batches, by user id."""
    users = {result.user_id for batch in batches for result in batch.results}
    if not users:
        return {}
    points = {row.id: row.points for row in connection.execute(_LOCK_POINTS, {"users": sorted(users)})}
    if missing := users - points.keys():
        raise StoreError(f"no such user: {', '.join(sorted(missing))}")
    return points


def _write_results(
    connection: Connection, batches: Sequence[Batch], points: dict[str, int], zone: ZoneInfo
) -> None:
    """The results of the batches, in order; ``points`` are those locked, and move with every result."""
    results = [(result, batch.at_ms) for batch in batches for result in batch.results]
    if not results:
        return
    before = dict(points)
    for result, _ in results:
        if points[result.user_id] != result.points_before:
            raise BalanceMoved(f"{result.round_id}: {result.user_id} has {points[result.user_id]} points")
        points[result.user_id] = result.points_after
    try:
        _RESULTS.execute(connection, [(*_VALUES(result), at_ms) for result, at_ms in results])
    except IntegrityError as error:
        if is_taken(error):
            raise AlreadySettled(", ".join(result.round_id for result, _ in results)) from error
        raise
    _POINTS.execute(connection, [each for each in sorted(points.items()) if before[each[0]] != each[1]])
    add_results(connection, [(result, day_of(at_ms, zone)) for result, at_ms in results])


@lru_cache(maxsize=256)
def _tier_value(tier: Tier) -> dict[str, Any]:
    return asdict(tier)


def room_terms(room: RoomRecord) -> tuple[Any, ...]:
    """The values of :data:`ROOM_TERMS`."""
    return room.tier.id, _tier_value(room.tier), room.base_stake, room.private, room.invite


def room_state(room: RoomRecord, at_ms: int) -> tuple[Any, ...]:
    """The values of :data:`ROOM_STATE`."""
    return room.phase, *room.seats, room.seq, room.state, at_ms


def _round_row(record: RoundRecord, at_ms: int) -> tuple[Any, ...]:
    return (
        record.id,
        record.room_id,
        record.number,
        record.status.value,
        record.ruleset,
        record.ruleset_version,
        record.record_version,
        record.options,
        record.base_stake,
        *record.players,
        record.dealer,
        record.shuffle,
        record.secret,
        record.nonce,
        record.commitment,
        *(record.entropy or (None, None)),
        record.result,
        at_ms,
        None if record.status in _LIVE else at_ms,
    )
