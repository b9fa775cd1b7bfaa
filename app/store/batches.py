"""Writing the batches of many rooms, statement by statement, inside the caller's transaction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from functools import cache, lru_cache
from typing import Any, cast
from zoneinfo import ZoneInfo

from sqlalchemy import Connection, Insert, Table, bindparam, func, insert, select, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import IntegrityError

from app.economy.periods import day_of
from app.rooms.faults import reach
from app.rooms.ports import (
    ActionRecord,
    AlreadyAnswered,
    AlreadySettled,
    AnswerRecord,
    BalanceMoved,
    Batch,
    EventRecord,
    RoomRecord,
    RoundRecord,
    RoundStatus,
    StoreError,
)
from app.rooms.tiers import Tier
from app.store.audit_log import write_changes
from app.store.faults import is_taken
from app.store.ledger import write_postings
from app.store.models import ActionRow, AnswerRow, EventRow, ResultRow, RoomRow, RoundRow, UserRow
from app.store.standings import add_results

_INSERT_ACTIONS, _INSERT_EVENTS = insert(ActionRow), insert(EventRow)
_INSERT_ANSWERS, _INSERT_RESULTS = insert(AnswerRow), insert(ResultRow)
_KEPT = {"id", "room_id", "created_ms", "archived_ms"}  # what saving a round again leaves as it is
_LIVE = (RoundStatus.PROPOSED, RoundStatus.RUNNING)
_SAVE_ROOM = update(RoomRow).where(RoomRow.id == bindparam("room"))
_SET_POINTS = update(UserRow).where(UserRow.id == bindparam("user")).values(points=bindparam("points_now"))


def write_batches(connection: Connection, batches: Sequence[Batch], zone: ZoneInfo) -> None:
    """Write everything in the batches, each of another room; ``zone`` says whose day a round's end is.

    Parents go before children, and what tells a repetition (answers, posting keys) before the rest. Each
    statement writes the rows of all batches. What several rooms share is locked in one order, whoever writes
    which batches together: players, purses, standings, each by id.

    Raises:
        BalanceMoved, AlreadyAnswered, AlreadySettled, StoreError: of one of them; none must be committed.
    """
    _write_answers(connection, batches)
    _save_rooms(connection, batches)
    _save_rounds(connection, batches)
    points = _lock_points(connection, batches)
    write_postings(connection, [(posting, b.at_ms) for b in batches for posting in b.postings])
    reach("mid_settlement", when=bool(points))
    _write_results(connection, batches, points, zone)
    _insert(connection, _INSERT_ACTIONS, [_action_row(action) for b in batches for action in b.actions])
    _insert(connection, _INSERT_EVENTS, [_event_row(b.room.id, e) for b in batches for e in b.events])
    write_changes(connection, [change for b in batches for change in b.changes])


def _insert(connection: Connection, statement: Insert, rows: list[dict[str, Any]]) -> None:
    if rows:
        connection.execute(statement, rows)


def _save_rooms(connection: Connection, batches: Sequence[Batch]) -> None:
    rows = [{"room": batch.room.id, **room_values(batch.room, batch.at_ms)} for batch in batches]
    saved = connection.execute(_SAVE_ROOM, rows)
    found = saved.rowcount if saved.supports_sane_multi_rowcount() else _known_rooms(connection, batches)
    if found != len(rows):
        raise StoreError(f"no such room: one of {', '.join(row['room'] for row in rows)}")


def _known_rooms(connection: Connection, batches: Sequence[Batch]) -> int:
    """Asked where the driver does not say how many rows many updates have found."""
    known = select(func.count()).where(RoomRow.id.in_([batch.room.id for batch in batches]))
    return connection.scalar(known) or 0


def _write_answers(connection: Connection, batches: Sequence[Batch]) -> None:
    rows = [_answer_row(batch, answer) for batch in batches for answer in batch.answers]
    try:
        _insert(connection, _INSERT_ANSWERS, rows)
    except IntegrityError as error:
        if is_taken(error):
            raise AlreadyAnswered(", ".join(row["action_id"] for row in rows)) from error
        raise


def _save_rounds(connection: Connection, batches: Sequence[Batch]) -> None:
    rounds = [(record, batch.at_ms) for batch in batches for record in batch.rounds]
    if rounds:
        # a proposal that ends makes way for the next one of the same batch
        rounds.sort(key=lambda each: each[0].status in _LIVE)
        rows = [round_values(record, at_ms) for record, at_ms in rounds]
        connection.execute(_upsert_round(connection.dialect.name), rows)


@cache
def _upsert_round(dialect: str) -> Any:
    table = cast(Table, RoundRow.__table__)
    statement = (postgresql if dialect == "postgresql" else sqlite).insert(table)
    new = statement.excluded
    changes = {c.name: new[c.name] for c in table.c if c.name not in _KEPT}
    changes["ended_ms"] = func.coalesce(table.c.ended_ms, new["ended_ms"])
    return statement.on_conflict_do_update(index_elements=["id"], set_=changes)


def _lock_points(connection: Connection, batches: Sequence[Batch]) -> dict[str, int]:
    """The points of everybody whose round ends in these batches, by user id."""
    users = {result.user_id for batch in batches for result in batch.results}
    if not users:
        return {}
    locked = select(UserRow.id, UserRow.points).where(UserRow.id.in_(sorted(users))).order_by(UserRow.id)
    rows = connection.execute(locked.with_for_update(key_share=True))
    points = {row.id: row.points for row in rows}
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
    for result, _ in results:
        if points[result.user_id] != result.points_before:
            raise BalanceMoved(f"{result.round_id}: {result.user_id} has {points[result.user_id]} points")
        points[result.user_id] = result.points_after
    try:
        connection.execute(_INSERT_RESULTS, [asdict(result) | {"at_ms": at_ms} for result, at_ms in results])
    except IntegrityError as error:
        if is_taken(error):
            raise AlreadySettled(", ".join(result.round_id for result, _ in results)) from error
        raise
    connection.execute(_SET_POINTS, [{"user": user, "points_now": points[user]} for user in sorted(points)])
    add_results(connection, [(result, day_of(at_ms, zone)) for result, at_ms in results])


def _answer_row(batch: Batch, answer: AnswerRecord) -> dict[str, Any]:
    return {
        "room_id": batch.room.id,
        "user_id": answer.user_id,
        "action_id": answer.action_id,
        "digest": answer.digest,
        "seq": answer.seq,
        "at_ms": batch.at_ms,
    }


def _action_row(action: ActionRecord) -> dict[str, Any]:
    return {
        "round_id": action.round_id,
        "n": action.n,
        "seat": action.seat,
        "code": action.code,
        "at_ms": action.at_ms,
    }


def _event_row(room_id: str, event: EventRecord) -> dict[str, Any]:
    return {
        "room_id": room_id,
        "seq": event.seq,
        "at_ms": event.at_ms,
        "round_id": event.round_id,
        "kind": event.kind,
        "data": event.data,
    }


@lru_cache(maxsize=256)
def _tier_value(tier: Tier) -> dict[str, Any]:
    return asdict(tier)


def room_values(room: RoomRecord, at_ms: int) -> dict[str, Any]:
    """The columns of a room's head that every batch writes."""
    return {
        "tier_id": room.tier.id,
        "tier": _tier_value(room.tier),
        "base_stake": room.base_stake,
        "private": room.private,
        "invite": room.invite,
        "phase": room.phase,
        "seat0": room.seats[0],
        "seat1": room.seats[1],
        "seq": room.seq,
        "state": room.state,
        "updated_ms": at_ms,
    }


def round_values(record: RoundRecord, at_ms: int) -> dict[str, Any]:
    """All columns of a round's head."""
    entropy = record.entropy or (None, None)
    return {
        "id": record.id,
        "room_id": record.room_id,
        "number": record.number,
        "status": record.status.value,
        "ruleset": record.ruleset,
        "ruleset_version": record.ruleset_version,
        "record_version": record.record_version,
        "options": record.options,
        "base_stake": record.base_stake,
        "player0": record.players[0],
        "player1": record.players[1],
        "dealer": record.dealer,
        "shuffle": record.shuffle,
        "secret": record.secret,
        "nonce": record.nonce,
        "commitment": record.commitment,
        "entropy0": entropy[0],
        "entropy1": entropy[1],
        "result": record.result,
        "created_ms": at_ms,
        "ended_ms": None if record.status in _LIVE else at_ms,
    }
