"""Coins, points and standings, which move together: the only place where a balance changes.

What is concerned is locked first and read by it, in the one order all writers keep: users, accounts,
standings; tallies follow when they are written. What is written is worked out from that. Where all that is
known already, it is required as it is written. Source: RULES §9; docs/adr/0013.
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from operator import attrgetter

from sqlalchemy import Connection, bindparam, select
from sqlalchemy.exc import IntegrityError

from app.economy.ledger import Posting, owner_of, purse
from app.rooms.ports import AlreadySettled, BalanceMoved, ResultRecord, StoreError
from app.store.bulk import Inserts, Lookup, Part, Requires, Updates
from app.store.faults import is_taken
from app.store.ledger import ACCOUNTS, HELD, THERE, balances_of, open_practice_accounts, post
from app.store.models import PostingRow, ResultRow, UserRow
from app.store.standings import (
    STANDINGS,
    STOOD,
    Key,
    Standing,
    keys_of,
    move_standings,
    standings_of,
)
from app.store.steps import Row
from app.store.together import lock_together, write_together

_USERS = Lookup(UserRow, ("id", "points", "banned_ms"))
_RESULT = tuple(ResultRecord.__dataclass_fields__)
_VALUES = attrgetter(*_RESULT)
_RESULTS = Inserts(ResultRow, (*_RESULT, "at_ms"))
_SETTLED = select(PostingRow.key).where(PostingRow.key.in_(bindparam("keys", expanding=True)))
_UNBANNED = Requires(UserRow, ("id",), empty=("banned_ms",))
_POINTS = Updates(UserRow, ("id", "points", "points"), keys=2)  # from so many to so many


@dataclass(frozen=True)
class Settlement:
    """What moves. ``postings`` come with their time, results with theirs and the day they count for; ``held``
    is what accounts must hold beforehand, whether a posting touches them or not.
    """

    postings: Sequence[tuple[Posting, int]]
    held: Sequence[tuple[str, int]] = ()
    results: Sequence[tuple[ResultRecord, int, date]] = ()

    @cached_property
    def accounts(self) -> list[str]:
        touched = {account for posting, _ in self.postings for account in (*posting.entries, *posting.expect)}
        return sorted(touched | {account for account, _ in self.held})

    @property
    def moves_nothing(self) -> bool:
        return not self.postings and not self.results

    @property
    def dated_results(self) -> list[tuple[ResultRecord, date]]:
        return [(result, day) for result, _, day in self.results]

    @cached_property
    def places(self) -> list[Key]:
        """The standings that move."""
        return keys_of(self.users, self.dated_results)

    @cached_property
    def users(self) -> list[str]:
        """Who owns a purse that is touched, or gets a result: his place on a board may move."""
        owners = (owner_of(account) for posting, _ in self.postings for account in posting.entries)
        return sorted({result.user_id for result, *_ in self.results} | {user for user in owners if user})


@dataclass(frozen=True, slots=True)
class Known:
    """What a settlement is worked out from: the points of who gets a result, the balances of the accounts and
    the standings concerned as far as there are any, and which of the users are banned.
    """

    points: Mapping[str, int]
    balances: Mapping[str, int]
    standings: Mapping[Key, Standing]
    banned: Container[str]


@dataclass(frozen=True, slots=True)
class Written:
    """How a settlement is written, its coins first, then what moves with them; and the standings then."""

    coins: Sequence[Part] = ()
    places: Sequence[Part] = ()
    standings: Mapping[Key, Standing] = field(default_factory=dict)


def write_postings(connection: Connection, dated: Sequence[tuple[Posting, int]]) -> None:
    """Write postings, each with its time in epoch ms, in order, inside the caller's transaction.

    Raises:
        BalanceMoved: a purse holds something else than expected, or less than is taken.
        AlreadySettled: a posting with this key exists.
        StoreError: an account does not exist.
    """
    written = read_and_work_out(connection, Settlement(dated))
    try:
        write_together(connection, [*written.coins, *written.places])
    except IntegrityError as error:
        if settled := refusal_of(error):
            raise settled from error
        raise


def read_and_work_out(connection: Connection, settlement: Settlement) -> Written:
    """Lock and read what is concerned, and work out from that what is to be written.

    Raises:
        BalanceMoved: as :func:`work_out`.
        AlreadySettled: that, because a posting with this key exists.
        StoreError: an account or a user does not exist.
    """
    known = look_up(connection, settlement)
    try:
        return work_out(settlement, known)
    except BalanceMoved as error:
        keys = [posting.key for posting, _ in settlement.postings]
        if settled := connection.scalars(_SETTLED, {"keys": keys}).all():
            raise AlreadySettled(", ".join(settled)) from error
        raise


def look_up(connection: Connection, settlement: Settlement) -> Known:
    """Lock and read what a settlement is worked out from.

    Raises:
        StoreError: an account or a user does not exist.
    """
    accounts, users = settlement.accounts, settlement.users
    open_practice_accounts(connection, accounts)
    rows, balances, standings = lock_together(
        connection,
        [
            (_USERS, [(user_id,) for user_id in users]),
            (ACCOUNTS, [(account,) for account in accounts]),
            (STANDINGS, settlement.places),
        ],
    )
    if missing := set(users) - {row[0] for row in rows}:
        raise StoreError(f"no such user: {', '.join(sorted(missing))}")
    return Known(
        {user_id: points for user_id, points, _ in rows},
        balances_of(balances, accounts),
        standings_of(standings),
        {user_id for user_id, _, banned_ms in rows if banned_ms is not None},
    )


def work_out(settlement: Settlement, known: Known) -> Written:
    """What is to be written, after a check of what was expected.

    Raises:
        BalanceMoved: a purse or a player's points are something else than expected, or less than is taken.
    """
    after, coins = post(settlement.postings, settlement.held, known.balances)
    held = {user_id: after[purse(user_id)] for user_id in settlement.users if purse(user_id) in after}
    standings, places = move_standings(known.standings, held, settlement.dated_results, known.banned)
    return Written(coins, [*_score(settlement, known.points), *places], standings)


def guards(settlement: Settlement, known: Known) -> list[Part]:
    """That purses and standings are as known, and nobody is banned; locked in the order of all writers.

    What is known of the house's own accounts is only what they get.
    """
    purses = [account for account in settlement.accounts if owner_of(account) is not None]
    others = [account for account in settlement.accounts if owner_of(account) is None]
    return [
        (_UNBANNED, [(user_id,) for user_id in settlement.users]),
        (THERE, [(account,) for account in others]),
        (HELD, [(account, known.balances[account]) for account in purses]),
        (STOOD, [tuple(row.values()) for _, row in sorted(known.standings.items())]),
    ]


def refusal_of(error: IntegrityError) -> AlreadySettled | None:
    """A posting with this key, or this round's result, exists."""
    if is_taken(error, PostingRow.__tablename__) or is_taken(error, ResultRow.__tablename__):
        return AlreadySettled(str(error.orig))
    return None


def _score(settlement: Settlement, points: Mapping[str, int]) -> list[Part]:
    """The results, and the points they bring."""
    after = dict(points)
    for result, *_ in settlement.results:
        if after[result.user_id] != result.points_before:
            raise BalanceMoved(f"{result.round_id}: {result.user_id} has {after[result.user_id]} points")
        after[result.user_id] = result.points_after
    results: list[Row] = [(*_VALUES(result), at_ms) for result, at_ms, _ in settlement.results]
    scored = sorted({result.user_id for result, *_ in settlement.results})
    return [(_RESULTS, results), (_POINTS, [(each, points[each], after[each]) for each in scored])]
