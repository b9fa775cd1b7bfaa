"""Taking the bulk of old rounds out of the database: what they came to stays, how they were played goes.

The row of a round stays with its result, its proof and everything the ledger, results and standings refer to;
its actions and events go, and once its room is closed so do the room's own events and answers, for a closed
room answers nobody. Source: docs/OPERATIONS.md.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from sqlalchemy import (
    CTE,
    ColumnElement,
    Connection,
    and_,
    delete,
    exists,
    func,
    select,
    tuple_,
    update,
)

from app.rooms.model import RoomPhase
from app.rooms.ports import EventRecord
from app.rooms.records import FinishedRound
from app.store.database import Database
from app.store.models import ActionRow, AnswerRow, EventRow, RoomRow, RoundRow
from app.store.records import OVER, finished_round
from app.store.rows import event_of

CHUNK = 100  # rounds, or rooms, taken at a time
ROUNDS = 10  # deleted at a time: some hundreds of rows each
ROWS = 5_000  # of a log, deleted at a time: as long as that takes nobody else writes to SQLite
REST_SECONDS = 0.1  # until the next are: who waits for SQLite's lock looks for it that often

_Log = type[EventRow] | type[AnswerRow]  # of a room, by whose id its primary key begins


@dataclass(frozen=True, slots=True)
class WholeRound:
    """A round that is over, with its events in order: all there is of it."""

    over: FinishedRound
    events: Sequence[EventRecord]


class SqlArchive:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def due_rounds(self, before_ms: int, after: str) -> Sequence[str]:
        """The ids of some rounds that ended before this moment, in rooms that are closed: the next behind
        ``after``, in order; none when there are no more.
        """
        return await self._database.read(partial(_due_rounds, before_ms=before_ms, after=after))

    async def whole(self, round_id: str) -> WholeRound | None:
        """A round that is due; None if somebody else has archived it meanwhile.

        Raises:
            UNREADABLE: something stored is no value of its kind.
        """
        return await self._database.read(lambda connection: _whole(connection, round_id))

    async def prune(self, round_ids: Sequence[str], at_ms: int) -> None:
        """These rounds are written elsewhere, durably."""
        for first in range(0, len(round_ids), ROUNDS):
            some = round_ids[first : first + ROUNDS]
            await self._database.write(partial(_prune, round_ids=some, at_ms=at_ms))
            await asyncio.sleep(REST_SECONDS)

    async def prune_rooms(self, before_ms: int) -> None:
        """Rooms closed before this moment, all of whose rounds are archived, keep their row alone."""
        for log in (EventRow, AnswerRow):
            rooms = await self._database.read(partial(_due_rooms, log=log, before_ms=before_ms))
            done = 0
            while some := rooms[done : done + CHUNK]:
                deleted = await self._database.write(partial(_delete_some, log=log, room_ids=some))
                if deleted < ROWS:
                    done += CHUNK
                await asyncio.sleep(REST_SECONDS)


def _due_rounds(connection: Connection, before_ms: int, after: str) -> Sequence[str]:
    due = (
        select(RoundRow.id)
        .join(RoomRow, RoomRow.id == RoundRow.room_id)
        .where(
            RoundRow.id > after,
            RoundRow.archived_ms.is_(None),
            RoundRow.status.in_(OVER),
            RoundRow.ended_ms < before_ms,
            RoomRow.phase == RoomPhase.CLOSED,
        )
        .order_by(RoundRow.id)
        .limit(CHUNK)
    )
    return list(connection.scalars(due))


def _whole(connection: Connection, round_id: str) -> WholeRound | None:
    over = finished_round(connection, round_id)
    if over is None or over.is_archived:
        return None
    events = select(EventRow.__table__).where(_of([round_id])).order_by(EventRow.seq)
    return WholeRound(over, tuple(map(event_of, connection.execute(events))))


def _of(round_ids: Sequence[str]) -> ColumnElement[bool]:
    """The rounds' events, which lie among their rooms'."""
    rooms = select(RoundRow.room_id).where(RoundRow.id.in_(round_ids))
    return and_(EventRow.room_id.in_(rooms), EventRow.round_id.in_(round_ids))


def _prune(connection: Connection, round_ids: Sequence[str], at_ms: int) -> None:
    connection.execute(delete(ActionRow).where(ActionRow.round_id.in_(round_ids)))
    connection.execute(delete(EventRow).where(_of(round_ids)))
    connection.execute(update(RoundRow).where(RoundRow.id.in_(round_ids)).values(archived_ms=at_ms))


def _due_rooms(connection: Connection, log: _Log, before_ms: int) -> Sequence[str]:
    """Those that have something left in the log."""
    in_log = _rooms_in(log)
    unarchived = exists().where(RoundRow.room_id == RoomRow.id, RoundRow.archived_ms.is_(None))
    due = (
        select(in_log.c.id)
        .join(RoomRow, RoomRow.id == in_log.c.id)
        .where(RoomRow.phase == RoomPhase.CLOSED, RoomRow.updated_ms < before_ms, ~unarchived)
    )
    return list(connection.scalars(due))


def _rooms_in(log: _Log) -> CTE:
    """The ids of all rooms that have rows in the log, leaping in its index from one room to the next: neither
    its rows nor the rooms that have none any more are looked at.
    """
    found = select(func.min(log.room_id).label("id")).cte("found", recursive=True)
    beyond = select(func.min(log.room_id)).where(log.room_id > found.c.id).scalar_subquery()
    return found.union_all(select(beyond).where(found.c.id.is_not(None)))


def _delete_some(connection: Connection, log: _Log, room_ids: Sequence[str]) -> int:
    """Some of the rooms' rows in the log; how many: :data:`ROWS` until there are no more."""
    key = log.__mapper__.primary_key
    some = select(*key).where(log.room_id.in_(room_ids)).limit(ROWS)
    return connection.execute(delete(log).where(tuple_(*key).in_(some))).rowcount
