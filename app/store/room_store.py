"""Storage as rooms see it: a batch is in one transaction, whole, with those that waited beside it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from zoneinfo import ZoneInfo

from sqlalchemy import Connection, func, insert, select, text
from sqlalchemy.exc import IntegrityError

from app.economy.periods import day_of
from app.rooms.faults import BEFORE_COMMIT, reach
from app.rooms.ports import (
    ActionRecord,
    AnswerRecord,
    Batch,
    EventRecord,
    Player,
    RoomRecord,
    RoundRecord,
    RoundStatus,
    StoredRoom,
    StoreError,
    UnreadableRoom,
    book_of,
)
from app.store.batches import (
    ROOM_STATE,
    ROOM_TERMS,
    goes_step_by_step,
    meaning_of,
    parts_of,
    room_state,
    room_terms,
    settlement_of,
    write_batches,
)
from app.store.committer import GROUP, Committer, NotWritten
from app.store.database import Database
from app.store.faults import is_refused, is_taken, let_go
from app.store.models import ActionRow, AnswerRow, EventRow, RoomRow, RoundRow, StandingRow
from app.store.models.rooms import OPEN
from app.store.practice import select_players
from app.store.recollection import Recollection
from app.store.rows import UNREADABLE, action_of, event_of, room_of, round_of
from app.store.settlement import Known, Settlement
from app.store.standings import Key, Standing, places_on, read_standings
from app.store.steps import Refused
from app.store.stopping import stop_room
from app.store.together import steps_of

LOOK_SECONDS = 0.5  # a look ahead waits for other readers no longer

_BEGUN = (RoundStatus.RUNNING, RoundStatus.FINISHED, RoundStatus.VOIDED)


class SqlRoomStore:
    """:class:`app.rooms.ports.RoomStore` over a database."""

    def __init__(self, database: Database, zone: ZoneInfo, group: int = GROUP) -> None:
        """``group`` is how many rooms' batches go into one transaction at most."""
        self._database = database
        self._zone = zone
        self._recollection = Recollection()
        self._committer = Committer(self._write, database.writers, group, database.crowd)

    async def commit(self, batch: Batch) -> None:
        if batch.rounds:
            await self._look_ahead(batch)
        await self._committer.commit(batch)

    async def _look_ahead(self, batch: Batch) -> None:
        """Of a round that begins or ends, read those standings that will move and are not remembered, before
        anybody but its room waits for this batch.

        What is written requires them; what cannot be read, or not soon, is looked up then.
        """
        begun = [record.players for record in batch.rounds if record.status in _BEGUN]
        users = {user_id for players in begun if not book_of(players).is_practice for user_id in players}
        places = places_on(day_of(batch.at_ms, self._zone), users)
        if not (unknown := self._recollection.unknown(places)):
            return
        with suppress(Exception):  # of whatever kind, as drivers have their own
            async with asyncio.timeout(LOOK_SECONDS):
                found = await self._database.read(lambda connection: read_standings(connection, unknown))
            self._recollection.keep({key: found.get(key) for key in unknown})

    async def close(self) -> None:
        """Return when every batch handed in has been dealt with."""
        await self._committer.close()

    async def _write(self, batches: Sequence[Batch]) -> None:
        """All of them in one transaction, by what is remembered of their players if that will do.

        Raises:
            NotWritten: nothing is stored.
        """
        settlement = settlement_of(batches, self._zone)
        known = None if self._goes_step_by_step(batches) else self._recollection.recall(settlement)
        try:
            standings = await self._try(batches, settlement, known)
        except NotWritten as refusal:
            self._recollection.forget(settlement.users)
            if not refusal.concerns_one or (known is None and not _came_second(refusal)):
                raise
            standings = await self._try(batches, settlement, None)
        if not settlement.moves_nothing:
            self._recollection.learn(settlement, standings)

    async def _try(
        self, batches: Sequence[Batch], settlement: Settlement, known: Known | None
    ) -> Mapping[Key, Standing]:
        try:
            worked_out = None if self._goes_step_by_step(batches) else parts_of(batches, settlement, known)
            steps = worked_out and steps_of(self._database.dialect, worked_out[0])
        except Exception as error:
            raise NotWritten from error
        try:
            if worked_out is None or steps is None:
                return await self._look_and_write(batches, settlement)
            await self._database.write_at_once(steps)
            return worked_out[1]
        except Refused as refusal:
            meaning = meaning_of(refusal.reason, batches)
            if meaning is not refusal.reason:
                meaning.__cause__ = refusal.reason
            raise NotWritten from meaning

    def _goes_step_by_step(self, batches: Sequence[Batch]) -> bool:
        return goes_step_by_step(batches, has_points=self._database.has_points)

    async def _look_and_write(
        self, batches: Sequence[Batch], settlement: Settlement
    ) -> Mapping[Key, Standing]:
        """In as many statements as it takes."""
        may_be_written = False

        def work(connection: Connection) -> Mapping[Key, Standing]:
            nonlocal may_be_written
            standings = write_batches(connection, batches, settlement)
            may_be_written = True
            reach(BEFORE_COMMIT)
            return standings

        try:
            return await self._database.write(work)
        except Exception as error:
            if may_be_written and not (isinstance(error, IntegrityError) or is_refused(error)):
                raise  # nobody knows
            raise Refused(error) from error

    async def create_room(self, room: RoomRecord, at_ms: int) -> None:
        terms = zip(ROOM_TERMS, room_terms(room), strict=True)
        state = zip(ROOM_STATE, room_state(room, at_ms), strict=True)
        values = {"id": room.id, "created_ms": at_ms, **dict(terms), **dict(state)}
        with _as_store_error():
            await self._database.write(lambda connection: connection.execute(insert(RoomRow), values))

    async def players(self, user_ids: Sequence[str]) -> Mapping[str, Player]:
        with _as_store_error():
            return await self._database.read(lambda connection: select_players(connection, user_ids))

    async def answer(self, room_id: str, user_id: str, action_id: str) -> AnswerRecord | None:
        with _as_store_error():
            return await self._database.read(lambda c: _answer(c, room_id, user_id, action_id))

    async def open_room_ids(self) -> Sequence[str]:
        statement = select(RoomRow.id).where(text(OPEN))
        with _as_store_error():
            return await self._database.read(lambda connection: sorted(connection.scalars(statement)))

    async def load_room(self, room_id: str) -> StoredRoom | None:
        def work(connection: Connection) -> StoredRoom | None:
            try:
                return _load_room(connection, room_id)
            except UNREADABLE as fault:
                raise UnreadableRoom(f"room {room_id}: {fault!r}") from fault

        with _as_store_error():
            return await self._database.read(work)

    async def stop_room(self, room_id: str, reason: str, at_ms: int) -> None:
        with _as_store_error():
            await self._database.write(lambda connection: stop_room(connection, room_id, reason, at_ms))


