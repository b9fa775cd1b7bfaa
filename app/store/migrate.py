"""Bringing a database to the schema this code was written for."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

from app.store.database import Database

MIGRATIONS = Path(__file__).parents[2] / "migrations"


class SchemaError(Exception):
    """The database is not one this code can work with."""


class Unreachable(SchemaError):
    """It cannot be opened: its file, or its server."""


class NewerSchema(SchemaError):
    """The database was migrated by a later version of the program."""


class BrokenReferences(SchemaError):
    """After a migration rows refer to rows that do not exist."""


async def upgrade(url: str, revision: str = "head") -> None:
    """Run the migrations that are missing, each in its own transaction. A missing SQLite file is made.

    Raises:
        NewerSchema: nothing was touched.
    """
    await _run(url, lambda config: command.upgrade(config, revision))


def upgrade_now(url: str) -> None:
    """:func:`upgrade` for callers without an event loop."""
    asyncio.run(upgrade(url))


async def downgrade(url: str, revision: str) -> None:
    """Go back to ``revision``; what later migrations added is lost."""
    await _run(url, lambda config: command.downgrade(config, revision))


async def check(url: str) -> None:
    """Do nothing if the schema is exactly this code's.

    Raises:
        NewerSchema: it is a later version's.
        SchemaError: migrations are missing, or there is no database.
    """
    database = Database(url, for_migration=True)
    try:
        if database.file is not None and not database.file.exists():
            raise SchemaError(f"there is no database at {database.file}")
        with _as_unreachable():
            current = await database.read(_known_revision)
    finally:
        await database.close()
    head = ScriptDirectory.from_config(_config()).get_current_head()
    if current != head:
        raise SchemaError(f"the database is at revision {current}, this program needs {head}: run `migrate`")


async def _run(url: str, migrate: Callable[[Config], None]) -> None:
    database = Database(url, for_migration=True)

    def work(connection: Connection) -> None:
        _known_revision(connection)
        connection.rollback()  # alembic opens a transaction for each migration
        config = _config()
        config.attributes["connection"] = connection
        migrate(config)
        if database.file is not None:
            _check_references(connection)

    try:
        with _as_unreachable():
            if database.file is not None:
                database.file.parent.mkdir(parents=True, exist_ok=True)
            await database.connected(_known_revision)
        await database.connected(work)
    finally:
        await database.close()


@contextmanager
def _as_unreachable() -> Iterator[None]:
    try:
        yield
    except (DBAPIError, OSError) as error:
        reason = error.orig if isinstance(error, DBAPIError) else error
        raise Unreachable(f"the database cannot be opened: {reason}") from error


def _known_revision(connection: Connection) -> str | None:
    current = MigrationContext.configure(connection).get_current_revision()
    known = {script.revision for script in ScriptDirectory.from_config(_config()).walk_revisions()}
    if current is not None and current not in known:
        raise NewerSchema(
            f"the database is at revision {current}, which this program does not know: "
            "it was migrated by a newer version. Start that version, or restore a backup."
        )
    return current


def _check_references(connection: Connection) -> None:
    broken = connection.exec_driver_sql("PRAGMA foreign_key_check").fetchall()
    if broken:
        raise BrokenReferences(f"rows without their parent, the first in table {broken[0][0]}")


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.set_main_option("path_separator", "os")
    return config
