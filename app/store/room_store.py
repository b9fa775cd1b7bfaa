"""Storage as rooms see it: one batch, one transaction."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager

from sqlalchemy import func, insert, select
from sqlalchemy.ext.asyncio import AsyncConnection

from app.rooms.ports import (
    AnswerRecord,
    Batch,
    EventRecord,
    Player,
    RoomRecord,
    RoundRecord,
    StoredRoom,
    StoreError,
)
from app.store.batches import room_values, write_batch
from app.store.database import Database
from app.store.models import ActionRow, AnswerRow, EventRow, RoomRow, RoundRow, UserRow
from app.store.rows import action_of, event_of, room_of, round_of
from app.store.users import SELECT_USERS


class SqlRoomStore:
    """:class:`app.rooms.ports.RoomStore` over a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def commit(self, batch: Batch) -> None:
        async with _as_store_error(), self._database.write() as connection:
            await write_batch(connection, batch)

    async def create_room(self, room: RoomRecord, at_ms: int) -> None:
        values = {"id": room.id, "created_ms": at_ms, **room_values(room, at_ms)}
        async with _as_store_error(), self._database.write() as connection:
            await connection.execute(insert(RoomRow), values)

    async def players(self, user_ids: Sequence[str]) -> Mapping[str, Player]:
        async with _as_store_error(), self._database.read() as connection:
            rows = await connection.execute(SELECT_USERS.where(UserRow.id.in_(user_ids)))
            return {row.id: Player(row.id, row.name, row.coins, row.points) for row in rows}

    async def answer(self, room_id: str, user_id: str, action_id: str) -> AnswerRecord | None:
        async with _as_store_error(), self._database.read() as connection:
            row = (
                await connection.execute(
                    select(AnswerRow.digest, AnswerRow.seq).where(
                        AnswerRow.room_id == room_id,
                        AnswerRow.user_id == user_id,
                        AnswerRow.action_id == action_id,
                    )
                )
            ).one_or_none()
        return (
            None
            if row is None
            else AnswerRecord(user_id=user_id, action_id=action_id, digest=row.digest, seq=row.seq)
        )

    async def open_room_ids(self) -> Sequence[str]:
        async with _as_store_error(), self._database.read() as connection:
            ids = await connection.scalars(select(RoomRow.id).where(RoomRow.phase != "closed"))
            return sorted(ids)

    async def load_room(self, room_id: str) -> StoredRoom | None:
        async with _as_store_error(), self._database.read() as connection:
            row = (
                await connection.execute(
                    select(RoomRow.__table__).where(RoomRow.id == room_id, RoomRow.phase != "closed")
                )
            ).one_or_none()
            if row is None:
                return None
            current = await _current_round(connection, room_id)
            actions = (
                await connection.execute(
                    select(ActionRow.__table__).where(ActionRow.round_id == current.id).order_by(ActionRow.n)
                )
                if current
                else ()
            )
            return StoredRoom(
                room=room_of(row),
                round=current,
                actions=tuple(map(action_of, actions)),
                events=await _events(connection, room_id),
            )


async def _current_round(connection: AsyncConnection, room_id: str) -> RoundRecord | None:
    """The live round, of which there is one at most, else the last."""
    row = (
        await connection.execute(
            select(RoundRow.__table__)
            .where(RoundRow.room_id == room_id)
            .order_by(
                RoundRow.ended_ms.is_(None).desc(),
                RoundRow.number.desc(),
                RoundRow.created_ms.desc(),
                RoundRow.id.desc(),
            )
            .limit(1)
        )
    ).one_or_none()
    return None if row is None else round_of(row)


async def _events(connection: AsyncConnection, room_id: str) -> tuple[EventRecord, ...]:
    """The room's events from the first of the last round that has any; before the first round, all."""
    own = EventRow.room_id == room_id
    last_round = (
        select(EventRow.round_id)
        .where(own, EventRow.round_id.is_not(None))
        .order_by(EventRow.seq.desc())
        .limit(1)
        .scalar_subquery()
    )
    first = select(func.min(EventRow.seq)).where(own, EventRow.round_id == last_round).scalar_subquery()
    rows = await connection.execute(
        select(EventRow.__table__).where(own, EventRow.seq >= func.coalesce(first, 0)).order_by(EventRow.seq)
    )
    return tuple(map(event_of, rows))


@asynccontextmanager
async def _as_store_error() -> AsyncIterator[None]:
    """Let what the database raises out as :class:`StoreError`, its cause chained."""
    try:
        yield
    except StoreError:
        raise
    except Exception as error:
        raise StoreError(type(error).__name__) from error
