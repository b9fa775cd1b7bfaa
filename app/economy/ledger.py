"""The coin ledger: double entry, append-only, integers only. Source: RULES §9.

An *account* is a text: ``user:<id>`` for a player's purse, else one of the house's own. A *posting* is one
group of entries that sums to zero and is written once, under its unique key. A balance is the sum of an
account's entries and, except for a book's issuance, is never negative.

There are two books. Rounds with a computer seat are kept in the practice book, whose accounts all begin with
``practice:``; no posting touches both, so nothing played there reaches a player's coins.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

HOUSE_RAKE = "house:rake"
HOUSE_ESCAPES = "house:escapes"
HOUSE_FEES = "house:fees"
ISSUANCE = "issuance"  # where coins come from: its balance is minus all coins in play
PRACTICE = "practice:"  # how every account of the practice book begins
PRACTICE_ISSUANCE = f"{PRACTICE}{ISSUANCE}"
ISSUANCES = (ISSUANCE, PRACTICE_ISSUANCE)
COMPUTER_ID = "computer"  # the user id of every seat the server plays itself


class PostingKind(StrEnum):
    GRANT = "grant"  # a new player's first coins
    RELIEF = "relief"
    DAILY = "daily"  # a little for everybody who comes, once a day
    FEE = "fee"
    SETTLEMENT = "settlement"
    REFUND = "refund"
    FAREWELL = "farewell"  # what a player who leaves for good gives back
    ADJUSTMENT = "adjustment"  # an operator gives coins, or takes them
    PRACTICE = "practice"  # practice coins for a purse that cannot pay the entry


def purse(user_id: str) -> str:
    """The account of a player."""
    return f"user:{user_id}"


def owner_of(account: str) -> str | None:
    """Whose purse an account is; None for the house's own.

    >>> owner_of(purse("01JD")), owner_of(ISSUANCE)
    ('01JD', None)
    """
    kind, _, user_id = account.partition(":")
    return user_id if kind == "user" else None


@dataclass(frozen=True, slots=True)
class Book:
    """Where a round's coins are kept: the players' own, or practice coins.

    In the practice book ``learner`` is the player who sits across from the computer: his partner's purse is
    his too, so that no two tables share one.

    >>> Book().purse("01JD"), Book("01JD").purse("01JD"), Book("01JD").purse(COMPUTER_ID)
    ('user:01JD', 'practice:user:01JD', 'practice:bot:01JD')
    """

    learner: str | None = None

    @property
    def is_practice(self) -> bool:
        return self.learner is not None

    def purse(self, user_id: str) -> str:
        if self.learner is None:
            return purse(user_id)
        return f"{PRACTICE}{'bot' if user_id == COMPUTER_ID else 'user'}:{self.learner}"

    def house(self, account: str) -> str:
        """One of the house's accounts, as this book has it."""
        return f"{PRACTICE}{account}" if self.is_practice else account


PLAY = Book()


class UnbalancedPosting(ValueError):
    """A posting whose entries do not sum to zero in one book: a fault of ours, never of a player."""


@dataclass(frozen=True, slots=True)
class Posting:
    """One indivisible movement of coins.

    ``entries`` maps account to signed coins. ``expect`` holds the balances the amounts were computed from:
    who writes the posting refuses it when one has moved since. ``key`` is unique for ever, so that the same
    settlement can never be written twice.

    Raises:
        UnbalancedPosting: the entries do not sum to zero, touch both books, or one is not an int.
    """

    key: str
    kind: PostingKind
    entries: Mapping[str, int]
    round_id: str | None = None
    expect: Mapping[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        is_whole = all(type(amount) is int for amount in self.entries.values())
        books = {account.startswith(PRACTICE) for account in self.entries}
        if not is_whole or sum(self.entries.values()) != 0 or len(books) > 1:
            raise UnbalancedPosting(f"{self.key}: {dict(self.entries)}")
