"""A copy of a SQLite database while it is written to. PostgreSQL has its own programs for that.

A file under a backup's name is whole: until it is, it lies under another beside. Source: docs/OPERATIONS.md.
"""

from __future__ import annotations

import errno
import os
import sqlite3
from contextlib import closing
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
    part = target.with_name(target.name + PART)
    try:
        part.unlink(missing_ok=True)  # of one that was killed
        try:
            _copy(connection, part)
            _check(part)
            _make_durable(part, os.O_RDWR)
            _name(part, target)
            _make_durable(target.parent, os.O_RDONLY)
        finally:
            part.unlink(missing_ok=True)
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


def _copy(connection: Connection, part: Path) -> None:
    driver = connection.connection.driver_connection
    assert driver is not None  # it has just been taken out of the pool
    driver.execute("VACUUM INTO ?", (str(part),))


def _check(part: Path) -> None:
    """
    Raises:
        BackupFailed: it is not as SQLite wants it.
    """
    with closing(sqlite3.connect(part)) as copy:
        [found] = copy.execute("PRAGMA quick_check(1)").fetchone()
    if found != "ok":
        raise BackupFailed(f"the copy is not sound: {found}")


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
