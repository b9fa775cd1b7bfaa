"""Players: found, paid, silenced, shut out, and given roles. Source: PROTOCOL §2.8."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Header, Query
from pydantic import BaseModel, Field
from ulid import ULID

from app.api.admin.deps import DOING, SEEING, Operating, Owning, Viewing, by
from app.api.admin.schemas import Reason, ReasonRequest, conflict
from app.api.cursors import Cursor, Limit, cursor_of, parts_of
from app.api.deps import Caller, House, InHouse, could_be_id
from app.api.errors import Refused, answers
from app.api.schemas import Page, Request, UserBody
from app.api.standing_schemas import CareerBody
from app.economy.operators import Role
from app.economy.player_desk import (
    Dossier,
    KeyReused,
    LastOwner,
    Listed,
    NoSuchPlayer,
    NotRegistered,
    Sanction,
    WouldOwe,
)

router = APIRouter(prefix="/api/admin/players", tags=["operators"])

MAX_ADJUSTMENT = 10**12  # coins at a time
RoleName = Literal["viewer", "operator", "owner"]
IdempotencyKey = Annotated[
    str | None, Header(pattern="^[0-9A-Za-z_-]{1,26}$", description="the same key is carried out once")
]


class ListedBody(UserBody):
    """``muted_ms`` and ``banned_ms`` are since when, null while it does not hold."""

    role: RoleName | None
    muted_ms: int | None
    banned_ms: int | None

    @classmethod
    def of_listed(cls, listed: Listed) -> ListedBody:
        user = listed.user
        return cls(
            **UserBody.of(user).model_dump(),
            role=user.role and user.role.value,
            muted_ms=listed.muted_ms,
            banned_ms=listed.banned_ms,
        )


class DossierBody(ListedBody):
    created_ms: int
    sessions: int
    room_id: str | None
    career: CareerBody

    @classmethod
    def of_dossier(cls, dossier: Dossier, room_id: str | None) -> DossierBody:
        return cls(
            **ListedBody.of_listed(dossier.listed).model_dump(),
            created_ms=dossier.created_ms,
            sessions=dossier.sessions,
            room_id=room_id,
            career=CareerBody.of_career(dossier.career),
        )


class AdjustRequest(ReasonRequest):
    coins: Annotated[int, Field(ge=-MAX_ADJUSTMENT, le=MAX_ADJUSTMENT)]


class AdjustAnswer(BaseModel):
    coins: int


class RoleRequest(Request):
    role: RoleName | None
    reason: Reason


@router.get("", responses=answers(*SEEING, "invalid"))
async def players(
    _: Viewing,
    house: InHouse,
    q: Annotated[str, Query(max_length=64)] = "",
    limit: Limit = 50,
    cursor: Cursor = None,
) -> Page[ListedBody]:
    """Players by id or part of the name, in the order of their accounts' age."""
    after = None if cursor is None else parts_of(cursor, "s")[0]
    found = await house.desks.players.search(_searchable(q), after, limit + 1)
    shown = found[:limit]
    return Page(
        items=[ListedBody.of_listed(listed) for listed in shown],
        next=cursor_of(shown[-1].user.id) if len(found) > limit else None,
    )


@router.get("/{user_id}", responses=answers(*SEEING, "no_such_player"))
async def player(user_id: str, _: Viewing, house: InHouse) -> DossierBody:
    """Everything about one player."""
    return await _sheet(house, user_id)


@router.post(
    "/{user_id}/adjust", responses=answers(*DOING, "no_such_player", "insufficient_coins", "conflict")
)
async def adjust(
    user_id: str,
    body: AdjustRequest,
    caller: Operating,
    house: InHouse,
    idempotency_key: IdempotencyKey = None,
) -> AdjustAnswer:
    """Give coins from issuance, or take them back; never more than the player holds."""
    await _subject(house, user_id, caller)
    key, done_by = idempotency_key or str(ULID()), by(caller, house, body.reason)
    try:
        held = await house.desks.players.adjust(user_id, body.coins, key, done_by)
    except WouldOwe as refusal:
        raise Refused("insufficient_coins", short=refusal.short) from None
    except KeyReused:
        raise conflict() from None
    except NoSuchPlayer:
        raise Refused("no_such_player") from None
    return AdjustAnswer(coins=held)


