"""What the database's own errors mean to those who declared the ports."""

from __future__ import annotations

import re
import sqlite3

from sqlalchemy.exc import DBAPIError, IntegrityError

_SQLITE_TAKEN = {1555, 2067}  # SQLITE_CONSTRAINT_PRIMARYKEY, SQLITE_CONSTRAINT_UNIQUE
_SQLITE_RAISED = 1811  # SQLITE_CONSTRAINT_TRIGGER
_POSTGRESQL_TAKEN = "23505"  # unique_violation
_POSTGRESQL_NO_NUMBER = "22P02"  # invalid_text_representation
# connection, operator intervention, system, internal: what became of the statement is not said
_POSTGRESQL_IN_DOUBT = ("08", "57", "58", "XX")


def is_refused(error: Exception) -> bool:
    """The database has answered that it will not: what the statement was to do is not done."""
    state = _sqlstate_of(error)
    return state is not None and not state.startswith(_POSTGRESQL_IN_DOUBT)


def told_by(error: DBAPIError, text: str) -> str | None:
    """The word after ``text``, when a statement of ours has made the database say so, whatever its language.

    SQLite has a way to raise an error. PostgreSQL is given a text where a number belongs, and quotes it; and
    nothing that players send goes where a number belongs.
    """
    raised = getattr(error.orig, "sqlite_errorcode", None) == _SQLITE_RAISED
    if not raised and _sqlstate_of(error) != _POSTGRESQL_NO_NUMBER:
        return None
    told = re.search(rf"{re.escape(text)}(\w+)", str(error.orig))
    return told and told[1]


def _sqlstate_of(error: Exception) -> str | None:
    return getattr(getattr(error, "orig", None), "sqlstate", None)


def is_taken(error: IntegrityError, table: str | None = None) -> bool:
    """A unique value is there already, as opposed to a missing parent or a failed check; ``table``: in this
    one.
    """
    cause = error.orig
    code = getattr(cause, "sqlite_errorcode", None)
    if code not in _SQLITE_TAKEN and _sqlstate_of(error) != _POSTGRESQL_TAKEN:
        return False
    return table is None or table == _table_of(cause)


def _table_of(cause: BaseException | None) -> str | None:
    """SQLite names it in the text alone: "UNIQUE constraint failed: table.column, …"."""
    if isinstance(cause, sqlite3.IntegrityError):
        return str(cause).rpartition(": ")[2].partition(".")[0]
    return getattr(cause.__cause__, "table_name", None) if cause is not None else None
