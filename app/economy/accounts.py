"""Registered players: a name nobody else has, a password, sessions on several devices, and leaving for good.

Storage implements :class:`Accounts`. Passwords come here hashed. Source: PROTOCOL §2.7.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Protocol

from app.economy.users import Name, SignIn, User

LEFT_NAME = "已離開"  # what everybody is called who has left
GUEST_NAME = "訪客"  # with digits after it: whoever has to have a name
GUEST_DIGITS = 8


def plain_name(user_id: str) -> str:
    """What a guest is called whose name has become somebody's own. Nobody can choose such a name.

    >>> plain_name("01KB9F3S5C0000000000000000")
    '訪客36499358'
    """
    number = int.from_bytes(blake2b(user_id.encode(), digest_size=8).digest())
    return f"{GUEST_NAME}{number % 10**GUEST_DIGITS:0{GUEST_DIGITS}}"


class AccountError(Exception):
    """An account does not allow this; nothing has changed."""


class AlreadyRegistered(AccountError):
    """Only a guest can register, and only once."""


class PasswordMoved(AccountError):
    """The password is not the one that was checked any more."""


class RenamedLately(AccountError):
    """Not before ``again_ms``."""

    def __init__(self, again_ms: int) -> None:
        super().__init__(str(again_ms))
        self.again_ms = again_ms


class StillSeated(AccountError):
    """He sits in ``room_id``."""

    def __init__(self, room_id: str) -> None:
        super().__init__(room_id)
        self.room_id = room_id


@dataclass(frozen=True, slots=True)
class Credentials:
    """What a sign-in is checked against."""

    user_id: str
    password_hash: str


@dataclass(frozen=True, slots=True)
class SessionLine:
    """One session in its owner's list."""

    token_sha256: str
    created_ms: int
    seen_ms: int


class Accounts(Protocol):
    """Where sessions end, the SHA-256 of their tokens come back: what hangs on them ends as well.

    Raises:
        HasLeft: from any call about a player who has left for good.
    """

    async def register(self, name: Name, password_hash: str, coins: int, sign_in: SignIn, at_ms: int) -> User:
        """A new player, like a guest, who can sign in again. The name is his alone from now on: guests who
        are called alike are renamed.

        Raises:
            NameTaken: of calls that come together one gets the name.
        """

    async def upgrade(
        self, user_id: str, name: Name, password_hash: str, sign_in: SignIn, at_ms: int
    ) -> Sequence[str]:
        """A guest is registered, as above, and keeps all he has; ``sign_in`` takes the place of his sessions.

        Raises:
            NameTaken: as above.
            AlreadyRegistered: he is no guest, or no longer.
        """

    async def by_key(self, key: str) -> Credentials | None:
        """How the player of this name signs in."""

    async def sign_in(
        self, checked: Credentials, sign_in: SignIn, at_ms: int, better_hash: str | None = None
    ) -> None:
        """One more session; ``better_hash`` is of the same password.

        Raises:
            PasswordMoved: it was changed since it was checked, or the player has left.
        """

    async def sign_out_everywhere(self, user_id: str) -> Sequence[str]:
        """End all sessions of a player."""

    async def sessions(self, user_id: str, at_ms: int) -> Sequence[SessionLine]:
        """Those that stand, newest first."""

    async def rename(self, user_id: str, name: Name, at_ms: int, every_ms: int) -> None:
        """A new name; a registered player may take one every ``every_ms``, as above.

        Raises:
            NameTaken: a registered player has it.
            RenamedLately: too early.
        """

    async def change_password(
        self, checked: Credentials, password_hash: str, sign_in: SignIn, at_ms: int
    ) -> Sequence[str]:
        """A new password; ``sign_in`` takes the place of all sessions.

        Raises:
            PasswordMoved: as above.
        """

    async def leave(self, user_id: str, at_ms: int) -> Sequence[str]:
        """The player goes for good: nothing tells who he was, his coins go back, his sessions end. The rounds
        he played stay, as those of somebody who has left.

        Raises:
            StillSeated: he sits at a table.
        """
