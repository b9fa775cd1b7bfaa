"""A commit that fails changes nothing in memory, wherever it fails: the room looks, and goes on from there.

Source: PROTOCOL §3.12.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import Connection, Engine, event, func, select

from app.economy.periods import Period, day_of, period_key
from app.rooms import commands as cmd
from app.rooms.connection import CloseCode
from app.rooms.hub import Rooms
from app.rooms.ports import Batch, Player, StoredRoom, StoreError
from app.rooms.stopping import RETRY_AFTER_MS
from app.store.audit import audit
from app.store.backend import Work
from app.store.database import Database
from app.store.models import PostingRow, ResultRow
from app.store.recollection import Recollection
from app.store.room_store import SqlRoomStore
from app.store.standings import STANDINGS, standings_of
from app.store.steps import Refused, Step
from app.store.together import lock_together
from tests.fakes import FakeClock, fake_sources
from tests.integration.sql_tables import COINS, SqlTable, sql_table
from tests.integration.stories import ZONE, guest
from tests.integration.test_room_store import scalar
from tests.tables import CLASSIC, Reader

ON_EVERY_DATABASE = APART = True


NOWHERE = "INSERT INTO nowhere VALUES (1)"
REFUSED = Step(NOWHERE, [()])


def engines(database: Database) -> list[Engine]:
    backend: Any = database._backend
    return [backend._engine.sync_engine] if database.file is None else [backend._writer, backend._reader]


def engine_sees_all(database: Database) -> bool:
    """Also what is written at once."""
    backend: Any = database._backend
    return database.dialect == "sqlite" and backend._apart is None


@contextmanager
def failing_at(database: Database, number: int | None) -> Iterator[list[str]]:
    """The ``number``-th statement (from 0) is one that the database refuses, and so are all that follow; the
    statements met, in order.
    """
    met: list[str] = []

    def meet(statement: str) -> str:
        met.append(statement)
        return NOWHERE if number is not None and len(met) > number else statement

    def before(_connection: Any, _cursor: Any, statement: str, parameters: Any, *_: Any) -> tuple[str, Any]:
        kept = meet(statement)
        return kept, parameters if kept == statement else ()

    write_at_once = database.write_at_once

    async def send(steps: Sequence[Step]) -> None:
        await write_at_once([step if meet(step.statement) == step.statement else REFUSED for step in steps])

    with pytest.MonkeyPatch.context() as patch:
        if not engine_sees_all(database):
            patch.setattr(database, "write_at_once", send)
        for engine in engines(database):
            event.listen(engine, "before_cursor_execute", before, retval=True)
        try:
            yield met
        finally:
            for engine in engines(database):
                event.remove(engine, "before_cursor_execute", before)


class Blind(SqlRoomStore):
    """Cannot read ahead of a settlement: what it does not remember is looked up as it is written."""

    async def _look_ahead(self, batch: Batch) -> None:
        pass


async def before_the_end(database: Database, seed: int, *, remembered: bool) -> tuple[SqlTable, Reader]:
    """In the middle of a round with a fee; who then leaves settles it. ``remembered``: by what is known of
    the players, without a look.
    """
    store = Blind(database, ZONE)
    table = await sql_table(database, replace(CLASSIC, table_fee=7), seed=seed, store=store)
    leaver, _ = await table.at_first_turn()
    store._recollection = Recollection()
    if remembered:
        await remember(database, store, table)
    return table, leaver


async def remember(database: Database, store: SqlRoomStore, table: SqlTable) -> None:
    day = day_of(table.clock.now_ms(), ZONE)
    keys = [(period_key(period, day), user.id) for period in Period for user in table.users]
    [rows] = await database.write(lambda connection: lock_together(connection, [(STANDINGS, keys)]))
    found = standings_of(rows)
    store._recollection.keep({key: found.get(key) for key in keys})


async def leave(table: SqlTable, leaver: Reader) -> dict[str, Any]:
    """Escape, and pay for it: ledger, points, standings, events and answer in one batch."""
    return await table.request(leaver, id="leave", kind=cmd.Leave, force=True, penalty_seen=320)


async def check_settled_once(database: Database, tables: int) -> None:
    settled = select(func.count()).select_from(PostingRow).where(PostingRow.kind == "settlement")
    assert await scalar(database, settled) == tables
    assert await scalar(database, select(func.count()).select_from(ResultRow)) == 2 * tables
    assert (await audit(database)).fault is None


@pytest.mark.parametrize("remembered", [False, True])
async def test_a_settlement_that_fails_at_any_statement_has_not_happened(
    database: Database, remembered: bool
) -> None:
    """What a table refuses in the middle of one: ``test_room_store``."""
    table, leaver = await before_the_end(database, seed=0, remembered=remembered)
    with failing_at(database, None) as statements:
        assert (await leave(table, leaver))["m"] == "ack"
    assert len(statements) >= (1 if remembered else 2)
    await table.room.stop(CloseCode.END)
    for number in range(len(statements)):
        table, leaver = await before_the_end(database, seed=number + 1, remembered=remembered)
        before, seen = table.state, len(leaver.frames)
        with failing_at(database, number) as met:
            answer = await leave(table, leaver)
        assert (answer["m"], answer["code"]) == ("err", "internal"), met[number]
        assert table.state == before
        assert [frame["m"] for frame in leaver.frames[seen:]] == ["err"]  # nobody saw anything else
        await table.pass_time(RETRY_AFTER_MS)  # so long it says the same to everybody
        assert (await leave(table, leaver))["m"] == "ack"  # the same id: it was never answered
        await check_settled_once(database, number + 2)
        await table.room.stop(CloseCode.END)


Fault = Callable[[Database, pytest.MonkeyPatch], None]


def committed_and_lost(database: Database, patch: pytest.MonkeyPatch) -> None:
    """The commit is through, and the answer to it is lost."""
    for name in ("write", "write_at_once"):
        write = getattr(database, name)

        async def lose(work: Any, *, write: Callable[[Any], Awaitable[None]] = write) -> None:
            patch.undo()
            await write(work)
            raise ConnectionResetError

        patch.setattr(database, name, lose)


def lost_and_not_committed(database: Database, patch: pytest.MonkeyPatch) -> None:
    """Everything is written, and the connection breaks as the commit is asked for. Where nothing lies between
    the two, the database refuses, and nobody hears it.
    """
    write = database.write

    async def lose(work: Work[Any]) -> None:
        def work_in_vain(connection: Connection) -> None:
            work(connection)
            raise ConnectionResetError

        patch.undo()
        await write(work_in_vain)

    async def lose_at_once(steps: Sequence[Step]) -> None:
        patch.undo()
        with pytest.raises(Refused):
            await database.write_at_once([*steps, REFUSED] if database.dialect == "sqlite" else [REFUSED])
        raise ConnectionResetError

    patch.setattr(database, "write", lose)
    patch.setattr(database, "write_at_once", lose_at_once)


class Gathering(Blind):
    """Can hold batches back until there are so many, so that they go into one group."""

    def __init__(self, database: Database) -> None:
        super().__init__(database, ZONE)
        self.groups: list[int] = []
        self._gathered = asyncio.Barrier(1)

    def gather(self, wanted: int) -> None:
        self._gathered = asyncio.Barrier(wanted)

    async def commit(self, batch: Batch) -> None:
        await self._gathered.wait()
        await super().commit(batch)

    async def _write(self, batches: Sequence[Batch]) -> None:
        self.groups.append(len(batches))
        await super()._write(batches)


@pytest.mark.parametrize("remembered", [False, True])
@pytest.mark.parametrize(
    ("fault", "is_stored"), [(committed_and_lost, True), (lost_and_not_committed, False)]
)
async def test_a_commit_in_doubt_makes_every_room_of_its_group_look(
    database: Database, monkeypatch: pytest.MonkeyPatch, fault: Fault, is_stored: bool, remembered: bool
) -> None:
    store = Gathering(database)
    tables = [await sql_table(database, seed=seed, store=store) for seed in (1, 2, 3)]
    leavers = [(await table.at_first_turn())[0] for table in tables]
    store._recollection = Recollection()
    if remembered:
        for table in tables:
            await remember(database, store, table)
    fault(database, monkeypatch)
    store.gather(len(tables))
    for table, leaver in zip(tables, leavers, strict=True):
        table.room.ask(leaver.connection, cmd.Leave("leave", True, 320))
    await asyncio.gather(*(table.quiet() for table in tables))
    assert store.groups[-1] == len(tables)
    store.gather(1)
    for table, leaver in zip(tables, leavers, strict=True):
        assert not [ack for ack in leaver.of("ack") if ack["id"] == "leave"]
        assert table.state.is_playing == (not is_stored)
        if is_stored:
            assert leaver.closed == CloseCode.REMOVED
            other = next(reader for reader in table.readers if reader is not leaver)
            assert other.view is not None
            assert other.view["seats"][table.seat_of(leaver)] is None  # he is shown what is stored
        else:
            assert leaver.answer("leave")["code"] == "internal"
            assert (await leave(table, leaver))["m"] == "ack"
        await table.room.stop(CloseCode.END)
    await check_settled_once(database, len(tables))


class Vanishing(SqlRoomStore):
    """Goes away in the middle of its next commit, before it is done or after."""

    def __init__(self, database: Database, *, is_stored: bool) -> None:
        super().__init__(database, ZONE)
        self._is_stored = is_stored
        self.is_away = False

    async def commit(self, batch: Batch) -> None:
        if self._is_stored:
            await super().commit(batch)
        self.is_away = True
        raise StoreError("gone")

    async def load_room(self, room_id: str) -> StoredRoom | None:
        if self.is_away:
            raise StoreError("gone")
        return await super().load_room(room_id)

    def come_back(self) -> None:
        self.is_away = False
        self.commit = super().commit  # type: ignore[method-assign]  # its own again


@pytest.mark.parametrize("is_stored", [True, False])
async def test_where_who_sat_down_as_the_database_went_away_sits_is_found_out(
    database: Database, is_stored: bool
) -> None:
    store, clock = Vanishing(database, is_stored=is_stored), FakeClock()
    user = await guest(database, "ann", COINS)
    rooms = Rooms(fake_sources(store, clock))  # type: ignore[arg-type]  # another than that of memory
    with pytest.raises(StoreError):
        await rooms.open(CLASSIC, Player(user.id, user.name, user.coins, user.points), private=True)
    room_id = rooms.room_of(user.id)
    assert room_id is not None
    store.come_back()
    clock.advance_to(clock.now_ms() + RETRY_AFTER_MS)
    [room] = rooms.running
    await room.idle()
    assert rooms.room_of(user.id) == (room_id if is_stored else None)
    assert await store.open_room_ids() == ([room_id] if is_stored else [])
    assert bool(rooms.by_invite(room.state.invite or "")) == is_stored
    await rooms.stop()
