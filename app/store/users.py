"""Players: :class:`app.economy.users.Users` over a database."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, delete, insert, literal, select
from ulid import ULID

from app.economy.ledger import purse
from app.economy.operators import Role
from app.economy.postings import grant_posting
from app.economy.users import Session, SignIn, User
from app.store.database import Database
from app.store.ledger import write_postings
from app.store.models import AccountRow, SignInRow, UserRow
from app.store.standings import add_player

USERS = select(
    UserRow.id,
    UserRow.name,
    UserRow.points,
    UserRow.is_guest,
    UserRow.role,
    AccountRow.balance.label("coins"),
).join_from(UserRow, AccountRow, AccountRow.id == literal(purse("")) + UserRow.id)


class SqlUsers:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def create_guest(self, name: str, coins: int, sign_in: SignIn, at_ms: int) -> User:
        user = User(id=str(ULID()), name=name, coins=coins, points=0, is_guest=True)

        def work(connection: Connection) -> None:
            insert_user(connection, user, at_ms)
            write_postings(connection, [(grant_posting(user.id, coins), at_ms)])
            _insert_session(connection, user.id, sign_in, at_ms)

        await self._database.write(work)
        return user

    async def session(self, token_sha256: str, at_ms: int) -> Session | None:
        statement = (
            USERS.add_columns(SignInRow.csrf)
            .join(SignInRow, SignInRow.user_id == UserRow.id)
            .where(
                SignInRow.token_sha256 == token_sha256,
                SignInRow.expires_ms > at_ms,
                UserRow.banned_ms.is_(None),
            )
        )
        row = await self._database.read(lambda connection: connection.execute(statement).one_or_none())
        return None if row is None else Session(user=user_of(row), csrf=row.csrf)

    async def sign_out(self, token_sha256: str) -> None:
        statement = delete(SignInRow).where(SignInRow.token_sha256 == token_sha256)
        await self._database.write(lambda connection: connection.execute(statement))


def select_users(connection: Connection, user_ids: Sequence[str]) -> Sequence[User]:
    """Those of the ids that exist, in no order."""
    return [user_of(row) for row in connection.execute(USERS.where(UserRow.id.in_(user_ids)))]


def insert_user(connection: Connection, user: User, at_ms: int) -> None:
    """A new player: his row, an empty purse, a place on the boards."""
    connection.execute(
        insert(UserRow),
        {"id": user.id, "name": user.name, "is_guest": user.is_guest, "points": 0, "created_ms": at_ms},
    )
    connection.execute(insert(AccountRow), {"id": purse(user.id), "balance": 0})
    add_player(connection, user.id)


def _insert_session(connection: Connection, user_id: str, sign_in: SignIn, at_ms: int) -> None:
    connection.execute(delete(SignInRow).where(SignInRow.expires_ms <= at_ms))
    connection.execute(
        insert(SignInRow),
        {
            "token_sha256": sign_in.token_sha256,
            "user_id": user_id,
            "csrf": sign_in.csrf,
            "created_ms": at_ms,
            "expires_ms": sign_in.expires_ms,
        },
    )


def user_of(row: Any) -> User:
    """From a row of :data:`USERS`."""
    return User(
        id=row.id,
        name=row.name,
        coins=row.coins,
        points=row.points,
        is_guest=row.is_guest,
        role=row.role and Role(row.role),
    )
