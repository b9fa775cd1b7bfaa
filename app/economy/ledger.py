"""The coin ledger: double entry, append-only, integers only. Source: RULES §9.

An *account* is a text: ``user:<id>`` for a player's purse, else one of the house's own. A *posting* is one
group of entries that sums to zero and is written once, under its unique key. A balance is the sum of an
account's entries and, except for :data:`ISSUANCE`, is never negative.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

HOUSE_RAKE = "house:rake"
HOUSE_ESCAPES = "house:escapes"
HOUSE_FEES = "house:fees"
ISSUANCE = "issuance"  # where coins come from: its balance is minus all coins in play


class PostingKind(StrEnum):
    GRANT = "grant"  # a new player's first coins
    RELIEF = "relief"
    FEE = "fee"
    SETTLEMENT = "settlement"
    REFUND = "refund"


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


class UnbalancedPosting(ValueError):
    """A posting whose entries do not sum to zero: a fault of ours, never of a player."""


@dataclass(frozen=True, slots=True)
class Posting:
    """One indivisible movement of coins.

    ``entries`` maps account to signed coins. ``expect`` holds the balances the amounts were computed from:
    who writes the posting refuses it when one has moved since. ``key`` is unique for ever, so that the same
    settlement can never be written twice.

    Raises:
        UnbalancedPosting: the entries do not sum to zero, or one is not an int.
    """

    key: str
    kind: PostingKind
    entries: Mapping[str, int]
    round_id: str | None = None
    expect: Mapping[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if any(type(amount) is not int for amount in self.entries.values()) or (
            sum(self.entries.values()) != 0
        ):
            raise UnbalancedPosting(f"{self.key}: {dict(self.entries)}")
