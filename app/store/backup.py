"""A copy of a SQLite database while it is written to. PostgreSQL has its own programs for that.

Source: docs/OPERATIONS.md.
"""

from __future__ import annotations

import errno
import os
from pathlib import Path

from sqlalchemy import Connection

from app.store.database import Database


class NotSqlite(Exception):
    """The database is no file."""


async def back_up(database: Database, target: Path) -> None:
    """Write one moment of the database into a new file; writers go on meanwhile.

    Raises:
        NotSqlite: it is a server's.
        FileExistsError: the target is there already.
    """
    if database.file is None:
        raise NotSqlite("a PostgreSQL database is backed up with pg_dump")

    def copy(connection: Connection) -> None:
        if target.exists():
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(target))
        driver = connection.connection.driver_connection
        assert driver is not None  # it has just been taken out of the pool
        driver.execute("VACUUM INTO ?", (str(target),))
        _make_durable(target)

    await database.connected(copy)


def _make_durable(target: Path) -> None:
    for path, flags in ((target, os.O_RDWR), (target.parent, os.O_RDONLY)):
        descriptor = os.open(path, flags)
        os.fsync(descriptor)
        os.close(descriptor)
