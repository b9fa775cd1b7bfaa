"""Rounds that are over, for everybody to read: :class:`app.rooms.records.Records` over a database."""

from __future__ import annotations

from sqlalchemy import Connection, select

from app.rooms.ports import RoundStatus
from app.rooms.records import FinishedRound
from app.store.database import Database
from app.store.models import ActionRow, RoundRow, UserRow
from app.store.rows import round_of

_OVER = (RoundStatus.FINISHED.value, RoundStatus.VOIDED.value, RoundStatus.WITHDRAWN.value)


class SqlRecords:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def finished(self, round_id: str) -> FinishedRound | None:
        return await self._database.read(lambda connection: _finished(connection, round_id))


def _finished(connection: Connection, round_id: str) -> FinishedRound | None:
    over = select(RoundRow.__table__).where(RoundRow.id == round_id, RoundRow.status.in_(_OVER))
    row = connection.execute(over).one_or_none()
    if row is None:
        return None
    named = select(UserRow.id, UserRow.name).where(UserRow.id.in_((row.player0, row.player1)))
    names = {user.id: user.name for user in connection.execute(named)}
    played = select(ActionRow.seat, ActionRow.code).where(ActionRow.round_id == round_id)
    actions = connection.execute(played.order_by(ActionRow.n))
    return FinishedRound(
        record=round_of(row),
        names=(names[row.player0], names[row.player1]),
        actions=tuple((action.seat, action.code) for action in actions),
        proposed_ms=row.created_ms,
        ended_ms=row.ended_ms,
    )
