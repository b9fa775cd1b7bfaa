"""What the database's own errors mean to those who declared the ports."""

from __future__ import annotations

from sqlalchemy.exc import IntegrityError

_SQLITE_TAKEN = {1555, 2067}  # SQLITE_CONSTRAINT_PRIMARYKEY, SQLITE_CONSTRAINT_UNIQUE
_POSTGRESQL_TAKEN = "23505"  # unique_violation


def is_taken(error: IntegrityError) -> bool:
    """A unique value is there already, as opposed to a missing parent or a failed check."""
    cause = error.orig
    code = getattr(cause, "sqlite_errorcode", None)
    return code in _SQLITE_TAKEN or getattr(cause, "sqlstate", None) == _POSTGRESQL_TAKEN
