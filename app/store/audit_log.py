"""The log of operators' changes: :class:`app.economy.operators.AuditLog` over a database."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, Row, Select, insert, select
from ulid import ULID

from app.economy.operators import By, Change, LogLine
from app.store.database import Database
from app.store.models import ChangeRow, UserRow

_LINES: Select[Any] = select(ChangeRow.__table__, UserRow.name).join(
    UserRow, UserRow.id == ChangeRow.operator_id
)


def write_changes(connection: Connection, changes: Sequence[Change]) -> None:
    """Add changes to the log, in the transaction that makes them so."""
    if changes:
        connection.execute(insert(ChangeRow), [_row(change) for change in changes])


class SqlAuditLog:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def page(
        self, operator_id: str | None, subject: str | None, before: str | None, limit: int
    ) -> Sequence[LogLine]:
        wanted = _LINES.order_by(ChangeRow.id.desc()).limit(limit)
        if operator_id is not None:
            wanted = wanted.where(ChangeRow.operator_id == operator_id)
        if subject is not None:
            wanted = wanted.where(ChangeRow.subject == subject)
        if before is not None:
            wanted = wanted.where(ChangeRow.id < before)
        return await self._database.read(lambda c: [_line(row) for row in c.execute(wanted)])


def _row(change: Change) -> dict[str, Any]:
    return {
        "id": str(ULID()),
        "at_ms": change.by.at_ms,
        "operator_id": change.by.operator_id,
        "action": change.action,
        "subject": change.subject,
        "before": change.before,
        "after": change.after,
        "reason": change.by.reason,
    }


def _line(row: Row[Any]) -> LogLine:
    by = By(row.operator_id, row.reason, row.at_ms)
    return LogLine(row.id, row.name, Change(by, row.action, row.subject, row.before, row.after))
