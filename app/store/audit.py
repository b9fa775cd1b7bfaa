"""The ledger's proof, from one moment of the database. Source: RULES §9, §11.

Every check is one aggregate that returns its first fault and nothing else, so the memory needed here does
not grow with the ledger.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Any, TypeAlias

from sqlalchemy import ColumnElement, Connection, Select, and_, case, func, literal, or_, select

from app.economy.audit import AuditReport, Fault
from app.economy.ledger import COMPUTER_ID, ISSUANCE, ISSUANCES, PLAY, PRACTICE, Book, purse
from app.store.database import Database
from app.store.models import AccountRow, EntryRow, PostingRow, ResultRow, StandingRow, UserRow
from app.store.standings import ALL, LEFT

Checks: TypeAlias = dict[str, Select[*tuple[Any, ...]]]  # by name; each finds rows that are at fault
_OWNS = AccountRow.id == literal(purse("")) + UserRow.id


def _checks() -> Checks:
    """In the order in which they are made: the first fault found is the one reported."""
    return {**_postings(), **_balances(), **_purses(), **_results()}


def _postings() -> Checks:
    """Each posting by itself."""
    total = func.coalesce(func.sum(EntryRow.amount), 0)
    first, last = (pick(_in_practice(EntryRow.account_id)) for pick in (func.min, func.max))
    return {
        "posting_sums_to_zero": (
            select(PostingRow.id, PostingRow.key, total.label("sum"))
            .outerjoin(EntryRow, EntryRow.posting_id == PostingRow.id)
            .group_by(PostingRow.id, PostingRow.key)
            .having(or_(total != 0, func.count(EntryRow.account_id) == 0))
        ),
        "posting_keeps_to_one_book": (
            select(EntryRow.posting_id).group_by(EntryRow.posting_id).having(first != last)
        ),
        "entry_has_a_posting": (
            select(EntryRow.posting_id, EntryRow.account_id)
            .outerjoin(PostingRow, PostingRow.id == EntryRow.posting_id)
            .where(PostingRow.id.is_(None))
        ),
    }


def _balances() -> Checks:
    """Accounts and the entries they are made of."""
    by_account = (
        select(EntryRow.account_id, func.sum(EntryRow.amount).label("total"))
        .group_by(EntryRow.account_id)
        .subquery()
    )
    entered = func.coalesce(by_account.c.total, 0)
    return {
        "balance_equals_its_entries": (
            select(AccountRow.id, AccountRow.balance, entered.label("entries"))
            .outerjoin(by_account, by_account.c.account_id == AccountRow.id)
            .where(AccountRow.balance != entered)
        ),
        "entry_has_an_account": (
            select(by_account.c.account_id)
            .outerjoin(AccountRow, AccountRow.id == by_account.c.account_id)
            .where(AccountRow.id.is_(None))
        ),
        "no_balance_below_zero": (
            select(AccountRow.id, AccountRow.balance).where(
                and_(AccountRow.balance < 0, AccountRow.id.not_in(ISSUANCES))
            )
        ),
    }


def _purses() -> Checks:
    """Who holds coins, and who must not."""
    return {
        "every_user_has_a_purse": (
            select(UserRow.id)
            .outerjoin(AccountRow, _OWNS)
            .where(AccountRow.id.is_(None), UserRow.id != COMPUTER_ID)
        ),
        "who_has_left_holds_nothing": (
            select(UserRow.id, AccountRow.balance)
            .join(AccountRow, _OWNS)
            .where(UserRow.left_ms.is_not(None), AccountRow.balance != 0)
        ),
    }


def _results() -> Checks:
    """Points and standings, which follow from what was played."""
    earned = (
        select(ResultRow.user_id, func.sum(ResultRow.points_after - ResultRow.points_before).label("points"))
        .group_by(ResultRow.user_id)
        .subquery()
    )
    scored = func.coalesce(earned.c.points, 0)
    period = case((UserRow.left_ms.is_(None), ALL), else_=LEFT)
    return {
        "points_equal_their_results": (
            select(UserRow.id, UserRow.points, scored.label("results"))
            .outerjoin(earned, earned.c.user_id == UserRow.id)
            .where(UserRow.points != scored)
        ),
        "standings_follow_points_and_purses": (
            select(UserRow.id, UserRow.points, AccountRow.balance)
            .join(AccountRow, _OWNS)
            .outerjoin(StandingRow, and_(StandingRow.period == period, StandingRow.user_id == UserRow.id))
            .where(
                or_(
                    StandingRow.user_id.is_(None),
                    StandingRow.points != UserRow.points,
                    StandingRow.coins != AccountRow.balance,
                )
            )
        ),
    }


async def audit(database: Database) -> AuditReport:
    """Prove the ledger, or find the first fault."""
    return await database.read(_audit)


def _audit(connection: Connection) -> AuditReport:
    fault = _first_fault(connection)
    totals = {book: _issued_and_held(connection, book) for book in (PLAY, Book(learner=""))}
    issued, held = totals[PLAY]
    for issued_there, held_there in totals.values():
        if fault is None and issued_there != held_there:
            fault = Fault("issued_equals_held", {"issued": issued_there, "held": held_there})
    return AuditReport(
        fault=fault,
        accounts=_count(connection, AccountRow),
        postings=_count(connection, PostingRow),
        entries=_count(connection, EntryRow),
        rounds=connection.scalar(select(func.count(ResultRow.round_id.distinct()))) or 0,
        users=_count(connection, UserRow, UserRow.id != COMPUTER_ID),
        issued=issued,
        held=held,
    )


def _first_fault(connection: Connection) -> Fault | None:
    for name, statement in _checks().items():
        row = (connection.execute(statement.limit(1))).one_or_none()
        if row is not None:
            return Fault(name, {key: _plain(value) for key, value in row._mapping.items()})
    return None


def _plain(value: Any) -> Any:
    """PostgreSQL sums whole numbers to Decimal."""
    return int(value) if isinstance(value, Decimal) else value


def _issued_and_held(connection: Connection, book: Book) -> tuple[int, int]:
    issuance = book.house(ISSUANCE)
    is_own = AccountRow.id.startswith(PRACTICE) if book.is_practice else ~AccountRow.id.startswith(PRACTICE)
    issued = -_sum(connection, AccountRow.id == issuance)
    return issued, _sum(connection, and_(is_own, AccountRow.id != issuance))


def _in_practice(account: Any) -> ColumnElement[int]:
    return case((account.startswith(PRACTICE), 1), else_=0)


def _sum(connection: Connection, which: ColumnElement[bool]) -> int:
    total = select(func.coalesce(func.sum(AccountRow.balance), 0)).where(which)
    return int(connection.scalar(total) or 0)


def _count(connection: Connection, table: Any, *which: ColumnElement[bool]) -> int:
    return connection.scalar(select(func.count()).select_from(table).where(*which)) or 0
