"""The connections that write stay open, and are no worse for what has happened on them."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable

import pytest
from sqlalchemy import Connection, text
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session

from app.store.database import Database
from app.store.models import AccountRow
from app.store.postgresql import WRITERS
from app.store.steps import Step
from tests.integration import postgres
from tests.integration.stories import execute

ON_EVERY_DATABASE = APART = True
NOTHING = Step("SELECT 1", [()])
NAMES = [f"kept-{number}" for number in range(2 * WRITERS)]


async def opened(database: Database) -> list[str]:
    """The accounts these tests have opened."""
    rows = await execute(database, "SELECT id FROM accounts WHERE id LIKE 'kept-%' ORDER BY id")
    return [row[0] for row in rows]


def nothing() -> None:
    """Nobody is told that it begins."""


async def open_account(
    database: Database, name: str, *, and_fail: bool = False, begins: Callable[[], None] = nothing
) -> None:
    def work(connection: Connection) -> None:
        begins()
        with Session(connection) as session:
            session.add(AccountRow(id=name, balance=0))
            session.flush()
        if and_fail:
            connection.execute(text("INSERT INTO nowhere VALUES (1)"))

    await database.write(work)


def opens(name: str) -> Step:
    """An account, in the words of every driver."""
    return Step(f"INSERT INTO accounts (id, balance) VALUES ('{name}', 0)", [()])


async def test_a_statement_that_fails_leaves_nothing_behind(database: Database) -> None:
    for name in NAMES:
        with pytest.raises(SQLAlchemyError):
            await open_account(database, name, and_fail=True)
        await open_account(database, name)
    assert await opened(database) == NAMES


async def test_more_at_once_than_are_kept(database: Database) -> None:
    await asyncio.gather(*(open_account(database, name) for name in NAMES))
    assert await opened(database) == NAMES


async def test_who_has_gone_away_is_written_before_the_database_is_closed(
    database: Database, database_url: str
) -> None:
    await open_account(database, NAMES[0])
    before, begun = asyncio.all_tasks(), threading.Event()
    writing = asyncio.create_task(open_account(database, NAMES[1], begins=begun.set))
    while not begun.is_set():  # noqa: ASYNC110  # on PostgreSQL it must not get further than that
        await asyncio.sleep(0)
    writing.cancel()
    await asyncio.gather(writing, return_exceptions=True)
    await database.close()
    assert asyncio.all_tasks() <= before
    again = Database(database_url)
    assert await opened(again) == NAMES[:2]
    await again.close()


async def test_a_statement_that_commits_itself_is_through_before_the_database_is_closed(
    database: Database, database_url: str
) -> None:
    writing = asyncio.create_task(database.write_at_once([opens("kept-0")]))
    await asyncio.sleep(0)
    await database.close()
    await writing
    again = Database(database_url)
    assert await opened(again) == ["kept-0"]
    await again.close()


async def test_rows_that_rooms_write_are_looked_up_however_few_there_are(
    database: Database, database_kind: str
) -> None:
    if database_kind != "postgresql":
        pytest.skip("it reads no table whole that has an index")

    look = "EXPLAIN (FORMAT JSON) SELECT FROM users WHERE id = 'ann' FOR KEY SHARE"
    begins = "DO $$ DECLARE plan json; BEGIN EXECUTE $q$"
    fails = "IF plan::text NOT LIKE '%Index%' THEN RAISE 'read whole: %', plan; END IF"
    await database.write_at_once([Step(f"{begins}{look}$q$ INTO plan; {fails}; END $$", [()])])


async def test_one_failure_is_all_that_broken_connections_cost(
    database: Database, database_url: str, database_kind: str
) -> None:
    if database_kind != "postgresql":
        pytest.skip("no server that could end them")
    await asyncio.gather(*(open_account(database, name) for name in NAMES[:WRITERS]))
    for _ in range(WRITERS):
        await database.write_at_once([NOTHING])
    name = database_url.rpartition("/")[2]
    ours = f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'"
    await asyncio.to_thread(postgres.run, ours)
    with pytest.raises(SQLAlchemyError):
        await open_account(database, NAMES[WRITERS])
    await database.write_at_once([NOTHING])
    await database.write(lambda c: c.execute(text("SELECT 1")).scalar())
    await asyncio.gather(*(open_account(database, name) for name in NAMES[WRITERS:]))
    assert await opened(database) == NAMES
