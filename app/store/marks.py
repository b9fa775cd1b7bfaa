"""Marks of the day: :class:`app.economy.marks.Marks` over a database."""

from __future__ import annotations

import secrets
from collections.abc import Collection
from datetime import date, timedelta
from functools import cache
from typing import Any

from sqlalchemy import Connection, delete, select
from sqlalchemy.dialects import postgresql, sqlite

from app.economy.marks import KEPT_DAYS, Seen, mark_of
from app.store.database import Database
from app.store.models import DaySaltRow, MarkRow, UserRow

SALT_BYTES = 32


class SqlMarks:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def note(self, seen: Collection[Seen], today: date) -> None:
        await self._database.write(lambda connection: _note(connection, seen, today))


def forget_marks(connection: Connection, user_id: str) -> None:
    """Whoever leaves for good takes his marks along."""
    connection.execute(delete(MarkRow).where(MarkRow.user_id == user_id))


def _note(connection: Connection, seen: Collection[Seen], today: date) -> None:
    here = _present(connection, {one.user_id for one in seen})
    _destroy_what_is_over(connection, today)
    if not here:
        return
    salt = _salt(connection, today)
    marks = {(one.user_id, mark_of(one.household, salt)) for one in seen if one.user_id in here}
    rows = [{"day": today, "user_id": user_id, "mark": mark} for user_id, mark in sorted(marks)]
    connection.execute(_unless_there(connection.dialect.name, MarkRow), rows)


def _destroy_what_is_over(connection: Connection, today: date) -> None:
    connection.execute(delete(DaySaltRow).where(DaySaltRow.day < today))
    connection.execute(delete(MarkRow).where(MarkRow.day <= today - timedelta(days=KEPT_DAYS)))


def _present(connection: Connection, user_ids: set[str]) -> set[str]:
    """Those who have not left for good, and do not until this transaction ends."""
    present = (
        select(UserRow.id)
        .where(UserRow.id.in_(sorted(user_ids)), UserRow.left_ms.is_(None))
        .order_by(UserRow.id)
        .with_for_update(read=True, key_share=True)
    )
    return set(connection.scalars(present))


def _salt(connection: Connection, day: date) -> bytes:
    """The day's, made by who needs it first."""
    fresh = {"day": day, "salt": secrets.token_hex(SALT_BYTES)}
    connection.execute(_unless_there(connection.dialect.name, DaySaltRow), fresh)
    return bytes.fromhex(connection.scalars(select(DaySaltRow.salt).where(DaySaltRow.day == day)).one())


@cache
def _unless_there(dialect: str, table: Any) -> Any:
    statement = (postgresql if dialect == "postgresql" else sqlite).insert(table.__table__)
    return statement.on_conflict_do_nothing()
