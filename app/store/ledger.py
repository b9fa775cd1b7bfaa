"""The ledger's postings, and the balances they come to. Who writes them: ``store/settlement.py``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from sqlalchemy import Connection
from ulid import ULID

from app.economy.ledger import ISSUANCE, ISSUANCES, PRACTICE, Posting, purse
from app.rooms.ports import BalanceMoved, StoreError
from app.store.bulk import Inserts, Lookup, Part, Requires, Updates
from app.store.models import AccountRow, EntryRow, PostingRow
from app.store.together import lock_together, write_together

ACCOUNTS = Lookup(AccountRow, ("id", "balance"))
HELD = Requires(AccountRow, ("id", "balance"))
THERE = Requires(AccountRow, ("id",))
_BALANCES = Updates(AccountRow, ("id", "balance"), summed=("balance",))
_OPENED = Inserts(AccountRow, ("id", "balance"), there=True)
_ENTRIES = Inserts(EntryRow, ("posting_id", "account_id", "amount"))
_POSTINGS = Inserts(PostingRow, ("id", "key", "kind", "round_id", "at_ms"))


def post(
    dated: Sequence[tuple[Posting, int]], held: Iterable[tuple[str, int]], balances: Mapping[str, int]
) -> tuple[Mapping[str, int], list[Part]]:
    """What postings, each with its time in epoch ms, come to in order, and how they are written.

    ``balances`` are those of all accounts concerned, ``held`` what accounts must hold beforehand, whether a
    posting touches them or not; one that is named twice must hold both. Returns the balances afterwards.

    Raises:
        BalanceMoved: a purse holds something else than expected, or less than is taken.
    """
    _require(held, balances, "a settlement")
    after = dict(balances)
    for posting, _ in dated:
        _apply(posting, after)
    rows = [(str(ULID()), posting, at_ms) for posting, at_ms in dated]
    entries = [(row_id, *entry) for row_id, posting, _ in rows for entry in posting.entries.items()]
    moved = [(each, after[each] - held) for each, held in sorted(balances.items()) if after[each] != held]
    return after, [
        (_POSTINGS, [(row_id, p.key, p.kind.value, p.round_id, at_ms) for row_id, p, at_ms in rows]),
        (_ENTRIES, entries),
        (_BALANCES, moved),
    ]


def lock_purse(connection: Connection, user_id: str) -> int:
    """What a player holds, which stays so until the transaction ends. It is locked with issuance, where the
    coins come from or go to that are about to be moved.
    """
    concerned = sorted({ISSUANCE, purse(user_id)})
    [found] = lock_together(connection, [(ACCOUNTS, [(account,) for account in concerned])])
    return balances_of(found, concerned)[purse(user_id)]


def balances_of(found: Iterable[Sequence[int | str]], accounts: Iterable[str]) -> dict[str, int]:
    """From rows of :data:`ACCOUNTS`, by account.

    Raises:
        StoreError: an account does not exist.
    """
    balances = {str(account): int(balance) for account, balance in found}
    if missing := set(accounts) - balances.keys():
        raise StoreError(f"no such account: {', '.join(sorted(missing))}")
    return balances


def open_practice_accounts(connection: Connection, accounts: Iterable[str]) -> None:
    """Accounts of the practice book come into being when they are first used."""
    opened = [(account, 0) for account in sorted(accounts) if account.startswith(PRACTICE)]
    write_together(connection, [(_OPENED, opened)])


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
