"""The server is told to end, or stands still, and the database goes away and comes back: nothing is lost.

Real processes and sockets where a process is at issue, a table on a clock that stands still elsewhere.
"""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest
from httpx import AsyncClient
from sqlalchemy import Connection

from app.chaos.checks import faults_of
from app.chaos.journal import Journal
from app.chaos.pairs import play_pairs
from app.chaos.server import Server
from app.cli.server import LEAVE_SECONDS
from app.rooms.connection import CloseCode
from app.rooms.stopping import RETRY_AFTER_MS
from app.store.audit import audit
from app.store.database import Database
from tests.integration.private_postgres import private_postgres
from tests.integration.sql_tables import SqlTable, sql_table
from tests.integration.stories import execute, migrate_in_a_hurry
from tests.tables import Reader

PATIENCE = 60.0
TABLES = 2
SLACK_SECONDS = 10.0  # to write down where it waits and to be gone, on a busy machine
IN_VAIN = 20  # answers to others: what was under way has arrived by then


class Play:
    """A server that is played on from two tables, and what its players were told."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.journal = Journal()
        self.over = asyncio.Event()

    async def more(self, name: str, number: int) -> None:
        """Until that many more of ``name`` have been counted."""
        wanted = self.journal.counts[name] + number
        async with asyncio.timeout(PATIENCE):
            while self.journal.counts[name] < wanted:  # noqa: ASYNC110 - the players count, nobody signals
                await asyncio.sleep(0.01)


@asynccontextmanager
async def playing(database_url: str, log: Path) -> AsyncIterator[Play]:
    """At the end everybody finishes what he has begun, the server ends, and everything must hold."""
    play = Play(Server(database_url, log))
    await play.server.start()
    assert await play.server.ready()
    tables = [
        asyncio.create_task(play_pairs(play.server.url, "classic64-1", Random(n), play.journal, play.over))
        for n in range(TABLES)
    ]
    try:
        await play.more("acks", 20)
        yield play
        await play.more("acks", 20)
        play.over.set()
        await asyncio.wait_for(asyncio.gather(*tables), PATIENCE)
        await play.server.stop(5.0)
    finally:
        for table in tables:
            table.cancel()
        await play.server.kill()
    database = Database(database_url)
    assert await faults_of(database, play.journal) == []
    await database.close()


async def test_sigterm_tells_the_clients_and_loses_nothing(database_url: str, tmp_path: Path) -> None:
    async with playing(database_url, tmp_path / "log") as play:
        await asyncio.gather(play.more("closed_1012", 4), play.server.stop(5.0))
        await play.server.start()
        assert await play.server.ready()
    assert {name for name in play.journal.counts if name.startswith("closed_")} == {"closed_1012"}


async def test_sigterm_is_obeyed_in_time_though_the_writer_stands_still(
    database_url: str, tmp_path: Path
) -> None:
    async with playing(database_url, tmp_path / "log") as play:
        [writer] = play.server.writers()
        os.kill(writer, signal.SIGSTOP)
        await leaves_in_time(play)
        await comes_back(play)


async def test_sigterm_is_obeyed_in_time_though_postgresql_says_nothing(tmp_path: Path) -> None:
    with private_postgres() as postgres:
        await asyncio.to_thread(migrate_in_a_hurry, postgres.url)
        async with playing(postgres.url, tmp_path / "log") as play:
            postgres.stand_still()
            try:
                await leaves_in_time(play)
            finally:
                postgres.go_on()
            await comes_back(play)


async def leaves_in_time(play: Play) -> None:
    """By itself, while a move waits for what stands still."""
    await a_move_waits(play)
    play.server.signal(signal.SIGTERM)
    assert await play.server.died(LEAVE_SECONDS + SLACK_SECONDS)
    assert play.server.exit_status == 1
    assert b"Timeout (0:00:04.5" in play.server.log.read_bytes()


async def a_move_waits(play: Play) -> None:
    """Until one has no answer and none comes to any, while who asks for nothing stored has his each time."""
    counts, in_vain = play.journal.counts, 0
    async with AsyncClient(base_url=play.server.url) as http, asyncio.timeout(PATIENCE):
        while in_vain < IN_VAIN:
            answered = counts["answered"]
            assert (await http.get("/healthz")).status_code == 200
            in_vain = in_vain + 1 if answered == counts["answered"] < counts["sent"] else 0


async def comes_back(play: Play) -> None:
    """What waited when it left is sent again, and everything must hold."""
    await play.server.start()
    assert await play.server.ready()
    await play.more("resent", 1)


@pytest.mark.long
async def test_a_server_that_stood_still_goes_on(database_url: str, tmp_path: Path) -> None:
    async with playing(database_url, tmp_path / "log") as play:
        play.server.signal(signal.SIGSTOP)
        await asyncio.sleep(10)
        play.server.signal(signal.SIGCONT)


async def test_postgresql_restarts_under_load(tmp_path: Path) -> None:
    with private_postgres() as postgres:
        await asyncio.to_thread(migrate_in_a_hurry, postgres.url)
        async with playing(postgres.url, tmp_path / "log") as play:
            async with AsyncClient(base_url=play.server.url) as http:
                assert (await http.get("/readyz")).status_code == 200
                await asyncio.to_thread(postgres.stop, "immediate")
                assert (await http.get("/readyz")).status_code == 503
                assert (await http.get("/healthz")).status_code == 200
                await play.more("retried", 2)  # answered `internal`: to be sent again
                await asyncio.to_thread(postgres.start)
                await play.more("acks", 20)
                assert (await http.get("/readyz")).status_code == 200
            await asyncio.to_thread(postgres.stop, "fast")
            await asyncio.to_thread(postgres.start)


async def test_postgresql_that_says_nothing_any_more_is_given_up() -> None:
    with private_postgres() as postgres:
        await asyncio.to_thread(migrate_in_a_hurry, postgres.url)
        database, patient = Database(postgres.url, answers_within=3.0), Database(postgres.url)
        try:
            table = await sql_table(database)
            readers = await table.playing()
            postgres.stand_still()
            try:
                async with asyncio.timeout(PATIENCE):
                    *_, answer = await act_until("err", table, readers)
            finally:
                postgres.go_on()
            assert (answer["code"], answer["retry"]) == ("internal", True)
            await table.pass_time(RETRY_AFTER_MS)
            # what was given up may have been done all the same, even now
            await act_until("ack", table, readers)
            assert (await audit(patient)).fault is None
            await table.room.stop(CloseCode.END)
        finally:
            for each in (database, patient):
                await each.close()


async def test_what_a_server_was_left_with_is_locked_no_longer() -> None:
    """The line was cut in the midst of a transaction: nobody says that it is over."""
    with private_postgres() as postgres:
        await asyncio.to_thread(migrate_in_a_hurry, postgres.url)
        database, other = Database(postgres.url, answers_within=1.0), Database(postgres.url)
        lock = "SELECT balance FROM accounts WHERE id = 'issuance' FOR UPDATE"
        async with database._backend._engine.connect() as left:  # type: ignore[attr-defined]  # PostgreSQL's
            await left.exec_driver_sql(lock)
            await other.write(lambda connection: connection.exec_driver_sql(lock))  # in less than BUSY_MS
            await left.invalidate()
        for each in (database, other):
            await each.close()


# --- SQLite that cannot write -------------------------------------------------------------------------------


async def pragma(database: Database, statement: str) -> Any:
    """On the one connection that writes, outside any transaction."""

    def run(connection: Connection) -> Any:
        return connection.connection.driver_connection.execute(f"PRAGMA {statement}").fetchone()  # type: ignore[union-attr]  # on purpose

    return await database.connected(run)


async def fill(database: Database) -> None:
    """Not one page more than there are."""
    (pages,) = await pragma(database, "page_count")
    await pragma(database, f"max_page_count = {pages}")


async def make_room(database: Database) -> None:
    await pragma(database, "max_page_count = 1000000")


async def forbid(database: Database) -> None:
    await pragma(database, "query_only = ON")


async def allow(database: Database) -> None:
    await pragma(database, "query_only = OFF")


Change = Callable[[Database], Awaitable[None]]


@pytest.mark.parametrize(("breaks", "mends"), [(fill, make_room), (forbid, allow)], ids=["full", "read-only"])
async def test_what_cannot_be_written_is_refused_and_goes_on_later(
    database: Database, breaks: Change, mends: Change
) -> None:
    table = await sql_table(database)
    readers = await table.playing()
    await breaks(database)
    reader, question, answer = await act_until("err", table, readers)
    assert (answer["code"], answer["retry"]) == ("internal", True)
    before = table.state
    assert (await table.act(reader, question["opts"][0]["o"]))["code"] == "internal"
    assert table.state == before  # nothing has changed in memory, and nobody was shown anything
    await mends(database)
    again = await table.act(reader, question["opts"][0]["o"])
    assert (again["m"], again["dup"]) == ("ack", False)
    assert table.state.seq >= before.seq
    assert (await audit(database)).fault is None
    acked = {ack["id"] for each in readers for ack in each.of("ack")}
    stored = {row[0] for row in await execute(database, "SELECT action_id FROM answers")}
    assert acked == stored
    await table.room.stop(CloseCode.END)


async def act_until(
    wanted: str, table: SqlTable, readers: tuple[Reader, Reader]
) -> tuple[Reader, dict[str, Any], dict[str, Any]]:
    """Play until somebody is told this: who, what he was asked, and what he was told."""
    for _ in range(500):
        for reader in readers:
            sitting = table.state.at(table.seat_of(reader))
            if sitting.decision is None:
                continue
            question = reader.question
            answer = await table.act(reader, question["opts"][0]["o"])
            if answer["m"] == wanted:
                return reader, question, answer
        if all(table.state.at(seat).decision is None for seat in (0, 1)):
            await table.pass_time(1_000)
    raise AssertionError(f"nobody got an {wanted}")
