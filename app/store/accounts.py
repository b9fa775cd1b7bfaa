"""Registered players: :class:`app.economy.accounts.Accounts` over a database.

Each call is one transaction, and whose account it is about is locked first: of two that come together the
second sees what the first has left.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, Text, bindparam, cast, or_, select, text, update
from ulid import ULID

from app.economy.accounts import (
    LEFT_NAME,
    AlreadyRegistered,
    Credentials,
    PasswordMoved,
    RenamedLately,
    SessionLine,
    StillSeated,
)
from app.economy.player_desk import LastOwner
from app.economy.postings import farewell_posting
from app.economy.users import Name, SignIn, User
from app.rooms.model import RoomPhase
from app.store.database import Database
from app.store.ledger import lock_purse
from app.store.marks import forget_marks
from app.store.models import EventRow, RoomRow, SignInRow, UserRow
from app.store.models.rooms import NAMES
from app.store.names import hold_names, registering, require_free
from app.store.player_desk import lock_owners
from app.store.rows import readable
from app.store.settlement import write_postings
from app.store.standings import retire_player
from app.store.users import delete_sessions, insert_player, insert_session, lock_player

GUESTS_EVERY_MS = 10_000  # between two names of a guest: each takes its turn among all who are named
_RETELL = (
    update(EventRow)
    .where(EventRow.room_id == bindparam("room"), EventRow.seq == bindparam("number"))
    .values(data=bindparam("told"))
)


class SqlAccounts:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def register(self, name: Name, password_hash: str, coins: int, sign_in: SignIn, at_ms: int) -> User:
        user = User(id=str(ULID()), name=name.shown, coins=coins, points=0, is_guest=False)

        def work(connection: Connection) -> None:
            hold_names(connection)
            with registering(connection, name):
                insert_player(connection, user, at_ms, name_key=name.key, password_hash=password_hash)
            insert_session(connection, user.id, sign_in, at_ms)

        await self._database.write(work)
        return user

    async def upgrade(
        self, user_id: str, name: Name, password_hash: str, sign_in: SignIn, at_ms: int
    ) -> Sequence[str]:
        def work(connection: Connection) -> Sequence[str]:
            hold_names(connection)
            own = {"name": name.shown, "name_key": name.key, "guest_key": None, "renamed_ms": None}
            with registering(connection, name, user_id):
                if not lock_player(connection, user_id).is_guest:
                    raise AlreadyRegistered
                _change(connection, user_id, **own, password_hash=password_hash, is_guest=False)
            return _replace_sessions(connection, user_id, sign_in, at_ms)

        return await self._database.write(work)

    async def by_key(self, key: str) -> Credentials | None:
        found = select(UserRow.id, UserRow.password_hash).where(UserRow.name_key == key)
        row = await self._database.read(lambda connection: connection.execute(found).one_or_none())
        return None if row is None else Credentials(row.id, row.password_hash)

    async def sign_in(
        self, checked: Credentials, sign_in: SignIn, at_ms: int, better_hash: str | None = None
    ) -> None:
        def work(connection: Connection) -> None:
            _require_same_password(connection, checked)
            if better_hash is not None:
                _change(connection, checked.user_id, password_hash=better_hash)
            insert_session(connection, checked.user_id, sign_in, at_ms)

        await self._database.write(work)

    async def sign_out_everywhere(self, user_id: str) -> Sequence[str]:
        return await self._database.write(lambda connection: delete_sessions(connection, user_id))

    async def sessions(self, user_id: str, at_ms: int) -> Sequence[SessionLine]:
        standing = (
            select(SignInRow.token_sha256, SignInRow.created_ms, SignInRow.seen_ms)
            .where(SignInRow.user_id == user_id, SignInRow.expires_ms > at_ms)
            .order_by(SignInRow.created_ms.desc(), SignInRow.token_sha256)
        )
        rows = await self._database.read(lambda connection: connection.execute(standing).all())
        return [SessionLine(row.token_sha256, row.created_ms, row.seen_ms) for row in rows]

    async def rename(self, user_id: str, name: Name, at_ms: int, every_ms: int) -> None:
        def work(connection: Connection) -> None:
            hold_names(connection)
            if connection.scalar(select(UserRow.is_guest).where(UserRow.id == user_id)):
                require_free(connection, name)
                shown = {"name": name.shown, "guest_key": name.key}
                _rename(connection, user_id, at_ms, min(every_ms, GUESTS_EVERY_MS), **shown)
                return
            with registering(connection, name, user_id):
                _rename(connection, user_id, at_ms, every_ms, name=name.shown, name_key=name.key)

        await self._database.write(work)

    async def change_password(
        self, checked: Credentials, password_hash: str, sign_in: SignIn, at_ms: int
    ) -> Sequence[str]:
        def work(connection: Connection) -> Sequence[str]:
            _require_same_password(connection, checked)
            _change(connection, checked.user_id, password_hash=password_hash)
            return _replace_sessions(connection, checked.user_id, sign_in, at_ms)

        return await self._database.write(work)

    async def leave(self, user_id: str, at_ms: int) -> Sequence[str]:
        return await self._database.write(lambda connection: _leave(connection, user_id, at_ms))


def _leave(connection: Connection, user_id: str, at_ms: int) -> Sequence[str]:
    if lock_owners(connection, user_id) == [user_id]:
        raise LastOwner(user_id)
    lock_player(connection, user_id, from_seats=True)
    _require_unseated(connection, user_id)
    held = lock_purse(connection, user_id)
    if held > 0:
        write_postings(connection, [(farewell_posting(user_id, held), at_ms)])
    retire_player(connection, user_id)
    _forget_name(connection, user_id)
    forget_marks(connection, user_id)
    forgotten = ("name_key", "guest_key", "password_hash", "renamed_ms", "role")
    nobody = {"name": LEFT_NAME, "is_guest": False, "left_ms": at_ms, **dict.fromkeys(forgotten)}
    _change(connection, user_id, **nobody)
    return delete_sessions(connection, user_id)


def _forget_name(connection: Connection, user_id: str) -> None:
    """The logs of the rooms he sat in name him too: each of these events says who sat down.

    Of one that cannot be read any more nothing stays but that he did.
    """
    written = cast(EventRow.data, Text)
    named = select(EventRow.room_id, EventRow.seq, written.label("data")).where(
        text(NAMES), written.contains(user_id, autoescape=True)
    )
    nobody = {"user": {"id": user_id, "name": LEFT_NAME}}
    nameless = [
        {"room": row.room_id, "number": row.seq, "told": {**told, **nobody}}
        for row in connection.execute(named)
        if _is_his(told := readable(row.data), user_id)
    ]
    if nameless:
        connection.execute(_RETELL, nameless)


def _is_his(told: Mapping[str, Any], user_id: str) -> bool:
    """Whether it was he who sat down; also when nobody else is named."""
    match told.get("user"):
        case {"id": str(whose)}:
            return whose == user_id
    return True


def _require_unseated(connection: Connection, user_id: str) -> None:
    """A seat that is being taken just now refers to the player, so it is either seen or comes later."""
    is_his = or_(RoomRow.seat0 == user_id, RoomRow.seat1 == user_id)
    room_id = connection.scalars(
        select(RoomRow.id).where(RoomRow.phase != RoomPhase.CLOSED.value, is_his)
    ).first()
    if room_id is not None:
        raise StillSeated(room_id)


def _require_same_password(connection: Connection, checked: Credentials) -> None:
    if lock_player(connection, checked.user_id).password_hash != checked.password_hash:
        raise PasswordMoved


def _rename(connection: Connection, user_id: str, at_ms: int, every_ms: int, **names: str) -> None:
    """
    Raises:
        RenamedLately: less than ``every_ms`` ago.
        HasLeft: for good.
    """
    last_ms = lock_player(connection, user_id).renamed_ms
    if last_ms is not None and at_ms < last_ms + every_ms:
        raise RenamedLately(last_ms + every_ms)
    _change(connection, user_id, **names, renamed_ms=at_ms)


def _change(connection: Connection, user_id: str, **values: Any) -> None:
    connection.execute(update(UserRow).where(UserRow.id == user_id).values(**values))


def _replace_sessions(connection: Connection, user_id: str, sign_in: SignIn, at_ms: int) -> Sequence[str]:
    ended = delete_sessions(connection, user_id)
    insert_session(connection, user_id, sign_in, at_ms)
    return ended
