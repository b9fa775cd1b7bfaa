"""Every migration goes down and up again over a database in use, and nothing it does not concern changes."""

from __future__ import annotations

from typing import Any

from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection

from app.rooms.connection import CloseCode
from app.store import migrate
from app.store.audit import audit
from app.store.database import Database
from app.store.models import Base, RoomRow
from tests.integration.sql_tables import sql_table
from tests.integration.test_failed_commits import leave
from tests.integration.test_migrations import is_comparable
from tests.integration.test_room_store import everything

ON_EVERY_DATABASE = True

REVISIONS = [script.revision for script in ScriptDirectory(str(migrate.MIGRATIONS)).walk_revisions()]
LEDGER = "20261129_04"  # what lies below this has no coins to keep
SEEDED = ("tiers", "accounts", "users")  # filled by migrations themselves


async def in_use(database: Database) -> None:
    """One round settled, one running."""
    over, running = [await sql_table(database, seed=seed) for seed in (1, 2)]
    leaver, _ = await over.at_first_turn()
    await leave(over, leaver)
    await running.at_first_turn()
    for table in (over, running):
        await table.room.stop(CloseCode.RESTART)


async def kept(database: Database) -> dict[str, list[str]]:
    """Every row there is, in no order; a tally of nothing is none, and commits are counted anew."""
    tables = await everything(database)
    commits = list(RoomRow.__table__.c.keys()).index("commits")
    tables["rooms"] = [(*row[:commits], *row[commits + 1 :]) for row in tables["rooms"]]
    tables["tallies"] = [row for row in tables["tallies"] if row[-1]]
    return {name: sorted(map(repr, found)) for name, found in tables.items()}


async def test_down_to_each_revision_and_up_again(database: Database, database_url: str) -> None:
    await in_use(database)
    before = await kept(database)
    await database.close()
    for revision in REVISIONS[1 : REVISIONS.index(LEDGER) + 1]:
        await migrate.downgrade(database_url, revision)
        await migrate.upgrade(database_url)
        again = Database(database_url)
        after = await kept(again)
        assert {**after, "tiers": []} == {**before, "tiers": []}, revision
        assert (await audit(again)).fault is None, revision
        assert await again.read(differences) == [], revision
        await again.close()


def differences(connection: Connection) -> list[Any]:
    context = MigrationContext.configure(connection, opts={"include_object": is_comparable})
    return list(compare_metadata(context, Base.metadata))


async def test_all_the_way_down_and_up(database: Database, database_url: str) -> None:
    fresh = await kept(database)
    await in_use(database)
    await database.close()
    for revision in [*REVISIONS[1:], "base"]:
        await migrate.downgrade(database_url, revision)
    await migrate.upgrade(database_url)
    again = Database(database_url)
    assert {**await kept(again), "tiers": []} == {**fresh, "tiers": []}
    await again.close()