@router.post("/{user_id}/mute", responses=answers(*DOING, "no_such_player"))
async def mute(user_id: str, body: ReasonRequest, caller: Operating, house: InHouse) -> DossierBody:
    """From now on he says nothing to others at a table."""
    await _sanction(house, caller, user_id, Sanction.MUTE, body, holds=True)
    house.sockets.muted.add(user_id)
    return await _sheet(house, user_id)


@router.post("/{user_id}/unmute", responses=answers(*DOING, "no_such_player"))
async def unmute(user_id: str, body: ReasonRequest, caller: Operating, house: InHouse) -> DossierBody:
    """He may speak again."""
    await _sanction(house, caller, user_id, Sanction.MUTE, body, holds=False)
    house.sockets.muted.discard(user_id)
    return await _sheet(house, user_id)


@router.post("/{user_id}/ban", responses=answers(*DOING, "no_such_player", "last_owner"))
async def ban(user_id: str, body: ReasonRequest, caller: Operating, house: InHouse) -> DossierBody:
    """He is on no board, his sockets close, his seat is freed; auto-play ends a running round for him."""
    await _sanction(house, caller, user_id, Sanction.BAN, body, holds=True)
    house.tickets.void_user(user_id)
    await house.rooms.bar(user_id)
    await house.matching.leave(user_id)
    return await _sheet(house, user_id)


@router.post("/{user_id}/unban", responses=answers(*DOING, "no_such_player"))
async def unban(user_id: str, body: ReasonRequest, caller: Operating, house: InHouse) -> DossierBody:
    """His sessions, his place on the boards and any table are open to him again."""
    await _sanction(house, caller, user_id, Sanction.BAN, body, holds=False)
    house.rooms.unbar(user_id)
    return await _sheet(house, user_id)


@router.post("/{user_id}/role", responses=answers(*DOING, "no_such_player", "not_registered", "last_owner"))
async def set_role(user_id: str, body: RoleRequest, caller: Owning, house: InHouse) -> DossierBody:
    """Make somebody an operator, or no longer one. Only registered players can be."""
    await _subject(house, user_id, caller)
    role = None if body.role is None else Role(body.role)
    try:
        await house.desks.players.set_role(user_id, role, by(caller, house, body.reason))
    except NoSuchPlayer:
        raise Refused("no_such_player") from None
    except NotRegistered:
        raise Refused("not_registered") from None
    except LastOwner:
        raise Refused("last_owner") from None
    return await _sheet(house, user_id)


async def _sanction(
    house: House, caller: Caller, user_id: str, sanction: Sanction, body: ReasonRequest, *, holds: bool
) -> None:
    await _subject(house, user_id, caller)
    try:
        await house.desks.players.sanction(user_id, sanction, holds, by(caller, house, body.reason))
    except NoSuchPlayer:
        raise Refused("no_such_player") from None
    except LastOwner:
        raise Refused("last_owner") from None


async def _subject(house: House, user_id: str, caller: Caller) -> None:
    """Raises:
    Refused: there is no such player, he sits at the caller's table, or he is an operator himself and the
        caller is no owner.
    """
    table = house.rooms.room_of(user_id)
    if user_id != caller.user.id and table is not None and table == house.rooms.room_of(caller.user.id):
        raise Refused("forbidden", "you play at one table")
    subject = await _dossier(house, user_id)
    if subject.listed.user.role is not None and caller.user.role is not Role.OWNER:
        raise Refused("forbidden", "only an owner does this to operators")


async def _dossier(house: House, user_id: str) -> Dossier:
    found = await house.desks.players.dossier(user_id, house.now_ms()) if could_be_id(user_id) else None
    if found is None:
        raise Refused("no_such_player")
    return found


async def _sheet(house: House, user_id: str) -> DossierBody:
    return DossierBody.of_dossier(await _dossier(house, user_id), house.rooms.table_of(user_id))


def _searchable(text: str) -> str:
    """Without what no name and no id holds, and some databases cannot be asked for."""
    return "".join(character for character in text if character.isprintable()).strip()
