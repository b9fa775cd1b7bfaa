"""Players: :class:`app.economy.users.Users` over a database."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Row, delete, insert, literal, select
from ulid import ULID

from app.economy.ledger import purse
from app.economy.postings import grant_posting
from app.economy.users import Session, SignIn, User
from app.store.database import Database
from app.store.ledger import write_postings
from app.store.models import AccountRow, SignInRow, UserRow

SELECT_USERS = select(
    UserRow.id, UserRow.name, UserRow.points, UserRow.is_guest, AccountRow.balance.label("coins")
).join_from(UserRow, AccountRow, AccountRow.id == literal(purse("")) + UserRow.id)


class SqlUsers:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def create_guest(self, name: str, coins: int, sign_in: SignIn, at_ms: int) -> User:
        user = User(id=str(ULID()), name=name, coins=coins, points=0, is_guest=True)
        async with self._database.write() as connection:
            await connection.execute(
                insert(UserRow),
                {"id": user.id, "name": name, "is_guest": True, "points": 0, "created_ms": at_ms},
            )
            await connection.execute(insert(AccountRow), {"id": purse(user.id), "balance": 0})
            await write_postings(connection, [grant_posting(user.id, coins)], at_ms)
            await connection.execute(delete(SignInRow).where(SignInRow.expires_ms <= at_ms))
            await connection.execute(
                insert(SignInRow),
                {
                    "token_sha256": sign_in.token_sha256,
                    "user_id": user.id,
                    "csrf": sign_in.csrf,
                    "created_ms": at_ms,
                    "expires_ms": sign_in.expires_ms,
                },
            )
        return user

    async def session(self, token_sha256: str, at_ms: int) -> Session | None:
        statement = (
            SELECT_USERS.add_columns(SignInRow.csrf)
            .join(SignInRow, SignInRow.user_id == UserRow.id)
            .where(SignInRow.token_sha256 == token_sha256, SignInRow.expires_ms > at_ms)
        )
        async with self._database.read() as connection:
            row = (await connection.execute(statement)).one_or_none()
        return None if row is None else Session(user=user_of(row), csrf=row.csrf)

    async def sign_out(self, token_sha256: str) -> None:
        async with self._database.write() as connection:
            await connection.execute(delete(SignInRow).where(SignInRow.token_sha256 == token_sha256))


def user_of(row: Row[Any]) -> User:
    return User(id=row.id, name=row.name, coins=row.coins, points=row.points, is_guest=row.is_guest)
