"""What the database's own errors mean to those who declared the ports."""

from __future__ import annotations

import sqlite3

from sqlalchemy.exc import IntegrityError

_SQLITE_TAKEN = {1555, 2067}  # SQLITE_CONSTRAINT_PRIMARYKEY, SQLITE_CONSTRAINT_UNIQUE
_POSTGRESQL_TAKEN = "23505"  # unique_violation


def is_taken(error: IntegrityError, table: str | None = None) -> bool:
    """A unique value is there already, as opposed to a missing parent or a failed check; ``table``: in this
    one.
    """
    cause = error.orig
    code = getattr(cause, "sqlite_errorcode", None)
    if code not in _SQLITE_TAKEN and getattr(cause, "sqlstate", None) != _POSTGRESQL_TAKEN:
        return False
    return table is None or table == _table_of(cause)


def _table_of(cause: BaseException | None) -> str | None:
    """SQLite names it in the text alone: "UNIQUE constraint failed: table.column, …"."""
    if isinstance(cause, sqlite3.IntegrityError):
        return str(cause).rpartition(": ")[2].partition(".")[0]
    return getattr(cause.__cause__, "table_name", None) if cause is not None else None
