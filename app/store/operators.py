"""Operator accounts, made from the command line. Source: PROTOCOL §1."""

from __future__ import annotations

from sqlalchemy import Connection, select, update
from ulid import ULID

from app.economy.operators import By, Change, Role
from app.economy.users import User
from app.store.audit_log import write_changes
from app.store.database import Database
from app.store.models import UserRow
from app.store.player_desk import lock_owners
from app.store.users import insert_user


class OperatorExists(Exception):
    """Somebody with a role has this name already."""


async def create_operator(
    database: Database, name: str, password_hash: str, role: Role | None, at_ms: int
) -> User:
    """A new account with a role, and no coins; by default the first becomes owner, the others operators.

    It is itself the first entry under its name in the audit log.

    Raises:
        OperatorExists: the name is taken.
    """
    return await database.write(lambda c: _create(c, name, password_hash, role, at_ms))


def _create(connection: Connection, name: str, password_hash: str, role: Role | None, at_ms: int) -> User:
    has_owner = bool(lock_owners(connection))
    if connection.scalar(select(UserRow.id).where(UserRow.name == name, UserRow.role.is_not(None)).limit(1)):
        raise OperatorExists(name)
    given = role or (Role.OPERATOR if has_owner else Role.OWNER)
    user = User(id=str(ULID()), name=name, coins=0, points=0, is_guest=False, role=given)
    insert_user(connection, user, at_ms)
    secret = {"password_hash": password_hash, "role": given.value}
    connection.execute(update(UserRow).where(UserRow.id == user.id).values(secret))
    by = By(user.id, "create-operator", at_ms)
    write_changes(connection, [Change(by, "player.role", user.id, None, {"role": given.value})])
    return user
