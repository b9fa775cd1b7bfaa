"""What the database's own errors mean to those who declared the ports."""

from __future__ import annotations

import re
import sqlite3
import traceback

from sqlalchemy.exc import DBAPIError, IntegrityError

from app.rooms.ports import StoreError

_SQLITE_TAKEN = {1555, 2067}  # SQLITE_CONSTRAINT_PRIMARYKEY, SQLITE_CONSTRAINT_UNIQUE
_POSTGRESQL_TAKEN = "23505"  # unique_violation
# lock_not_available, read_only_sql_transaction, insufficient_resources (a full disk above all)
_POSTGRESQL_FOR_ALL = ("55P03", "25006", "53")
_POSTGRESQL_NO_NUMBER = "22P02"  # invalid_text_representation
MISSING = "missing row: "  # what PostgreSQL is made to say, and then the table
# connection, operator intervention, system, internal: what became of the statement is not said
_POSTGRESQL_IN_DOUBT = ("08", "57", "58", "XX")


def is_refused(error: Exception) -> bool:
    """The database has answered that it will not: what the statement was to do is not done."""
    state = _sqlstate_of(error)
    return state is not None and not state.startswith(_POSTGRESQL_IN_DOUBT)


def let_go(error: BaseException | None) -> None:
    """Empty the frames an error has come through, and its causes: they and the error hold on to each other,
    30 kB a failed connection, until the collector comes, which is seldom (app/cli/tuning.py).
    """
    while error is not None and not isinstance(error, StoreError):  # which others hold, in frames that go on
        traceback.clear_frames(error.__traceback__)
        error = error.__cause__


def concerns_all(error: BaseException | None) -> bool:
    """Whoever writes would be refused now, or somebody keeps locked what was to be changed: in parts it would
    be refused as well, and each might take as long.
    """
    return isinstance(error, DBAPIError) and (_sqlstate_of(error) or "").startswith(_POSTGRESQL_FOR_ALL)


def missing_table(error: DBAPIError) -> str | None:
    """The table, when a statement of ours has made PostgreSQL say that a row is missing there, in whatever
    language: it is given a text where a number belongs, and quotes it. Nothing that players send goes where a
    number belongs.
    """
    if _sqlstate_of(error) != _POSTGRESQL_NO_NUMBER:
        return None
    told = re.search(rf"{MISSING}(\w+)", str(error.orig))
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
    for each in (cause, getattr(cause, "__cause__", None)):  # SQLAlchemy puts an error of its own around it
        if (table := getattr(each, "table_name", None)) is not None:
            return str(table)
    return None
