"""Running rooms: seen as watchers see them, and changed without touching a running round.

Source: RULES §3.6, §9; PROTOCOL §2.8.
"""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter
from pydantic import BaseModel, Field
from ulid import ULID

from app.api.admin.deps import DOING, SEEING, Operating, Viewing, by
from app.api.admin.schemas import IfMatch, Reason, ReasonRequest, Version, conflict, fault, version_of
from app.api.deps import Caller, House, InHouse
from app.api.errors import Refused, answers
from app.api.schemas import Listing, Request
from app.economy.operators import By
from app.engine.state import SEATS
from app.engine.views import WATCHER
from app.rooms import commands as cmd
from app.rooms.errors import NoSuchRoom, RoomChanged
from app.rooms.model import SeatState
from app.rooms.room import Room
from app.rooms.tier_desk import MAX_COINS
from app.rooms.view import room_view

router = APIRouter(prefix="/api/admin/rooms", tags=["operators"])


class RoomSeat(BaseModel):
    id: str
    name: str
    coins: int
    points: int
    online: bool

    @classmethod
    def of(cls, sitting: SeatState | None) -> RoomSeat | None:
        if sitting is None:
            return None
        player = sitting.player
        return cls(
            id=player.id,
            name=player.name,
            coins=player.coins,
            points=player.points,
            online=sitting.is_online,
        )


class RoomLine(BaseModel):
    """A running room. ``round`` is the number of the match's last round, which ``round_ms`` is the start of;
    ``version`` counts what operators have changed.
    """

    id: str
    tier: str
    tier_name: str
    ruleset: str
    base: int
    private: bool
    practice: bool
    spectators: bool
    paused: str | None
    phase: str
    seats: list[RoomSeat | None]
    watchers: int
    round: int
    round_id: str | None
    opened_ms: int
    round_ms: int | None
    version: int

    @classmethod
    def of(cls, room: Room) -> RoomLine:
        return cls(**_line(room))


class RoomSheet(RoomLine):
    """With the view watchers have, some events behind while a round runs."""

    view: dict[str, Any]

    @classmethod
    def of(cls, room: Room) -> RoomSheet:
        return cls(**_line(room), view=room_view(room.shown, WATCHER))


class RoomChanges(Request):
    """What is left out stays. ``paused`` is why no round starts, null to let rounds start again."""

    version: Version | None = None
    reason: Reason
    base_stake: Annotated[int, Field(ge=1, le=MAX_COINS // 1_000)] | None = None
    paused: Reason | None = None


@router.get("", responses=answers(*SEEING))
async def rooms(_: Viewing, house: InHouse) -> Listing[RoomLine]:
    """Every running room, private ones too, oldest first."""
    running = [room for room in house.rooms.running if not room.state.is_closed]
    return Listing(items=[RoomLine.of(room) for room in sorted(running, key=lambda room: room.state.id)])


@router.get("/{room_id}", responses=answers(*SEEING, "no_such_room"))
async def room(room_id: str, _: Viewing, house: InHouse) -> RoomSheet:
    """One room as its watchers see it: no hidden tile of a running round."""
    return RoomSheet.of(_running(house, room_id))


@router.patch("/{room_id}", responses=answers(*DOING, "no_such_room", "conflict"))
async def change(
    room_id: str, body: RoomChanges, caller: Operating, house: InHouse, if_match: IfMatch = None
) -> RoomSheet:
    """Change the base of the rounds to come, pause the room or let it go on; its players are told at once."""
    commands = tuple(_commands(body))
    if not commands:
        raise fault("base_stake", "missing")
    version = version_of(body.version, if_match)
    found = _not_his_own(_running(house, room_id), caller)
    try:
        await found.tell(cmd.Operated(by(caller, house, body.reason), "room.change", commands, version))
    except RoomChanged:
        raise conflict(RoomSheet.of(found)) from None
    return RoomSheet.of(found)


@router.post("/{room_id}/void", responses=answers(*DOING, "no_such_room", "no_round"))
async def void(room_id: str, body: ReasonRequest, caller: Operating, house: InHouse) -> RoomSheet:
    """End the running round with nothing moved; a table fee is given back."""
    found = _not_his_own(_running(house, room_id), caller)
    return await _do(found, by(caller, house, body.reason), "room.void", cmd.VoidRound(body.reason))


@router.post("/{room_id}/close", responses=answers(*DOING, "no_such_room"))
async def close(room_id: str, body: ReasonRequest, caller: Operating, house: InHouse) -> RoomSheet:
    """Close the room; a running round is voided."""
    found = _not_his_own(_running(house, room_id), caller)
    return await _do(found, by(caller, house, body.reason), "room.close", cmd.CloseRoom(body.reason))


async def _do(found: Room, done_by: By, action: str, command: cmd.HouseCommand) -> RoomSheet:
    await found.tell(cmd.Operated(done_by, action, (command,)))
    return RoomSheet.of(found)


def _running(house: House, room_id: str) -> Room:
    found = house.rooms.find(room_id)
    if found is None:
        raise NoSuchRoom(room_id)
    return found


def _not_his_own(found: Room, caller: Caller) -> Room:
    """Nobody rules over the table he plays at.

    Raises:
        Refused: he sits there.
    """
    if found.state.seat_of(caller.user.id) is not None:
        raise Refused("forbidden", "you play at this table")
    return found


def _commands(body: RoomChanges) -> list[cmd.HouseCommand]:
    wanted: list[cmd.HouseCommand] = []
    if body.base_stake is not None:
        wanted.append(cmd.ChangeBase(body.base_stake))
    if "paused" in body.model_fields_set:
        wanted.append(cmd.ResumeRoom() if body.paused is None else cmd.PauseRoom(body.paused))
    return wanted


def _line(room: Room) -> dict[str, Any]:
    state = room.state
    record = None if state.play is None else state.play.record
    return {
        "id": state.id,
        "tier": state.tier.id,
        "tier_name": state.tier.name,
        "ruleset": state.tier.ruleset,
        "base": state.base_stake,
        "private": state.private,
        "practice": state.practice,
        "spectators": state.spectators,
        "paused": state.paused,
        "phase": state.phase.value,
        "seats": [RoomSeat.of(state.seats[seat]) for seat in SEATS],
        "watchers": room.watchers,
        "round": state.match.rounds,
        "round_id": record and record.id,
        "opened_ms": _given_ms(state.id),
        "round_ms": record and _given_ms(record.id),
        "version": state.version,
    }


def _given_ms(id_: str) -> int:
    """An id tells when it was given (docs/adr/0005)."""
    return ULID.from_str(id_).milliseconds
