"""Coming in and going out: guests, registration, signing in on several devices. Source: PROTOCOL §2, §2.7."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Response

from app.api.account_schemas import GuestRequest, LoginRequest, RegisterRequest, TokenAnswer
from app.api.deps import Acting, ActingIfKnown, Host, InHouse, Known
from app.api.errors import Refused, answers
from app.api.look_alikes import look_alike_key, own_name
from app.api.passwords import usable
from app.api.sessions import (
    end_sessions,
    hand_over,
    hand_over_as_stored,
    new_session,
    replace_session,
    take_back,
)
from app.economy.accounts import AlreadyRegistered, PasswordMoved
from app.economy.users import NameTaken

router = APIRouter(prefix="/api", tags=["accounts"])

ENTERING = ("bad_request", "foreign_origin", "too_large", "invalid")
STRANGERS_TOO: dict[str, Any] = {"security": [{}]}  # beside the ways to show a session
NEWCOMER = (*ENTERING, "name_taken", "name_reserved", "rate_limited")


@router.post("/guest", responses=answers(*NEWCOMER))
async def create_guest(body: GuestRequest, host: Host, house: InHouse, response: Response) -> TokenAnswer:
    """A new player in one click, with the coins every new player gets."""
    name = own_name(body.name)
    house.doorkeeper.admit_newcomer(host)
    session = new_session(house)
    try:
        user = await house.users.create_guest(
            name, house.policy.new_player_coins, session.stored, session.at_ms
        )
    except NameTaken:
        raise Refused("name_taken") from None
    return hand_over(response, session, user, house.policy)


@router.post(
    "/register",
    openapi_extra=STRANGERS_TOO,
    responses=answers(
        *NEWCOMER, "unauthorized", "csrf", "already_registered", "weak_password", "unavailable"
    ),
)
async def register(
    body: RegisterRequest, caller: ActingIfKnown, host: Host, house: InHouse, response: Response
) -> TokenAnswer:
    """A new player who can sign in again. A guest who calls becomes one himself and keeps all he has."""
    if caller is not None and not caller.user.is_guest:
        raise Refused("already_registered")
    name = own_name(body.name)
    password = usable(body.password, name)
    house.doorkeeper.admit_newcomer(host)
    password_hash = await house.doorkeeper.passwords.hash(password)
    session, accounts, coins = new_session(house), house.accounts, house.policy.new_player_coins
    try:
        if caller is None:
            user = await accounts.register(name, password_hash, coins, session.stored, session.at_ms)
            return hand_over(response, session, user, house.policy)
        ended = await accounts.upgrade(caller.user.id, name, password_hash, session.stored, session.at_ms)
    except NameTaken:
        raise Refused("name_taken") from None
    except AlreadyRegistered:
        raise Refused("already_registered") from None
    replace_session(house, caller.token_sha256, session, ended)
    return await hand_over_as_stored(house, response, session)


@router.post(
    "/login",
    openapi_extra=STRANGERS_TOO,
    responses=answers(*ENTERING, "unauthorized", "bad_credentials", "locked_out", "unavailable"),
)
async def login(
    body: LoginRequest, before: Known, host: Host, house: InHouse, response: Response
) -> TokenAnswer:
    """One more session, by name and password. The one a browser had until now ends."""
    key = look_alike_key(body.name)
    found, better_hash = await house.doorkeeper.recognise(key, body.password, host)
    session = new_session(house)
    try:
        await house.accounts.sign_in(found, session.stored, session.at_ms, better_hash)
    except PasswordMoved:
        raise Refused("bad_credentials") from None
    if before is not None and before.by_cookie:
        await house.users.sign_out(before.token_sha256)
        end_sessions(house, [before.token_sha256])
    return await hand_over_as_stored(house, response, session)


@router.post(
    "/logout", status_code=204, responses=answers("unauthorized", "csrf", "foreign_origin", "too_large")
)
async def logout(caller: Acting, house: InHouse, response: Response) -> None:
    """End this session, and what it has let in."""
    await house.users.sign_out(caller.token_sha256)
    end_sessions(house, [caller.token_sha256])
    take_back(response, house.policy)


@router.post(
    "/logout-everywhere",
    status_code=204,
    responses=answers("unauthorized", "csrf", "foreign_origin", "too_large"),
)
async def logout_everywhere(caller: Acting, house: InHouse, response: Response) -> None:
    """End all sessions of the caller, this one too."""
    end_sessions(house, await house.accounts.sign_out_everywhere(caller.user.id))
    take_back(response, house.policy)
