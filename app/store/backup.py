"""A copy of a SQLite database while it is written to. PostgreSQL has its own programs for that.

A file under a backup's name is whole: until it is, it lies beside under a name of its own run's.
Source: docs/OPERATIONS.md.
"""

from __future__ import annotations

import errno
import os
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path

from sqlalchemy import Connection

from app.store.database import Database

PART = ".part"  # what the name of a file ends in that is not whole yet


class NotSqlite(Exception):
    """The database is no file."""


class BackupFailed(Exception):
    """There is no backup, and this is why."""


async def back_up(database: Database, target: Path) -> None:
    """Write one moment of the database into a new file; writers go on meanwhile.

    Raises:
        NotSqlite: it is a server's.
        FileExistsError: the target is there already.
        BackupFailed: it cannot be written, or is not sound; nothing is left of it.
    """
    if database.file is None:
        raise NotSqlite("a PostgreSQL database is backed up with pg_dump")
    await database.connected(partial(_write, target=target))


def _write(connection: Connection, target: Path) -> None:
    _require_free(target)
    try:
        with _part_of(target) as part:
            _copy(connection, part)
            _check(part)
            _make_durable(part, os.O_RDWR)
            _name(part, target)
            _make_durable(target.parent, os.O_RDONLY)
    except FileExistsError:
        raise
    except (sqlite3.Error, OSError) as error:
        raise BackupFailed(str(error)) from error


def _require_free(target: Path) -> None:
    """
    Raises:
        FileExistsError: something has this name.
    """
    if target.exists():
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(target))


@contextmanager
def _part_of(target: Path) -> Iterator[Path]:
    """An empty file beside the target that nobody else writes to or takes away; gone at the end."""
    descriptor, name = tempfile.mkstemp(PART, target.name + ".", target.parent)
    os.close(descriptor)
    part = Path(name)
    try:
        yield part
    finally:
        part.unlink(missing_ok=True)


def _copy(connection: Connection, part: Path) -> None:
    driver = connection.connection.driver_connection
    assert driver is not None  # it has just been taken out of the pool
    driver.execute("VACUUM INTO ?", (str(part),))


def _check(part: Path) -> None:
    """
    Raises:
        BackupFailed: it is not as SQLite wants it, or not one of ours.
        sqlite3.Error: it is no database, or not there.
    """
    # never made here, as a plain name would be; with mode=ro SQLite leaves out the constraints
    with closing(sqlite3.connect(f"{part.as_uri()}?mode=rw", uri=True)) as copy:
        [found] = copy.execute("PRAGMA quick_check(1)").fetchone()
        if found != "ok":
            raise BackupFailed(f"the copy is not sound: {found}")
        if copy.execute("SELECT version_num FROM alembic_version").fetchone() is None:
            raise BackupFailed("the copy is of no version")


def _name(part: Path, target: Path) -> None:
    """
    Raises:
        FileExistsError: somebody else has taken the name meanwhile.
    """
    try:
        os.link(part, target)  # as a rename would replace what is there
    except FileExistsError:
        raise
    except OSError:  # not every file system has links
        _require_free(target)
        part.rename(target)


def _make_durable(path: Path, flags: int) -> None:
    descriptor = os.open(path, flags)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
