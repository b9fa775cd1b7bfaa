"""Tiers and rooms: opening, finding, joining. Source: PROTOCOL §2."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Literal

from fastapi import APIRouter, Query

from app.api.deps import Acting, Host, House, InHouse
from app.api.errors import ACTING, Refused, answers
from app.api.schemas import (
    HostBody,
    InviteAnswer,
    JoinAnswer,
    JoinRequest,
    Listing,
    Page,
    RoomAnswer,
    RoomBody,
    RoomRequest,
    TicketAnswer,
    TicketRequest,
    TierBody,
)
from app.api.tickets import Purpose
from app.rooms.errors import NoSuchRoom, NotSeated
from app.rooms.ports import RoomSummary
from app.rooms.tiers import Tier

router = APIRouter(prefix="/api", tags=["lobby"])

SEATING = ("in_other_room", "insufficient_coins", "paused")


@router.get("/tiers")
async def tiers(house: InHouse) -> Listing[TierBody]:
    """Every tier, with how many players are in it now."""
    return Listing(items=[TierBody.of(tier, house.rooms.online(tier.id)) for tier in await house.tiers.all()])


@router.get("/rooms", responses=answers("invalid"))
async def rooms(
    house: InHouse,
    show: Literal["join", "watch"] = "join",
    limit: Annotated[int, Query(ge=1, le=100)] = 50,
    cursor: Annotated[str | None, Query(max_length=64)] = None,
) -> Page[RoomBody]:
    """Public rooms, oldest first: those with a free seat, or those that may be watched."""
    if show == "watch":
        found = list(house.rooms.watchable_rooms())
    else:
        found = [room for room in house.rooms.public_rooms() if _can_be_joined(room)]
    page = sorted((room for room in found if cursor is None or room.id > cursor), key=lambda r: r.id)
    return Page(
        items=[RoomBody.of(room) for room in page[:limit]],
        next=page[limit - 1].id if len(page) > limit else None,
    )


@router.post("/rooms", responses=answers(*ACTING, *SEATING, "no_such_tier", "tier_closed"))
async def open_room(body: RoomRequest, caller: Acting, host: Host, house: InHouse) -> RoomAnswer:
    """Open a room and sit down in it, with ``bot`` across from the computer, for practice coins.

    A private room answers with its invite. ``spectators`` lets others watch, a little behind.
    """
    tier = await open_tier(house, body.tier)
    if body.clocks == "slow":
        tier = replace(tier, clocks=tier.clocks.slowed())
    room = await house.rooms.open(
        tier, caller.player, private=body.private, bot=body.bot, spectators=body.spectators
    )
    house.whereabouts.note(caller.user.id, host)
    return RoomAnswer(room_id=room.id, invite=room.invite)


@router.post(
    "/rooms/{room_id}/join",
    responses=answers(*ACTING, *SEATING, "no_such_room", "room_full", "forbidden"),
)
async def join_room(
    room_id: str, caller: Acting, host: Host, house: InHouse, body: JoinRequest | None = None
) -> JoinAnswer:
    """Sit down in a room; a private one needs its invite."""
    seat = await house.rooms.join(room_id, caller.player, body.invite if body else None)
    house.whereabouts.note(caller.user.id, host)
    return JoinAnswer(room_id=room_id, seat=seat)


@router.get("/invites/{invite}", responses=answers("no_such_invite"))
async def invite(invite: str, house: InHouse) -> InviteAnswer:
    """What an invite leads to."""
    room = house.rooms.by_invite(invite)
    if room is None:
        raise Refused("no_such_invite")
    return InviteAnswer(
        room_id=room.id,
        tier=TierBody.of(room.tier, house.rooms.online(room.tier.id)),
        host=HostBody.of(room.host),
    )


@router.post("/ws-tickets", responses=answers(*ACTING, "no_such_room", "not_seated", "forbidden"))
async def ws_ticket(body: TicketRequest, caller: Acting, house: InHouse) -> TicketAnswer:
    """A ticket for one WebSocket: one use, half a minute."""
    room = house.rooms.summary(body.room_id)
    if room is None:
        raise NoSuchRoom(body.room_id)
    purpose = Purpose(body.purpose)
    is_seated = any(player is not None and player.id == caller.user.id for player in room.seats)
    if purpose is Purpose.PLAY and not is_seated:
        raise NotSeated(body.room_id)
    if purpose is Purpose.WATCH and not room.admits_watcher(body.invite):
        raise Refused("forbidden", "this room is not to be watched")
    user, session = caller.user, caller.token_sha256
    return TicketAnswer(ticket=house.tickets.issue(user.id, user.name, room.id, purpose, session))


async def open_tier(house: House, tier_id: str) -> Tier:
    """The tier that is to be played.

    Raises:
        Refused: there is none of this id, or it is closed.
    """
    tier = await house.tiers.tier(tier_id)
    if tier is None:
        raise Refused("no_such_tier")
    if not tier.is_open:
        raise Refused("tier_closed")
    return tier


def _can_be_joined(room: RoomSummary) -> bool:
    return not room.private and room.phase != "closed" and room.seats_taken < len(room.seats)
