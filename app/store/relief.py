"""Relief and the day's coins: :class:`app.economy.relief.Reliefs` over a database."""

from __future__ import annotations

from datetime import date

from sqlalchemy import Connection, func, or_, select, text

from app.economy.postings import daily_key, daily_posting, relief_key, relief_posting
from app.economy.relief import DailyTaken, DuringRound, Relief, ReliefNotNeeded, ReliefTerms, ReliefUsedUp
from app.rooms.ports import RoundStatus
from app.store.database import Database
from app.store.ledger import lock_purse
from app.store.models import PostingRow, RoundRow
from app.store.models.rooms import LIVE
from app.store.settlement import write_postings
from app.store.users import lock_player


class SqlReliefs:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def grant(self, user_id: str, terms: ReliefTerms, day: date, at_ms: int) -> Relief:
        return await self._database.write(lambda connection: _grant(connection, user_id, terms, day, at_ms))

    async def daily_left(self, user_id: str, day: date) -> bool:
        return await self._database.read(lambda connection: not _is_taken(connection, user_id, day))

    async def grant_daily(self, user_id: str, coins: int, day: date, at_ms: int) -> int:
        return await self._database.write(lambda c: _grant_daily(c, user_id, coins, day, at_ms))


def _grant_daily(connection: Connection, user_id: str, coins: int, day: date, at_ms: int) -> int:
    lock_player(connection, user_id)
    if coins == 0 or _is_taken(connection, user_id, day):
        raise DailyTaken
    held = lock_purse(connection, user_id)
    _require_no_round(connection, user_id)
    write_postings(connection, [(daily_posting(user_id, day, coins), at_ms)])
    return held + coins


def _is_taken(connection: Connection, user_id: str, day: date) -> bool:
    taken = select(PostingRow.id).where(PostingRow.key == daily_key(user_id, day))
    return connection.scalar(taken) is not None


def _grant(connection: Connection, user_id: str, terms: ReliefTerms, day: date, at_ms: int) -> Relief:
    lock_player(connection, user_id)
    held = lock_purse(connection, user_id)
    _require_no_round(connection, user_id)
    if held >= terms.below:
        raise ReliefNotNeeded
    used = _used(connection, user_id, terms, day)
    if used >= terms.per_day:
        raise ReliefUsedUp
    posting = relief_posting(user_id, day, used + 1, terms.coins, held)
    write_postings(connection, [(posting, at_ms)])
    return Relief(terms.coins, held + terms.coins, terms.per_day - used - 1)


def _require_no_round(connection: Connection, user_id: str) -> None:
    """Asked under the lock of the purse, which a round that starts takes too: one of them comes first.

    Raises:
        DuringRound: a round of his has started.
    """
    running = select(RoundRow.id).where(
        text(LIVE),  # to the letter, or SQLite reads all rounds there ever were
        RoundRow.status == RoundStatus.RUNNING.value,
        or_(RoundRow.player0 == user_id, RoundRow.player1 == user_id),
    )
    if connection.scalar(running.limit(1)) is not None:
        raise DuringRound


def _used(connection: Connection, user_id: str, terms: ReliefTerms, day: date) -> int:
    keys = [relief_key(user_id, day, number + 1) for number in range(terms.per_day)]
    used = select(func.count()).select_from(PostingRow).where(PostingRow.key.in_(keys))
    return int(connection.scalar(used) or 0)
