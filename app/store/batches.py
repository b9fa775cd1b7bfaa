"""Writing one batch of a room, statement by statement, inside the caller's transaction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from functools import cache, lru_cache
from typing import Any, cast
from zoneinfo import ZoneInfo

from sqlalchemy import Connection, Table, bindparam, func, insert, select, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import IntegrityError

from app.economy.periods import day_of
from app.rooms.ports import (
    AlreadyAnswered,
    AlreadySettled,
    BalanceMoved,
    Batch,
    EventRecord,
    ResultRecord,
    RoomRecord,
    RoundRecord,
    RoundStatus,
    StoreError,
)
from app.rooms.tiers import Tier
from app.store.faults import is_taken
from app.store.ledger import write_postings
from app.store.models import ActionRow, AnswerRow, EventRow, ResultRow, RoomRow, RoundRow, UserRow
from app.store.standings import add_results

_INSERT_ACTIONS, _INSERT_EVENTS = insert(ActionRow), insert(EventRow)
_INSERT_ANSWERS, _INSERT_RESULTS = insert(AnswerRow), insert(ResultRow)
_LIVE = (RoundStatus.PROPOSED, RoundStatus.RUNNING)
_SAVE_ROOM = update(RoomRow).where(RoomRow.id == bindparam("room"))
_SET_POINTS = update(UserRow).where(UserRow.id == bindparam("user")).values(points=bindparam("points_now"))


def write_batch(connection: Connection, batch: Batch, zone: ZoneInfo) -> None:
    """Write everything in the batch; ``zone`` says whose day a round's end belongs to.

    Parents go before children, and what tells a repetition (answers, posting keys) before the rest.
    Players are locked before purses.
    """
    _write_answers(connection, batch)
    _save_room(connection, batch.room, batch.at_ms)
    _save_rounds(connection, batch.rounds, batch.at_ms)
    points = _lock_points(connection, batch.results)
    write_postings(connection, batch.postings, batch.at_ms)
    if batch.results:
        _write_results(connection, batch.results, points, batch.at_ms)
        add_results(connection, batch.results, day_of(batch.at_ms, zone))
    if batch.actions:
        connection.execute(_INSERT_ACTIONS, [asdict(action) for action in batch.actions])
    if batch.events:
        connection.execute(_INSERT_EVENTS, [_event_row(batch.room.id, e) for e in batch.events])


def _write_answers(connection: Connection, batch: Batch) -> None:
    if not batch.answers:
        return
    rows = [asdict(answer) | {"room_id": batch.room.id, "at_ms": batch.at_ms} for answer in batch.answers]
    try:
        connection.execute(_INSERT_ANSWERS, rows)
    except IntegrityError as error:
        if is_taken(error):
            raise AlreadyAnswered(", ".join(answer.action_id for answer in batch.answers)) from error
        raise


def _save_room(connection: Connection, room: RoomRecord, at_ms: int) -> None:
    saved = connection.execute(_SAVE_ROOM, {"room": room.id, **room_values(room, at_ms)})
    if saved.rowcount != 1:
        raise StoreError(f"no such room: {room.id}")


def _save_rounds(connection: Connection, rounds: Sequence[RoundRecord], at_ms: int) -> None:
    # a proposal that ends makes way for the next one of the same batch
    for record in sorted(rounds, key=lambda record: record.status in _LIVE):
        connection.execute(_upsert_round(connection.dialect.name), round_values(record, at_ms))


@cache
def _upsert_round(dialect: str) -> Any:
    table = cast(Table, RoundRow.__table__)
    statement = (postgresql if dialect == "postgresql" else sqlite).insert(table)
    new = statement.excluded
    changes = {c.name: new[c.name] for c in table.c if c.name not in {"id", "room_id", "created_ms"}}
    changes["ended_ms"] = func.coalesce(table.c.ended_ms, new["ended_ms"])
    return statement.on_conflict_do_update(index_elements=["id"], set_=changes)


def _lock_points(connection: Connection, results: Sequence[ResultRecord]) -> dict[str, int]:
    if not results:
        return {}
    users = [result.user_id for result in results]
    locked = (
        select(UserRow.id, UserRow.points)
        .where(UserRow.id.in_(users))
        .order_by(UserRow.id)
        .with_for_update(key_share=True)
    )
    return {row.id: row.points for row in connection.execute(locked)}


def _write_results(
    connection: Connection, results: Sequence[ResultRecord], points: dict[str, int], at_ms: int
) -> None:
    for result in results:
        if result.user_id not in points:
            raise StoreError(f"no such user: {result.user_id}")
        if points[result.user_id] != result.points_before:
            raise BalanceMoved(f"{result.round_id}: {result.user_id} has {points[result.user_id]} points")
        points[result.user_id] = result.points_after
    try:
        connection.execute(_INSERT_RESULTS, [asdict(result) | {"at_ms": at_ms} for result in results])
    except IntegrityError as error:
        if is_taken(error):
            raise AlreadySettled(results[0].round_id) from error
        raise
    connection.execute(_SET_POINTS, [{"user": user, "points_now": points[user]} for user in sorted(points)])


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
