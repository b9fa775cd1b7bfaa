"""One's own account: name, password, sessions, and leaving for good. Source: PROTOCOL §2, §2.7."""

from __future__ import annotations

from fastapi import APIRouter, Response

from app.api.account_schemas import (
    LeaveRequest,
    PasswordRequest,
    RenameRequest,
    SessionBody,
    TokenAnswer,
)
from app.api.deps import Acting, Caller, Host, House, InHouse, SignedIn
from app.api.errors import ACTING, Refused, answers
from app.api.look_alikes import look_alike_key, own_name
from app.api.passwords import usable
from app.api.schemas import Listing, MeAnswer, UserBody
from app.api.sessions import end_sessions, hand_over_as_stored, new_session, replace_session, take_back
from app.economy.accounts import Credentials, PasswordMoved, RenamedLately, StillSeated
from app.economy.periods import day_of
from app.economy.player_desk import LastOwner
from app.economy.users import Name, NameTaken

router = APIRouter(prefix="/api/me", tags=["accounts"])

PROVING = ("bad_credentials", "locked_out", "unavailable")


@router.get("", responses=answers("unauthorized"))
async def me(caller: SignedIn, house: InHouse) -> MeAnswer:
    """Who calls, the CSRF value of the session, and the room he sits in."""
    return MeAnswer(
        user=UserBody.of(caller.user),
        role=caller.user.role and caller.user.role.value,
        csrf=caller.csrf,
        room_id=house.rooms.table_of(caller.user.id),
        free_text=house.policy.chat.free_text,
        daily=await _daily_left(caller.user.id, house),
    )


async def _daily_left(user_id: str, house: House) -> bool:
    today = day_of(house.now_ms(), house.policy.zone)
    return house.policy.daily_coins > 0 and await house.reliefs.daily_left(user_id, today)


@router.get("/sessions", responses=answers("unauthorized"))
async def sessions(caller: SignedIn, house: InHouse) -> Listing[SessionBody]:
    """Where the caller is signed in, newest first."""
    lines = await house.accounts.sessions(caller.user.id, house.now_ms())
    return Listing(
        items=[
            SessionBody(
                created_ms=line.created_ms,
                seen_on=day_of(line.seen_ms, house.policy.zone),
                current=line.token_sha256 == caller.token_sha256,
            )
            for line in lines
        ]
    )


@router.post("/name", responses=answers(*ACTING, "name_taken", "name_reserved", "renamed_lately"))
async def rename(body: RenameRequest, caller: Acting, house: InHouse) -> UserBody:
    """Another name; a table one sits at goes on with the old one."""
    name = own_name(body.name)
    every_ms = house.policy.rename_every_ms
    try:
        await house.accounts.rename(caller.user.id, name, house.now_ms(), every_ms)
    except NameTaken:
        raise Refused("name_taken") from None
    except RenamedLately as refusal:
        raise Refused("renamed_lately", again_ms=refusal.again_ms) from None
    return UserBody.of((await house.session(caller.token_sha256)).user)


@router.post("/password", responses=answers(*ACTING, *PROVING, "not_registered", "weak_password"))
async def change_password(
    body: PasswordRequest, caller: Acting, host: Host, house: InHouse, response: Response
) -> TokenAnswer:
    """Another password. All other sessions end, and this one goes on under a new token."""
    if not caller.user.is_registered:
        raise Refused("not_registered")
    password = usable(body.new, Name(caller.user.name, look_alike_key(caller.user.name)))
    checked = await _prove(house, caller, body.old, host)
    password_hash, session = await house.doorkeeper.passwords.hash(password), new_session(house)
    try:
        ended = await house.accounts.change_password(checked, password_hash, session.stored, session.at_ms)
    except PasswordMoved:
        raise Refused("bad_credentials") from None
    replace_session(house, caller.token_sha256, session, ended)
    return await hand_over_as_stored(house, response, session)


@router.delete("", status_code=204, responses=answers(*ACTING, *PROVING, "in_round", "seated", "last_owner"))
async def leave(
    caller: Acting, host: Host, house: InHouse, response: Response, body: LeaveRequest | None = None
) -> None:
    """Leave for good: name, password and sessions go, the coins go back; the rounds stay, without a name."""
    if caller.user.is_registered:
        await _prove(house, caller, (body and body.password) or "", host)
    _require_unseated(house, caller)
    await house.matching.leave(caller.user.id)
    _require_unseated(house, caller)
    house.rooms.keep_out(caller.user.id)  # so that nothing under way seats him any more
    try:
        ended = await house.accounts.leave(caller.user.id, house.now_ms())
    except Exception as refusal:
        house.rooms.unbar(caller.user.id)
        if isinstance(refusal, StillSeated):
            raise Refused("seated", room_id=refusal.room_id) from None
        if isinstance(refusal, LastOwner):
            raise Refused("last_owner") from None
        raise
    end_sessions(house, ended)
    take_back(response, house.policy)


async def _prove(house: House, caller: Caller, password: str, host: str) -> Credentials:
    """Who calls knows his password.

    Raises:
        Refused: as at the door; a stolen session gets no more tries than a stranger.
    """
    found, _ = await house.doorkeeper.recognise(look_alike_key(caller.user.name), password, host)
    if found.user_id != caller.user.id:  # renamed meanwhile, and somebody else has the name now
        raise Refused("bad_credentials")
    return found


def _require_unseated(house: House, caller: Caller) -> None:
    if house.rooms.is_playing(caller.user.id):
        raise Refused("in_round")
    room_id = house.rooms.room_of(caller.user.id)
    if room_id is not None:
        raise Refused("seated", room_id=room_id)
