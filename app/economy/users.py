"""Who owns coins and points, and by what token he is recognised. Storage implements :class:`Users`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from app.economy.operators import Role


@dataclass(frozen=True, slots=True)
class User:
    """A player as he stands now; ``role`` is an operator's."""

    id: str
    name: str
    coins: int
    points: int
    is_guest: bool
    role: Role | None = None


@dataclass(frozen=True, slots=True)
class SignIn:
    """A session to be opened. The token itself stays with the client; here is its SHA-256 in hex."""

    token_sha256: str
    csrf: str
    expires_ms: int


@dataclass(frozen=True, slots=True)
class Session:
    """A session that stands: whose it is, and the value his state-changing calls must show."""

    user: User
    csrf: str


class Users(Protocol):
    async def create_guest(self, name: str, coins: int, sign_in: SignIn, at_ms: int) -> User:
        """A new guest, his purse with ``coins`` from issuance and his first session, all or nothing."""

    async def session(self, token_sha256: str, at_ms: int) -> Session | None:
        """The session of this token, unless it has ended or its player is banned."""

    async def sign_out(self, token_sha256: str) -> None:
        """End a session; an unknown one is ended already."""