def _came_second(refusal: NotWritten) -> bool:
    """Somebody else has brought a player's first result of the day since a look was taken for it."""
    cause = refusal.__cause__
    return isinstance(cause, IntegrityError) and is_taken(cause, StandingRow.__tablename__)


def _answer(connection: Connection, room_id: str, user_id: str, action_id: str) -> AnswerRecord | None:
    row = connection.execute(
        select(AnswerRow.digest, AnswerRow.seq).where(
            AnswerRow.room_id == room_id, AnswerRow.user_id == user_id, AnswerRow.action_id == action_id
        )
    ).one_or_none()
    return None if row is None else AnswerRecord(user_id, action_id, row.digest, row.seq)


def _load_room(connection: Connection, room_id: str) -> StoredRoom | None:
    row = connection.execute(select(RoomRow.__table__).where(RoomRow.id == room_id, text(OPEN))).one_or_none()
    if row is None:
        return None
    room = room_of(row)
    current = _round(connection, room, room.state["round"])
    return StoredRoom(
        room=room,
        updated_ms=row.updated_ms,
        proposal=_round(connection, room, room.state["proposal"]),
        round=current,
        actions=_actions(connection, current.id) if current else (),
        events=_events(connection, room_id),
    )


def _round(connection: Connection, room: RoomRecord, round_id: object) -> RoundRecord | None:
    """The round that the head names. Times would not tell which it is: clocks are put back now and then."""
    if not isinstance(round_id, str):
        return None
    own = RoundRow.id == round_id, RoundRow.room_id == room.id
    row = connection.execute(select(RoundRow.__table__).where(*own)).one_or_none()
    return None if row is None else round_of(row)


def _actions(connection: Connection, round_id: str) -> tuple[ActionRecord, ...]:
    statement = select(ActionRow.__table__).where(ActionRow.round_id == round_id).order_by(ActionRow.n)
    return tuple(map(action_of, connection.execute(statement)))


def _events(connection: Connection, room_id: str) -> tuple[EventRecord, ...]:
    """The room's events from the first of the last round that has any; before the first round, all."""
    own = EventRow.room_id == room_id
    latest = select(EventRow.round_id, EventRow.seq).where(own).order_by(EventRow.seq.desc()).limit(1)
    last_round = latest.where(EventRow.round_id.is_not(None)).with_only_columns(EventRow.round_id)
    round_id = last_round.scalar_subquery()
    before = latest.where(EventRow.round_id != round_id).with_only_columns(EventRow.seq)  # in another one
    begins_after = func.coalesce(before.scalar_subquery(), 0)
    first = (
        select(func.min(EventRow.seq))
        .where(own, EventRow.seq > begins_after, EventRow.round_id == round_id)
        .scalar_subquery()
    )
    statement = (
        select(EventRow.__table__).where(own, EventRow.seq >= func.coalesce(first, 0)).order_by(EventRow.seq)
    )
    return tuple(map(event_of, connection.execute(statement)))


@contextmanager
def _as_store_error() -> Iterator[None]:
    """Let out as :class:`StoreError` whatever went wrong, its cause chained."""
    try:
        yield
    except (StoreError, UnreadableRoom):
        raise
    except Exception as error:
        let_go(error)
        raise StoreError(type(error).__name__) from error
