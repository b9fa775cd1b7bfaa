"""Rounds that are over, for everybody to read: :class:`app.rooms.records.Records` over a database."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from functools import partial
from typing import Any

from sqlalchemy import Connection, Row, Select, Text, case, cast, select
from sqlalchemy.orm import aliased

from app.rooms.ports import RoundStatus
from app.rooms.records import FinishedRound, Moment, PlayedRound, PointsAt
from app.store.database import Database
from app.store.models import ActionRow, ResultRow, RoomRow, RoundRow, TierRow, UserRow
from app.store.models.rooms import LIVE_ROUNDS
from app.store.rows import found, readable, round_of, tier_of

OVER = tuple(status for status in RoundStatus if status not in LIVE_ROUNDS)
PAGE = 200  # rounds found at a time when all are wanted

_OPPONENT = aliased(ResultRow)
_ROUNDS: Select[Any] = (
    select(
        ResultRow.round_id,
        ResultRow.outcome,
        ResultRow.coins_delta,
        (ResultRow.points_after - ResultRow.points_before).label("points_delta"),
        ResultRow.at_ms,
        case(
            (ResultRow.total_fan > _OPPONENT.total_fan, ResultRow.total_fan), else_=_OPPONENT.total_fan
        ).label("total_fan"),  # the winner's, whoever he was
        RoundRow.base_stake,
        RoundRow.ruleset,
        RoomRow.tier_id,
        TierRow.name.label("tier_name_now"),
        cast(RoomRow.tier, Text).label("tier"),  # read row by row: a torn one is not to hide the rest
        cast(RoundRow.result, Text).label("result"),
        UserRow.id.label("opponent_id"),
        UserRow.name.label("opponent_name"),
    )
    .join(_OPPONENT, (_OPPONENT.round_id == ResultRow.round_id) & (_OPPONENT.user_id != ResultRow.user_id))
    .join(UserRow, UserRow.id == _OPPONENT.user_id)
    .join(RoundRow, RoundRow.id == ResultRow.round_id)
    .join(RoomRow, RoomRow.id == RoundRow.room_id)
    .join(TierRow, TierRow.id == RoomRow.tier_id)
)
_HISTORY = _ROUNDS.order_by(ResultRow.at_ms.desc(), ResultRow.round_id.desc())


class SqlRecords:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def played(self, user_id: str, before: Moment | None, limit: int) -> Sequence[PlayedRound]:
        return await self._database.read(lambda connection: _played(connection, user_id, before, limit))

    async def points(self, user_id: str, limit: int) -> Sequence[PointsAt]:
        latest = (
            select(ResultRow.at_ms, ResultRow.points_after)
            .where(ResultRow.user_id == user_id)
            .order_by(ResultRow.at_ms.desc(), ResultRow.round_id.desc())
            .limit(limit)
        )
        rows = await self._database.read(lambda connection: list(connection.execute(latest)))
        return [PointsAt(row.at_ms, row.points_after) for row in reversed(rows)]

    async def best(self, user_id: str, limit: int) -> Sequence[PlayedRound]:
        wins = (
            _ROUNDS.where(ResultRow.user_id == user_id, ResultRow.outcome == "won")
            .order_by(ResultRow.total_fan.desc(), ResultRow.at_ms.desc(), ResultRow.round_id.desc())
            .limit(limit)
        )
        rows = await self._database.read(lambda connection: list(connection.execute(wins)))
        return list(map(_played_round, rows))

    async def finished(self, round_id: str) -> FinishedRound | None:
        return await self._database.read(lambda connection: finished_round(connection, round_id))

    async def all_finished(self, after: str = "") -> AsyncIterator[str]:
        """The ids of all finished rounds that are not archived, in order, beginning behind ``after``."""
        while ids := await self._database.read(partial(_finished_ids, after=after)):
            for round_id in ids:
                yield round_id
            after = ids[-1]


def _finished_ids(connection: Connection, after: str) -> Sequence[str]:
    finished = select(RoundRow.id).where(
        RoundRow.id > after, RoundRow.status == RoundStatus.FINISHED, RoundRow.archived_ms.is_(None)
    )
    return list(connection.scalars(finished.order_by(RoundRow.id).limit(PAGE)))


def finished_round(connection: Connection, round_id: str) -> FinishedRound | None:
    """None: there is none, or it is not over.

    Raises:
        UNREADABLE: something stored is no value of its kind.
    """
    over = (
        select(RoundRow.__table__, RoomRow.tier)
        .join(RoomRow, RoomRow.id == RoundRow.room_id)
        .where(RoundRow.id == round_id, RoundRow.status.in_(OVER))
    )
    row = connection.execute(over).one_or_none()
    if row is None:
        return None
    named = select(UserRow.id, UserRow.name).where(UserRow.id.in_((row.player0, row.player1)))
    names = {user.id: user.name for user in connection.execute(named)}
    played = select(ActionRow.seat, ActionRow.code).where(ActionRow.round_id == round_id)
    actions = connection.execute(played.order_by(ActionRow.n))
    return FinishedRound(
        record=round_of(row),
        tier=tier_of(row.tier),
        names=(names[row.player0], names[row.player1]),
        actions=tuple((action.seat, action.code) for action in actions),
        proposed_ms=row.created_ms,
        ended_ms=row.ended_ms,
        is_archived=row.archived_ms is not None,
    )


def _played(connection: Connection, user_id: str, before: Moment | None, limit: int) -> Sequence[PlayedRound]:
    own = _HISTORY.where(ResultRow.user_id == user_id).limit(limit)
    if before is not None:
        own = own.where(
            ResultRow.at_ms <= before.at_ms,  # walks the index; the rest only splits a moment
            (ResultRow.at_ms < before.at_ms) | (ResultRow.round_id < before.round_id),
        )
    return [_played_round(row) for row in connection.execute(own)]


def _played_round(row: Row[Any]) -> PlayedRound:
    closing = readable(row.result)
    return PlayedRound(
        round_id=row.round_id,
        tier=(row.tier_id, found(readable(row.tier), "name", default=row.tier_name_now)),
        ruleset=row.ruleset,
        base_stake=row.base_stake,
        opponent=(row.opponent_id, row.opponent_name),
        outcome=row.outcome,
        total_fan=row.total_fan,
        multiplier=found(closing, "settled", "multiplier", default=1),
        fans=_fans(closing),
        coins_delta=row.coins_delta,
        points_delta=row.points_delta,
        at_ms=row.at_ms,
    )


def _fans(closing: Mapping[str, Any]) -> tuple[Mapping[str, Any], ...]:
    """Those whose name and number can be read."""
    fans: list[Any] = found(closing, "won", "fans", default=[])
    return tuple(fan for fan in fans if found(fan, "zh", default="") and found(fan, "count", default=0))
