"""Accounts: guests for now. Source: PROTOCOL §2."""

from __future__ import annotations

import secrets

from fastapi import APIRouter, Response

from app.api.deps import COOKIE, Acting, InHouse, Policy, SignedIn, token_hash
from app.api.errors import answers
from app.api.schemas import GuestAnswer, GuestRequest, MeAnswer, UserBody
from app.economy.users import SignIn

router = APIRouter(prefix="/api", tags=["accounts"])


@router.post("/guest", responses=answers("bad_request", "foreign_origin", "too_large", "invalid"))
async def create_guest(body: GuestRequest, house: InHouse, response: Response) -> GuestAnswer:
    """A new player in one click, with the coins every new player gets."""
    token, now = secrets.token_urlsafe(32), house.now_ms()
    sign_in = SignIn(token_hash(token), secrets.token_urlsafe(32), now + house.policy.session_ms)
    user = await house.users.create_guest(body.name, house.policy.new_player_coins, sign_in, now)
    _set_cookie(response, token, house.policy)
    return GuestAnswer(user=UserBody.of(user), token=token)


@router.post(
    "/logout", status_code=204, responses=answers("unauthorized", "csrf", "foreign_origin", "too_large")
)
async def logout(caller: Acting, house: InHouse, response: Response) -> None:
    """End this session."""
    await house.users.sign_out(caller.token_sha256)
    response.delete_cookie(COOKIE, secure=house.policy.secure_cookies, httponly=True, samesite="lax")


@router.get("/me", responses=answers("unauthorized"))
async def me(caller: SignedIn, house: InHouse) -> MeAnswer:
    """Who calls, the CSRF value of the session, and the room he sits in."""
    return MeAnswer(
        user=UserBody.of(caller.user),
        role=caller.user.role and caller.user.role.value,
        csrf=caller.csrf,
        room_id=house.rooms.room_of(caller.user.id),
        free_text=house.policy.chat.free_text,
    )


def _set_cookie(response: Response, token: str, policy: Policy) -> None:
    response.set_cookie(
        COOKIE,
        token,
        max_age=policy.session_ms // 1_000,
        secure=policy.secure_cookies,
        httponly=True,
        samesite="lax",
    )
