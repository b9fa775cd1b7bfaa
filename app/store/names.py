"""Whose a name is: a registered player's alone, with all that looks like it. Source: PROTOCOL §2.7."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import Connection, bindparam, func, or_, select, update
from sqlalchemy.exc import IntegrityError

from app.economy.accounts import plain_name
from app.economy.users import Name, NameTaken
from app.store.faults import is_taken
from app.store.models import UserRow

_NAMES = 0x6E616D65  # of the locks that this program takes on nothing in particular
_ALIKE = select(UserRow.id).order_by(UserRow.id).with_for_update(key_share=True)
_RENAME = (
    update(UserRow)
    .where(UserRow.id == bindparam("guest"), UserRow.left_ms.is_(None))
    .values(name=bindparam("plain"), guest_key=None)
)


def hold_names(connection: Connection, *, shared: bool = False) -> None:
    """Nobody else gets a name before this transaction ends; ``shared`` with others who hold them so, which
    is for guests' names. Comes before all other locks. SQLite has one writer at a time in any case.
    """
    if connection.dialect.name == "postgresql":
        lock = func.pg_advisory_xact_lock_shared if shared else func.pg_advisory_xact_lock
        connection.execute(select(lock(_NAMES)))


def require_free(connection: Connection, name: Name) -> None:
    """A name that is not to be registered may be anybody's, unless it is a registered player's.

    Raises:
        NameTaken: it is.
    """
    if connection.scalar(select(UserRow.id).where(UserRow.name_key == name.key)) is not None:
        raise NameTaken


@contextmanager
def registering(connection: Connection, name: Name, user_id: str | None = None) -> Iterator[None]:
    """Around the write that makes the name one player's own: guests who are called alike are renamed first.

    They and ``user_id``, whose name it becomes if he is there already, are locked by id, before purses.

    Raises:
        NameTaken: it is another's. Nobody else's rows have a name's key, so what is taken is the name.
    """
    alike = connection.scalars(_ALIKE.where(or_(UserRow.guest_key == name.key, UserRow.id == user_id))).all()
    renamed = [{"guest": guest, "plain": plain_name(guest)} for guest in alike if guest != user_id]
    if renamed:
        connection.execute(_RENAME, renamed)
    try:
        yield
    except IntegrityError as error:
        if is_taken(error):
            raise NameTaken from error
        raise
