"""Writing postings: the only place where a balance changes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any, cast

from sqlalchemy import Connection, Table, bindparam, select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import IntegrityError
from ulid import ULID

from app.economy.ledger import ISSUANCE, ISSUANCES, PRACTICE, Posting, owner_of, purse
from app.rooms.ports import AlreadySettled, BalanceMoved, StoreError
from app.store.bulk import Inserts, Updates
from app.store.faults import is_taken
from app.store.models import AccountRow, EntryRow, PostingRow
from app.store.standings import set_coins

_BALANCES = Updates(AccountRow, ("id", "balance"))
_ENTRIES = Inserts(EntryRow, ("posting_id", "account_id", "amount"))
_LOCK_BALANCES = (
    select(AccountRow.id, AccountRow.balance)
    .where(AccountRow.id.in_(bindparam("accounts", expanding=True)))
    .order_by(AccountRow.id)
    .with_for_update(key_share=True)
)
_POSTINGS = Inserts(PostingRow, ("id", "key", "kind", "round_id", "at_ms"))


def write_postings(
    connection: Connection, dated: Sequence[tuple[Posting, int]], held: Sequence[tuple[str, int]] = ()
) -> None:
    """Write postings, each with its time in epoch ms, in order, inside the caller's transaction.

    ``held`` is what accounts must hold beforehand, whether a posting touches them or not; one that is named
    twice must hold both.

    The accounts concerned are locked in one fixed order first, so that two settlements never wait for
    each other crosswise.

    Raises:
        BalanceMoved: a purse holds something else than expected, or less than is taken.
        AlreadySettled: a posting with this key exists.
        StoreError: an account does not exist.
    """
    if not dated and not held:
        return
    postings = [posting for posting, _ in dated]
    accounts = {account for posting in postings for account in {**posting.entries, **posting.expect}}
    accounts |= {account for account, _ in held}
    _open_practice_accounts(connection, accounts)
    balances = _lock_balances(connection, accounts)
    _require(held, balances, "a settlement")
    rows = [(str(ULID()), posting, at_ms) for posting, at_ms in dated]
    try:
        _POSTINGS.execute(
            connection, [(row_id, p.key, p.kind.value, p.round_id, at_ms) for row_id, p, at_ms in rows]
        )
    except IntegrityError as error:
        if is_taken(error):
            raise AlreadySettled(", ".join(posting.key for posting in postings)) from error
        raise
    after = dict(balances)
    for posting in postings:
        _apply(posting, after)
    entries = [
        (row_id, account, amount)
        for row_id, posting, _ in rows
        for account, amount in posting.entries.items()
    ]
    _ENTRIES.execute(connection, entries)
    moved = [account for account in sorted(after) if after[account] != balances[account]]
    _BALANCES.execute(connection, [(account, after[account]) for account in moved])
    set_coins(connection, {owner: after[a] for a in moved if (owner := owner_of(a)) is not None})


def lock_purse(connection: Connection, user_id: str) -> int:
    """What a player holds, which stays so until the transaction ends. It is locked with issuance, where the
    coins come from or go to that are about to be moved.
    """
    return _lock_balances(connection, {ISSUANCE, purse(user_id)})[purse(user_id)]


def _open_practice_accounts(connection: Connection, accounts: set[str]) -> None:
    """Accounts of the practice book come into being when they are first used."""
    rows = [{"id": account, "balance": 0} for account in sorted(accounts) if account.startswith(PRACTICE)]
    if rows:
        connection.execute(_open_accounts(connection.dialect.name), rows)


@cache
def _open_accounts(dialect: str) -> Any:
    table = cast(Table, AccountRow.__table__)
    statement = (postgresql if dialect == "postgresql" else sqlite).insert(table)
    return statement.on_conflict_do_nothing(index_elements=["id"])


def _lock_balances(connection: Connection, accounts: set[str]) -> Mapping[str, int]:
    balances = {
        row.id: row.balance for row in connection.execute(_LOCK_BALANCES, {"accounts": sorted(accounts)})
    }
    if missing := accounts - balances.keys():
        raise StoreError(f"no such account: {', '.join(sorted(missing))}")
    return balances


def _apply(posting: Posting, balances: dict[str, int]) -> None:
    _require(posting.expect.items(), balances, posting.key)
    for account, amount in posting.entries.items():
        balances[account] += amount
        if balances[account] < 0 and account not in ISSUANCES:
            raise BalanceMoved(f"{posting.key}: {account} would fall below zero")


def _require(held: Iterable[tuple[str, int]], balances: Mapping[str, int], why: str) -> None:
    for account, expected in held:
        if balances[account] != expected:
            raise BalanceMoved(f"{why}: {account} holds {balances[account]}, not {expected}")
