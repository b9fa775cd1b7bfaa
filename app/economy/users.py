"""Who owns coins and points, and by what token he is recognised. Storage implements :class:`Users`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from app.economy.operators import Role


@dataclass(frozen=True, slots=True)
class Name:
    """A name as it is shown, and the ``key`` that everything looking like it shares."""

    shown: str
    key: str


@dataclass(frozen=True, slots=True)
class User:
    """A player as he stands now; ``role`` is an operator's. Who has left is still the player of his rounds,
    under no name of his own.
    """

    id: str
    name: str
    coins: int
    points: int
    is_guest: bool
    role: Role | None = None
    has_left: bool = False

    @property
    def is_registered(self) -> bool:
        """Whether he can sign in by name and password."""
        return not (self.is_guest or self.has_left)


@dataclass(frozen=True, slots=True)
class SignIn:
    """A session to be opened. The token itself stays with the client; here is its SHA-256 in hex."""

    token_sha256: str
    csrf: str
    expires_ms: int


@dataclass(frozen=True, slots=True)
class Session:
    """A session that stands: whose it is, and the value his state-changing calls must show.

    ``seen_ms`` is when it was last prolonged.
    """

    user: User
    csrf: str
    created_ms: int
    seen_ms: int


class NameTaken(Exception):
    """A registered player has this name, or one that looks like it."""


class HasLeft(Exception):
    """The player has left for good while something of his was still under way."""


class Users(Protocol):
    async def create_guest(self, name: Name, coins: int, sign_in: SignIn, at_ms: int) -> User:
        """A new guest, his purse with ``coins`` from issuance and his first session, all or nothing.

        Raises:
            NameTaken: guests may share a name with each other alone.
        """

    async def session(self, token_sha256: str, at_ms: int) -> Session | None:
        """The session of this token, unless it has ended or its player is banned."""

    async def prolong(self, token_sha256: str, at_ms: int, expires_ms: int) -> None:
        """A session is in use, and so lasts longer; one that has ended stays ended."""

    async def sign_out(self, token_sha256: str) -> None:
        """End a session; an unknown one is ended already."""
