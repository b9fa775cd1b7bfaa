"""Postings of the events that move coins. One key each, so that nothing is paid twice.

``players`` and ``coins`` go by seat: user ids, and the purses the amounts were computed from. ``book`` says
whose coins move.
"""

from __future__ import annotations

from datetime import date

from app.economy.ledger import (
    HOUSE_ESCAPES,
    HOUSE_FEES,
    HOUSE_RAKE,
    ISSUANCE,
    PLAY,
    PRACTICE_ISSUANCE,
    Book,
    Posting,
    PostingKind,
    purse,
)
from app.economy.settlement import Pair, Settlement

Players = tuple[str, str]


def win_posting(
    round_id: str, settlement: Settlement, players: Players, coins: Pair, book: Book = PLAY
) -> Posting:
    """A won round: the loser's purse to the winner's and to the rake. Source: RULES §9."""
    return _settlement(round_id, settlement, players, coins, book, HOUSE_RAKE)


def escape_posting(
    round_id: str, settlement: Settlement, players: Players, coins: Pair, book: Book = PLAY
) -> Posting:
    """A forfeited round: the penalty to the opponent and to the house. Source: RULES §10."""
    return _settlement(round_id, settlement, players, coins, book, HOUSE_ESCAPES)


def fee_key(round_id: str) -> str:
    """The table fee of a round is paid once."""
    return f"fee:{round_id}"


def fee_posting(round_id: str, table_fee: int, players: Players, coins: Pair) -> Posting:
    """Both players' table fee, as a round starts. Source: RULES §9."""
    entries = {purse(user_id): -table_fee for user_id in players}
    return Posting(
        key=fee_key(round_id),
        kind=PostingKind.FEE,
        entries=entries | {HOUSE_FEES: table_fee * len(players)},
        round_id=round_id,
        expect=_purses(players, coins, PLAY),
    )


def refund_posting(round_id: str, table_fee: int, players: Players) -> Posting:
    """The table fee given back, as a round is voided. Source: RULES §3.6."""
    entries = {purse(user_id): table_fee for user_id in players}
    return Posting(
        key=f"refund:{round_id}",
        kind=PostingKind.REFUND,
        entries=entries | {HOUSE_FEES: -table_fee * len(players)},
        round_id=round_id,
    )


def grant_posting(user_id: str, coins: int) -> Posting:
    """A new player's first coins. Source: RULES §12."""
    return Posting(
        key=f"grant:{user_id}",
        kind=PostingKind.GRANT,
        entries={ISSUANCE: -coins, purse(user_id): coins},
        expect={purse(user_id): 0},
    )


def farewell_posting(user_id: str, held: int) -> Posting:
    """A player leaves for good, and what he held is in play no longer. Source: PROTOCOL §2.7."""
    return Posting(
        key=f"farewell:{user_id}",
        kind=PostingKind.FAREWELL,
        entries={ISSUANCE: held, purse(user_id): -held},
        expect={purse(user_id): held},
    )


def daily_key(user_id: str, day: date) -> str:
    """A player's coins of a day come once."""
    return f"daily:{user_id}:{day.isoformat()}"


def daily_posting(user_id: str, day: date, coins: int) -> Posting:
    """Coins for who comes, once a day."""
    return Posting(
        key=daily_key(user_id, day),
        kind=PostingKind.DAILY,
        entries={ISSUANCE: -coins, purse(user_id): coins},
    )


def practice_posting(occasion: str, user_id: str, coins: int, book: Book) -> Posting:
    """Practice coins for a purse that cannot pay the entry; ``occasion`` is an id. Source: RULES §9."""
    return Posting(
        key=f"practice:{occasion}:{user_id}",
        kind=PostingKind.PRACTICE,
        entries={PRACTICE_ISSUANCE: -coins, book.purse(user_id): coins},
    )


def relief_key(user_id: str, day: date, number: int) -> str:
    """The ``number``-th relief (from 1) of a player's day happens once."""
    return f"relief:{user_id}:{day.isoformat()}:{number}"


def relief_posting(user_id: str, day: date, number: int, coins: int, held: int) -> Posting:
    """Coins for a player who held only ``held``. Source: RULES §12."""
    return Posting(
        key=relief_key(user_id, day, number),
        kind=PostingKind.RELIEF,
        entries={ISSUANCE: -coins, purse(user_id): coins},
        expect={purse(user_id): held},
    )


def adjustment_key(user_id: str, key: str) -> str:
    """An adjustment of a player happens once under the key its operator has chosen, at most 26 characters."""
    return f"adjustment:{user_id}:{key}"


def adjustment_posting(user_id: str, key: str, coins: int) -> Posting:
    """Coins an operator gives to a player, or takes when negative. Source: RULES §9."""
    return Posting(
        key=adjustment_key(user_id, key),
        kind=PostingKind.ADJUSTMENT,
        entries={ISSUANCE: -coins, purse(user_id): coins},
    )


def _settlement(
    round_id: str, settlement: Settlement, players: Players, coins: Pair, book: Book, house_account: str
) -> Posting:
    deltas = {book.purse(user_id): delta for user_id, delta in zip(players, settlement.deltas, strict=True)}
    return Posting(
        key=f"settlement:{round_id}",
        kind=PostingKind.SETTLEMENT,
        entries=deltas | {book.house(house_account): settlement.house},
        round_id=round_id,
        expect=_purses(players, coins, book),
    )


def _purses(players: Players, coins: Pair, book: Book) -> dict[str, int]:
    return {book.purse(user_id): held for user_id, held in zip(players, coins, strict=True)}
