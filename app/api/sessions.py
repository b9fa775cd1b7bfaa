"""Sessions as clients hold them: a token of their own making never becomes one. Source: PROTOCOL §2.7.

A session begins with a new token and a new CSRF value, whatever the caller brought along. What it has let in
meanwhile – tickets not yet used, open sockets – ends with it, or goes over to the one that takes its place.
"""

from __future__ import annotations

import secrets
from collections.abc import Collection
from dataclasses import dataclass

from fastapi import Response

from app.api.account_schemas import TokenAnswer
from app.api.deps import House, Policy, token_hash
from app.api.schemas import UserBody
from app.economy.users import SignIn, User


@dataclass(frozen=True, slots=True)
class NewSession:
    """The token for the client, and what is stored of it."""

    token: str
    stored: SignIn
    at_ms: int


def new_session(house: House) -> NewSession:
    token, now = secrets.token_urlsafe(32), house.now_ms()
    expires_ms = house.policy.session_ends_ms(created_ms=now, seen_ms=now)
    return NewSession(token, SignIn(token_hash(token), secrets.token_urlsafe(32), expires_ms), now)


def hand_over(response: Response, session: NewSession, user: User, policy: Policy) -> TokenAnswer:
    """The answer that gives the token to the client, as a cookie too."""
    response.set_cookie(
        policy.cookie_name,
        session.token,
        max_age=policy.session_life_ms // 1_000,
        secure=policy.secure_cookies,
        httponly=True,
        samesite="lax",
    )
    return TokenAnswer(user=UserBody.of(user), token=session.token)


async def hand_over_as_stored(house: House, response: Response, session: NewSession) -> TokenAnswer:
    """The same for a player as he stands now; the session may have ended again meanwhile.

    Raises:
        Refused: ``unauthorized``, it has.
    """
    user = (await house.session(session.stored.token_sha256)).user
    return hand_over(response, session, user, house.policy)


def take_back(response: Response, policy: Policy) -> None:
    response.delete_cookie(policy.cookie_name, secure=policy.secure_cookies, httponly=True, samesite="lax")


def end_sessions(house: House, ended: Collection[str]) -> None:
    """These sessions are over, and all they have let in."""
    house.tickets.void(ended)
    house.sockets.end(ended)


def replace_session(house: House, old: str, session: NewSession, ended: Collection[str]) -> None:
    """Of all that are over only ``old`` goes on, as the new session."""
    house.sockets.move(old, session.stored.token_sha256)
    end_sessions(house, ended)
