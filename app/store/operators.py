"""Operator accounts, made from the command line. Source: PROTOCOL §1."""

from __future__ import annotations

from sqlalchemy import Connection, select
from ulid import ULID

from app.economy.operators import By, Change, Role
from app.economy.users import Name, User
from app.store.audit_log import write_changes
from app.store.database import Database
from app.store.models import UserRow
from app.store.names import hold_names, registering
from app.store.player_desk import OWNS
from app.store.users import insert_player


async def create_operator(
    database: Database, name: Name, password_hash: str, role: Role | None, at_ms: int
) -> User:
    """A new account with a role, and no coins; by default the first becomes owner, the others operators.

    It is itself the first entry under its name in the audit log.

    Raises:
        NameTaken: by any registered player.
    """
    return await database.write(lambda c: _create(c, name, password_hash, role, at_ms))


def _create(connection: Connection, name: Name, password_hash: str, role: Role | None, at_ms: int) -> User:
    hold_names(connection)
    has_owner = connection.scalar(select(UserRow.id).where(OWNS).limit(1)) is not None
    given = role or (Role.OPERATOR if has_owner else Role.OWNER)
    user = User(id=str(ULID()), name=name.shown, coins=0, points=0, is_guest=False, role=given)
    with registering(connection, name):
        insert_player(
            connection, user, at_ms, name_key=name.key, password_hash=password_hash, role=given.value
        )
    by = By(user.id, "create-operator", at_ms)
    write_changes(connection, [Change(by, "player.role", user.id, None, {"role": given.value})])
    return user
