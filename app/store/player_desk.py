"""Operators' work on players: :class:`app.economy.player_desk.PlayerDesk` over a database."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from sqlalchemy import Connection, Row, Select, and_, func, or_, select, update

from app.economy.ledger import COMPUTER_ID, purse
from app.economy.operators import By, Change, Role
from app.economy.player_desk import (
    Dossier,
    KeyReused,
    LastOwner,
    Listed,
    NoSuchPlayer,
    NotRegistered,
    Sanction,
    WouldOwe,
)
from app.economy.postings import adjustment_key, adjustment_posting
from app.store.audit_log import write_changes
from app.store.database import Database
from app.store.leaderboards import career_of
from app.store.ledger import lock_purse
from app.store.models import EntryRow, PostingRow, SignInRow, UserRow
from app.store.settlement import write_postings
from app.store.standings import put_on_boards, take_off_boards
from app.store.users import USERS, user_of

OWNS = and_(UserRow.role == Role.OWNER.value, UserRow.left_ms.is_(None), UserRow.banned_ms.is_(None))
_SINCE = {Sanction.MUTE: UserRow.muted_ms, Sanction.BAN: UserRow.banned_ms}
_LISTED: Select[Any] = USERS.add_columns(UserRow.muted_ms, UserRow.banned_ms, UserRow.created_ms).where(
    UserRow.id != COMPUTER_ID
)


class SqlPlayerDesk:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def search(self, text: str, after: str | None, limit: int) -> Sequence[Listed]:
        wanted = _LISTED.order_by(UserRow.id).limit(limit)
        if text:
            named = func.lower(UserRow.name).contains(text.lower(), autoescape=True)
            wanted = wanted.where(or_(UserRow.id == text, named))
        if after is not None:
            wanted = wanted.where(UserRow.id > after)
        return await self._database.read(lambda c: [_listed(row) for row in c.execute(wanted)])

    async def dossier(self, user_id: str, at_ms: int) -> Dossier | None:
        return await self._database.read(lambda connection: _dossier(connection, user_id, at_ms))

    async def adjust(self, user_id: str, coins: int, key: str, by: By) -> int:
        return await self._database.write(lambda connection: _adjust(connection, user_id, coins, key, by))

    async def sanction(self, user_id: str, sanction: Sanction, holds: bool, by: By) -> None:
        await self._database.write(lambda c: _sanction(c, user_id, sanction, holds, by))

    async def under(self, sanction: Sanction) -> Collection[str]:
        held = select(UserRow.id).where(_SINCE[sanction].is_not(None))
        return await self._database.read(lambda connection: connection.scalars(held).all())

    async def set_role(self, user_id: str, role: Role | None, by: By) -> None:
        await self._database.write(lambda connection: _set_role(connection, user_id, role, by))


def _listed(row: Row[Any]) -> Listed:
    return Listed(user_of(row), row.muted_ms, row.banned_ms)


def _dossier(connection: Connection, user_id: str, at_ms: int) -> Dossier | None:
    row = connection.execute(_LISTED.where(UserRow.id == user_id)).one_or_none()
    career = career_of(connection, user_id)
    if row is None or career is None:
        return None
    standing = select(func.count()).where(SignInRow.user_id == user_id, SignInRow.expires_ms > at_ms)
    return Dossier(_listed(row), career, row.created_ms, connection.scalar(standing) or 0)


def _lock_user(connection: Connection, user_id: str) -> Row[Any]:
    """The player's row, which nobody else changes until this transaction ends.

    Raises:
        NoSuchPlayer: there is none, or he has left for good.
    """
    own = select(UserRow.__table__).where(
        UserRow.id == user_id, UserRow.id != COMPUTER_ID, UserRow.left_ms.is_(None)
    )
    row = connection.execute(own.with_for_update(key_share=True)).one_or_none()
    if row is None:
        raise NoSuchPlayer(user_id)
    return row


def _adjust(connection: Connection, user_id: str, coins: int, key: str, by: By) -> int:
    """A settlement under way has locked the purse, or finds that it has moved and is computed anew."""
    _lock_user(connection, user_id)
    held = lock_purse(connection, user_id)
    done = _adjusted(connection, user_id, key)
    if done is not None:
        if done != coins:
            raise KeyReused(key)
        return held
    if held + coins < 0:
        raise WouldOwe(-held - coins)
    write_postings(connection, [(adjustment_posting(user_id, key, coins), by.at_ms)])
    before, after = {"coins": held}, {"coins": held + coins}
    write_changes(connection, [Change(by, "player.adjust", user_id, before, after)])
    return held + coins


def _adjusted(connection: Connection, user_id: str, key: str) -> int | None:
    """What was posted under this key already."""
    entered = (
        select(EntryRow.amount)
        .join(PostingRow, PostingRow.id == EntryRow.posting_id)
        .where(PostingRow.key == adjustment_key(user_id, key), EntryRow.account_id == purse(user_id))
    )
    return connection.scalar(entered)


def _sanction(connection: Connection, user_id: str, sanction: Sanction, holds: bool, by: By) -> None:
    if sanction is Sanction.BAN and holds and lock_owners(connection, user_id) == [user_id]:
        raise LastOwner(user_id)
    since = _SINCE[sanction].key
    held = getattr(_lock_user(connection, user_id), since) is not None
    if held == holds:
        return
    _set(connection, user_id, {since: by.at_ms if holds else None})
    if sanction is Sanction.BAN:
        (take_off_boards if holds else put_on_boards)(connection, user_id)
    action = f"player.{sanction.value}" if holds else f"player.lift_{sanction.value}"
    write_changes(connection, [Change(by, action, user_id, {sanction.value: held}, {sanction.value: holds})])


def _set_role(connection: Connection, user_id: str, role: Role | None, by: By) -> None:
    owners = lock_owners(connection, user_id)
    row = _lock_user(connection, user_id)
    if row.is_guest:
        raise NotRegistered(user_id)
    if row.role == role:
        return
    if role is not Role.OWNER and owners == [user_id]:
        raise LastOwner(user_id)
    _set(connection, user_id, {"role": role and role.value})
    write_changes(connection, [Change(by, "player.role", user_id, {"role": row.role}, {"role": role})])


def lock_owners(connection: Connection, user_id: str) -> list[str]:
    """The ids of all owners who can act, whose roles stay as they are until this transaction ends. Whom it is
    about is locked among them, by id like everybody.
    """
    concerned = (
        select(UserRow.id, OWNS.label("owns")).where(or_(OWNS, UserRow.id == user_id)).order_by(UserRow.id)
    )
    return [row.id for row in connection.execute(concerned.with_for_update(key_share=True)) if row.owns]


def _set(connection: Connection, user_id: str, values: dict[str, Any]) -> None:
    connection.execute(update(UserRow).where(UserRow.id == user_id).values(values))
