"""Players at a table, with the coins of the book they play in. Source: RULES §9."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from sqlalchemy import Connection, select

from app.economy.ledger import COMPUTER_ID, Book
from app.rooms.ports import Player, book_of
from app.rooms.practice import COMPUTER
from app.store.models import AccountRow
from app.store.users import select_users


def select_players(connection: Connection, user_ids: Sequence[str]) -> Mapping[str, Player]:
    """:meth:`app.rooms.ports.RoomStore.players`; a practice purse that was never used holds nothing."""
    players = {
        user.id: Player(user.id, user.name, user.coins, user.points)
        for user in select_users(connection, user_ids)
    }
    book = book_of(user_ids)
    if not book.is_practice:
        return players
    return _in_practice(connection, players | {COMPUTER_ID: COMPUTER}, book)


def _in_practice(connection: Connection, players: Mapping[str, Player], book: Book) -> dict[str, Player]:
    purses = {book.purse(user_id): user_id for user_id in players}
    held = select(AccountRow.id, AccountRow.balance).where(AccountRow.id.in_(purses))
    balances = {purses[row.id]: row.balance for row in connection.execute(held)}
    return {id_: replace(player, coins=balances.get(id_, 0)) for id_, player in players.items()}
