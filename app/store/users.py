"""Players: :class:`app.economy.users.Users` over a database."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from sqlalchemy import Connection, Row, bindparam, delete, insert, literal, select, update
from ulid import ULID

from app.economy.ledger import purse
from app.economy.operators import Role
from app.economy.postings import grant_posting
from app.economy.users import HasLeft, Name, Session, SignIn, User
from app.store.database import Database
from app.store.models import AccountRow, SignInRow, UserRow
from app.store.names import hold_names, require_free
from app.store.settlement import write_postings
from app.store.standings import add_player

USERS = select(
    UserRow.id,
    UserRow.name,
    UserRow.points,
    UserRow.is_guest,
    UserRow.left_ms,
    UserRow.role,
    AccountRow.balance.label("coins"),
).join_from(UserRow, AccountRow, AccountRow.id == literal(purse("")) + UserRow.id)
_BY_IDS = USERS.where(UserRow.id.in_(bindparam("ids", expanding=True)))


class SqlUsers:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def create_guest(self, name: Name, coins: int, sign_in: SignIn, at_ms: int) -> User:
        user = User(id=str(ULID()), name=name.shown, coins=coins, points=0, is_guest=True)

        def work(connection: Connection) -> None:
            hold_names(connection, shared=True)
            require_free(connection, name)
            insert_player(connection, user, at_ms, guest_key=name.key)
            insert_session(connection, user.id, sign_in, at_ms)

        await self._database.write(work)
        return user

    async def session(self, token_sha256: str, at_ms: int) -> Session | None:
        statement = (
            USERS.add_columns(SignInRow.csrf, SignInRow.created_ms, SignInRow.seen_ms)
            .join(SignInRow, SignInRow.user_id == UserRow.id)
            .where(
                SignInRow.token_sha256 == token_sha256,
                SignInRow.expires_ms > at_ms,
                UserRow.banned_ms.is_(None),
            )
        )
        row = await self._database.read(lambda connection: connection.execute(statement).one_or_none())
        if row is None:
            return None
        return Session(user_of(row), csrf=row.csrf, created_ms=row.created_ms, seen_ms=row.seen_ms)

    async def prolong(self, token_sha256: str, at_ms: int, expires_ms: int) -> None:
        stands = (SignInRow.token_sha256 == token_sha256, SignInRow.expires_ms > at_ms)
        statement = update(SignInRow).where(*stands).values(seen_ms=at_ms, expires_ms=expires_ms)
        await self._database.write(lambda connection: connection.execute(statement))

    async def sign_out(self, token_sha256: str) -> None:
        statement = delete(SignInRow).where(SignInRow.token_sha256 == token_sha256)
        await self._database.write(lambda connection: connection.execute(statement))


def select_users(connection: Connection, user_ids: Sequence[str]) -> Sequence[User]:
    """Those of the ids that exist, in no order."""
    return [user_of(row) for row in connection.execute(_BY_IDS, {"ids": user_ids})]


def lock_player(
    connection: Connection, user_id: str, *, from_seats: bool = False
) -> Row[bool, str | None, int | None, int | None]:
    """The player's row, until the transaction ends: whether he is a guest, his password's hash, when he was
    last renamed. Rooms go on referring to him, unless ``from_seats``: who then asks for more than this row
    waits for rooms that may wait for it.

    Raises:
        HasLeft: for good.
    """
    own = select(UserRow.is_guest, UserRow.password_hash, UserRow.renamed_ms, UserRow.left_ms)
    row = connection.execute(own.where(UserRow.id == user_id).with_for_update(key_share=not from_seats)).one()
    if row.left_ms is not None:
        raise HasLeft
    return row


def insert_player(connection: Connection, user: User, at_ms: int, **credentials: str) -> None:
    """A new player, his purse filled from issuance, and his place at the end of every board.

    ``credentials`` are ``name_key`` and ``password_hash`` of who is registered, ``guest_key`` of who is not.
    """
    row = {"id": user.id, "name": user.name, "is_guest": user.is_guest, "points": 0, "created_ms": at_ms}
    connection.execute(insert(UserRow), row | credentials)
    connection.execute(insert(AccountRow), {"id": purse(user.id), "balance": 0})
    if user.coins:
        write_postings(connection, [(grant_posting(user.id, user.coins), at_ms)])
    add_player(connection, user.id, user.coins)


def insert_session(connection: Connection, user_id: str, sign_in: SignIn, at_ms: int) -> None:
    """Open a session; those that have ended by themselves go."""
    connection.execute(delete(SignInRow).where(SignInRow.expires_ms <= at_ms))
    row = {"user_id": user_id, "created_ms": at_ms, "seen_ms": at_ms, **asdict(sign_in)}
    connection.execute(insert(SignInRow), row)


def delete_sessions(connection: Connection, user_id: str) -> Sequence[str]:
    """End all sessions of a player; the SHA-256 of their tokens."""
    ended = delete(SignInRow).where(SignInRow.user_id == user_id).returning(SignInRow.token_sha256)
    return connection.scalars(ended).all()


def user_of(row: Any) -> User:
    """From a row of :data:`USERS`."""
    return User(
        id=row.id,
        name=row.name,
        coins=row.coins,
        points=row.points,
        is_guest=row.is_guest,
        has_left=row.left_ms is not None,
        role=row.role and Role(row.role),
    )
