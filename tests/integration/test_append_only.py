"""The database itself keeps the ledger and the operators' log from being rewritten."""

from __future__ import annotations

import pytest
from sqlalchemy.exc import IntegrityError

from app.economy.operators import By
from app.economy.player_desk import Sanction
from app.store import migrate
from app.store.database import Database
from app.store.player_desk import SqlPlayerDesk
from tests.integration.stories import execute, play_a_round

ON_EVERY_DATABASE = True

BEFORE = "20261129_13"  # the schema without the triggers
COLUMNS = {  # every one of them is proof of something
    "postings": ("id", "key", "kind", "round_id", "at_ms"),
    "entries": ("posting_id", "account_id", "amount"),
    "audit_log": ("id", "at_ms", "operator_id", "action", "subject", "before", "after", "reason"),
}


async def with_a_past(database: Database) -> None:
    """At least one row in each table."""
    batch = await play_a_round(database)
    first, second = (result.user_id for result in batch.results)
    await SqlPlayerDesk(database).sanction(first, Sanction.MUTE, True, By(second, "x", 1))


async def rows_of(database: Database, table: str) -> list[str]:
    return sorted(map(repr, await execute(database, f"SELECT * FROM {table}")))


async def refused(database: Database, table: str, statement: str, why: str = "is only ever added to") -> None:
    before = await rows_of(database, table)
    assert before
    with pytest.raises(IntegrityError, match=why):
        await execute(database, statement)
    assert await rows_of(database, table) == before


@pytest.mark.parametrize("table", COLUMNS)
async def test_no_column_of_a_row_is_changed(database: Database, table: str) -> None:
    await with_a_past(database)
    for column in COLUMNS[table]:
        await refused(database, table, f"UPDATE {table} SET {column} = {column}")
    found = await database.read(
        lambda connection: connection.exec_driver_sql(f"SELECT * FROM {table}").keys()
    )
    assert set(found) == set(COLUMNS[table])


@pytest.mark.parametrize("table", COLUMNS)
async def test_no_row_goes(database: Database, table: str, database_kind: str) -> None:
    await with_a_past(database)
    await refused(database, table, f"DELETE FROM {table}")
    if database_kind == "postgresql":
        await refused(database, table, f"TRUNCATE {table} CASCADE")
        await refused(database, table, "TRUNCATE users CASCADE")  # which takes all that refers to them along


@pytest.mark.sqlite_only
@pytest.mark.parametrize("table", COLUMNS)
async def test_no_row_is_replaced(database: Database, table: str) -> None:
    await with_a_past(database)
    await refused(database, table, f"INSERT OR REPLACE INTO {table} SELECT * FROM {table}")
    if table == "postings":  # of another id
        other = "SELECT 'x' || id, key, kind, round_id, at_ms FROM postings"
        await refused(database, table, f"REPLACE INTO postings {other}", "FOREIGN KEY")


async def test_the_schema_before_knows_no_such_thing(database: Database, database_url: str) -> None:
    await with_a_past(database)
    kept = [await rows_of(database, table) for table in COLUMNS]
    await database.close()
    await migrate.downgrade(database_url, BEFORE)
    older = Database(database_url)
    for table, columns in COLUMNS.items():
        await execute(older, f"UPDATE {table} SET {columns[-1]} = {columns[-1]}")
    assert [await rows_of(older, table) for table in COLUMNS] == kept
    await older.close()
    await migrate.upgrade(database_url)
    again = Database(database_url)
    assert [await rows_of(again, table) for table in COLUMNS] == kept
    await refused(again, "entries", "DELETE FROM entries")
    await again.close()
