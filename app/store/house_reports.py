"""Income and suspects: :class:`app.economy.house_reports.HouseReports` over a database."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from datetime import date, timedelta
from zoneinfo import ZoneInfo

from sqlalchemy import Connection, Subquery, and_, case, func, select
from sqlalchemy.orm import aliased

from app.economy.house_reports import Fleer, Income, Neighbours, OneSided, Suspects, SuspectTerms
from app.economy.ledger import HOUSE_ESCAPES, HOUSE_FEES, HOUSE_RAKE
from app.economy.periods import day_of, starts_ms
from app.store.database import Database
from app.store.models import ActionRow, EntryRow, MarkRow, PostingRow, ResultRow, RoomRow, RoundRow, UserRow

SHOWN = 100  # of each kind of suspect
_SOURCES = {HOUSE_RAKE: "rake", HOUSE_ESCAPES: "escapes", HOUSE_FEES: "fees"}


class SqlHouseReports:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def income(self, days: Sequence[date], zone: ZoneInfo) -> Sequence[Income]:
        return await self._database.read(lambda connection: _income(connection, days, zone))

    async def suspects(self, since_ms: int, terms: SuspectTerms, zone: ZoneInfo) -> Suspects:
        return await self._database.read(
            lambda connection: Suspects(
                _one_sided(connection, since_ms, terms),
                _fleers(connection, since_ms, terms),
                _neighbours(connection, since_ms, zone),
            )
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
    """Players who have escaped from rounds that had hardly begun; of archived ones that is not known."""
    actions = (
        select(func.count()).where(ActionRow.round_id == ResultRow.round_id).correlate(ResultRow)
    ).scalar_subquery()
    escapes = func.count()
    statement = (
        select(UserRow.id, UserRow.name, escapes.label("escapes"))
        .join(ResultRow, ResultRow.user_id == UserRow.id)
        .join(RoundRow, RoundRow.id == ResultRow.round_id)
        .where(
            ResultRow.outcome == "escaped",
            ResultRow.at_ms >= since_ms,
            RoundRow.archived_ms.is_(None),
            actions <= terms.early_actions,
        )
        .group_by(UserRow.id, UserRow.name)
        .having(escapes >= terms.escapes)
        .order_by(escapes.desc(), UserRow.id)
        .limit(SHOWN)
    )
    return [Fleer((row.id, row.name), row.escapes) for row in connection.execute(statement)]


def _neighbours(connection: Connection, since_ms: int, zone: ZoneInfo) -> list[Neighbours]:
    """Pairs (winner, loser) who shared an address on days they played, and the winner has gained by it."""
    together = _days_together(connection, since_ms, zone)
    if together is None:
        return []
    gained, given = aliased(ResultRow), aliased(ResultRow)
    winner, loser = aliased(UserRow), aliased(UserRow)
    coins = func.sum(gained.coins_delta)
    statement = (
        select(
            together.c.days,
            coins.label("coins"),
            winner.id,
            winner.name,
            loser.id.label("loser_id"),
            loser.name.label("loser_name"),
        )
        .join(winner, winner.id == together.c.one)
        .join(loser, loser.id == together.c.other)
        .join(gained, gained.user_id == winner.id)
        .join(given, and_(given.round_id == gained.round_id, given.user_id == loser.id))
        .where(gained.at_ms >= since_ms)
        .group_by(together.c.days, winner.id, winner.name, loser.id, loser.name)
        .having(coins > 0)
        .order_by(together.c.days.desc(), coins.desc(), winner.id, loser.id)
        .limit(SHOWN)
    )
    return [
        Neighbours((row.id, row.name), (row.loser_id, row.loser_name), row.days, int(row.coins))
        for row in connection.execute(statement)
    ]


def _days_together(connection: Connection, since_ms: int, zone: ZoneInfo) -> Subquery | None:
    """(one, other, days): on how many days two shared an address and finished a round with each other; each
    pair both ways round. None when there are no marks.
    """
    days = connection.scalars(
        select(MarkRow.day).where(MarkRow.day >= day_of(since_ms, zone)).distinct()
    ).all()
    if not days:
        return None
    ours, theirs = aliased(MarkRow), aliased(MarkRow)
    mine, his = aliased(ResultRow), aliased(ResultRow)
    on_day = case(
        *(
            (mine.at_ms.between(starts_ms(day, zone), starts_ms(day + timedelta(days=1), zone) - 1), day)
            for day in days
        )
    )
    return (
        select(
            ours.user_id.label("one"),
            theirs.user_id.label("other"),
            func.count(ours.day.distinct()).label("days"),
        )
        .join(theirs, and_(theirs.day == ours.day, theirs.mark == ours.mark, theirs.user_id != ours.user_id))
        .join(mine, mine.user_id == ours.user_id)
        .join(his, and_(his.round_id == mine.round_id, his.user_id == theirs.user_id))
        .where(mine.at_ms >= since_ms, on_day == ours.day)
        .group_by(ours.user_id, theirs.user_id)
        .subquery()
    )
