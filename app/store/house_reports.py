"""Income and suspects: :class:`app.economy.house_reports.HouseReports` over a database."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from datetime import date, timedelta
from zoneinfo import ZoneInfo

from sqlalchemy import Connection, case, func, select
from sqlalchemy.orm import aliased

from app.economy.house_reports import Fleer, Income, OneSided, Suspects, SuspectTerms
from app.economy.ledger import HOUSE_ESCAPES, HOUSE_FEES, HOUSE_RAKE
from app.economy.periods import starts_ms
from app.store.database import Database
from app.store.models import ActionRow, EntryRow, PostingRow, ResultRow, RoomRow, RoundRow, UserRow

SHOWN = 100  # of each kind of suspect
_SOURCES = {HOUSE_RAKE: "rake", HOUSE_ESCAPES: "escapes", HOUSE_FEES: "fees"}


class SqlHouseReports:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def income(self, days: Sequence[date], zone: ZoneInfo) -> Sequence[Income]:
        return await self._database.read(lambda connection: _income(connection, days, zone))

    async def suspects(self, since_ms: int, terms: SuspectTerms) -> Suspects:
        return await self._database.read(
            lambda c: Suspects(_one_sided(c, since_ms, terms), _fleers(c, since_ms, terms))
        )


def _income(connection: Connection, days: Sequence[date], zone: ZoneInfo) -> list[Income]:
    ends = [starts_ms(day + timedelta(days=1), zone) for day in days]
    nth_day = case(*((PostingRow.at_ms < end, n) for n, end in enumerate(ends))).label("nth_day")
    statement = (
        select(nth_day, RoomRow.tier_id, EntryRow.account_id, func.sum(EntryRow.amount).label("coins"))
        .join(PostingRow, PostingRow.id == EntryRow.posting_id)
        .join(RoundRow, RoundRow.id == PostingRow.round_id)
        .join(RoomRow, RoomRow.id == RoundRow.room_id)
        .where(
            EntryRow.account_id.in_(_SOURCES),
            PostingRow.at_ms >= starts_ms(days[0], zone),
            PostingRow.at_ms < ends[-1],
        )
        .group_by(nth_day, RoomRow.tier_id, EntryRow.account_id)
    )
    found: defaultdict[tuple[int, str], dict[str, int]] = defaultdict(
        lambda: dict.fromkeys(_SOURCES.values(), 0)
    )
    for row in connection.execute(statement):
        found[row.nth_day, row.tier_id][_SOURCES[row.account_id]] += int(row.coins)
    return [Income(days[n], tier_id, **coins) for (n, tier_id), coins in sorted(found.items())]


def _one_sided(connection: Connection, since_ms: int, terms: SuspectTerms) -> list[OneSided]:
    """Pairs (winner, loser) in which the loser has never won."""
    won, lost = aliased(ResultRow), aliased(ResultRow)
    pairs = (
        select(
            won.user_id.label("winner"),
            lost.user_id.label("loser"),
            func.count().label("decided"),
            func.sum(won.coins_delta).label("coins"),
        )
        .join(lost, (lost.round_id == won.round_id) & (lost.outcome == "lost"))
        .where(won.outcome == "won", won.at_ms >= since_ms)
        .group_by(won.user_id, lost.user_id)
        .cte()
    )
    back, winner, loser = pairs.alias(), aliased(UserRow), aliased(UserRow)
    statement = (
        select(
            pairs.c.decided,
            pairs.c.coins,
            winner.id,
            winner.name,
            loser.id.label("loser_id"),
            loser.name.label("loser_name"),
        )
        .join(winner, winner.id == pairs.c.winner)
        .join(loser, loser.id == pairs.c.loser)
        .outerjoin(back, (back.c.winner == pairs.c.loser) & (back.c.loser == pairs.c.winner))
        .where(back.c.winner.is_(None), pairs.c.decided >= terms.decided)
        .order_by(pairs.c.decided.desc(), winner.id, loser.id)
        .limit(SHOWN)
    )
    return [
        OneSided((row.id, row.name), (row.loser_id, row.loser_name), row.decided, int(row.coins))
        for row in connection.execute(statement)
    ]


def _fleers(connection: Connection, since_ms: int, terms: SuspectTerms) -> list[Fleer]:
    """Players who have escaped from rounds that had hardly begun."""
    actions = (
        select(func.count()).where(ActionRow.round_id == ResultRow.round_id).correlate(ResultRow)
    ).scalar_subquery()
    escapes = func.count()
    statement = (
        select(UserRow.id, UserRow.name, escapes.label("escapes"))
        .join(ResultRow, ResultRow.user_id == UserRow.id)
        .where(
            ResultRow.outcome == "escaped",
            ResultRow.at_ms >= since_ms,
            actions <= terms.early_actions,
        )
        .group_by(UserRow.id, UserRow.name)
        .having(escapes >= terms.escapes)
        .order_by(escapes.desc(), UserRow.id)
        .limit(SHOWN)
    )
    return [Fleer((row.id, row.name), row.escapes) for row in connection.execute(statement)]
