"""A database that stands still is told within seconds, and holds up no more than one who asks."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from app.store import database as module
from app.store.database import Database
from app.store.writer_process import WriterProcess
from tests.integration import postgres

ON_EVERY_DATABASE = True

PATIENCE = 10.0


async def test_a_database_that_stands_still_is_asked_once(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    goes_on, asked = asyncio.Event(), 0
    read = database.read

    async def stands_still(work: Callable[..., Any]) -> Any:
        nonlocal asked
        asked += 1
        await goes_on.wait()
        return await read(work)

    monkeypatch.setattr(database, "read", stands_still)
    with monkeypatch.context() as patience:
        patience.setattr(module, "READY_SECONDS", 0.01)
        for _ in range(3):
            assert await asyncio.gather(*(database.answers() for _ in range(20))) == [False] * 20
    assert asked == 1
    goes_on.set()
    assert await database.answers()
    assert await database.answers()
    assert asked == 2


async def test_who_goes_away_takes_no_answer_from_others(database: Database) -> None:
    first, second = asyncio.create_task(database.answers()), asyncio.create_task(database.answers())
    await asyncio.sleep(0)
    first.cancel()
    assert await second


@pytest.mark.sqlite_only
async def test_it_is_closed_while_it_is_asked(database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    asked, goes_on = asyncio.Event(), asyncio.Event()

    async def stands_still(self: WriterProcess) -> None:
        asked.set()
        await goes_on.wait()

    monkeypatch.setattr(WriterProcess, "begin", stands_still)
    monkeypatch.setattr(module, "READY_SECONDS", 2 * PATIENCE)
    database = Database(database_url, apart=True)
    asking = asyncio.create_task(database.answers())
    async with asyncio.timeout(PATIENCE):
        await asked.wait()
        await database.close()
    with pytest.raises(asyncio.CancelledError):
        await asking


async def test_a_server_that_lets_nobody_write_is_not_ready(migrated_postgres: str) -> None:
    """A standby, or one whose disk an operator has closed."""
    name = f"{migrated_postgres}_standby"
    await asyncio.to_thread(postgres.run, f"CREATE DATABASE {name} TEMPLATE {migrated_postgres}")
    database = Database(postgres.url_of(name))
    assert await database.answers()
    await asyncio.to_thread(postgres.run, f"ALTER DATABASE {name} SET default_transaction_read_only = on")
    standby = Database(postgres.url_of(name))
    assert not await standby.answers()
    for each in (database, standby):
        await each.close()
    await asyncio.to_thread(postgres.run, f"DROP DATABASE {name} WITH (FORCE)")
