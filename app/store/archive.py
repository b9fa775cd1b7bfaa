"""Taking the bulk of old rounds out of the database: what they came to stays, how they were played goes.

The row of a round stays with its result, its proof and everything the ledger, results and standings refer to;
its actions and events go, and once its room is closed so do the room's own events and answers, for a closed
room answers nobody. Source: docs/OPERATIONS.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import ColumnElement, Connection, and_, delete, exists, select, update

from app.rooms.ports import EventRecord
from app.rooms.records import FinishedRound
from app.store.database import Database
from app.store.models import ActionRow, AnswerRow, EventRow, RoomRow, RoundRow
from app.store.records import OVER, finished_round
from app.store.rows import event_of

CHUNK = 100  # rounds taken at a time


@dataclass(frozen=True, slots=True)
class WholeRound:
    """A round that is over, with its events in order: all there is of it."""

    over: FinishedRound
    events: Sequence[EventRecord]


class SqlArchive:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def next_rounds(self, before_ms: int) -> Sequence[WholeRound]:
        """Some rounds that ended before this moment, in rooms that are closed; none when all are archived."""
        return await self._database.read(lambda connection: _next_rounds(connection, before_ms))

    async def prune(self, round_ids: Sequence[str], at_ms: int) -> None:
        """These rounds are written elsewhere, durably."""
        await self._database.write(lambda connection: _prune(connection, round_ids, at_ms))

    async def prune_rooms(self, before_ms: int) -> None:
        """Rooms closed before this moment, all of whose rounds are archived, keep their row alone."""
        await self._database.write(lambda connection: _prune_rooms(connection, before_ms))


def _next_rounds(connection: Connection, before_ms: int) -> Sequence[WholeRound]:
    due = (
        select(RoundRow.id)
        .join(RoomRow, RoomRow.id == RoundRow.room_id)
        .where(
            RoundRow.archived_ms.is_(None),
            RoundRow.status.in_(OVER),
            RoundRow.ended_ms < before_ms,
            RoomRow.phase == "closed",
        )
        .order_by(RoundRow.id)
        .limit(CHUNK)
    )
    return [_whole(connection, round_id) for round_id in list(connection.scalars(due))]


def _whole(connection: Connection, round_id: str) -> WholeRound:
    over = finished_round(connection, round_id)
    assert over is not None  # it was just found
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


def _prune_rooms(connection: Connection, before_ms: int) -> None:
    unarchived = exists().where(RoundRow.room_id == RoomRow.id, RoundRow.archived_ms.is_(None))
    rooms = select(RoomRow.id).where(RoomRow.phase == "closed", RoomRow.updated_ms < before_ms, ~unarchived)
    connection.execute(delete(EventRow).where(EventRow.room_id.in_(rooms)))
    connection.execute(delete(AnswerRow).where(AnswerRow.room_id.in_(rooms)))
