"""Profiles and histories, open to everybody. Source: PROTOCOL §2."""

from __future__ import annotations

from fastapi import APIRouter

from app.api.cursors import Cursor, Limit, cursor_of, parts_of
from app.api.deps import House, InHouse, could_be_id
from app.api.errors import Refused, answers
from app.api.record_schemas import PlayedBody, PointsBody
from app.api.schemas import Listing, Page
from app.api.standing_schemas import CareerBody
from app.economy.standings import Career
from app.rooms.records import Moment

router = APIRouter(prefix="/api/players", tags=["players"])


@router.get("/{user_id}", responses=answers("no_such_player"))
async def player(user_id: str, house: InHouse) -> CareerBody:
    """Who this is, what he holds, and how his rounds ended."""
    return CareerBody.of_career(await _career(house, user_id))


@router.get("/{user_id}/rounds", responses=answers("no_such_player", "invalid"))
async def rounds(user_id: str, house: InHouse, limit: Limit = 20, cursor: Cursor = None) -> Page[PlayedBody]:
    """Settled rounds, newest first."""
    before = None if cursor is None else Moment(*parts_of(cursor, "is"))
    await _career(house, user_id)
    played = await house.records.played(user_id, before, limit + 1)
    shown = played[:limit]
    is_last = len(played) <= limit
    return Page(
        items=[PlayedBody.of(one) for one in shown],
        next=None if is_last else cursor_of(shown[-1].at_ms, shown[-1].round_id),
    )


@router.get("/{user_id}/points", responses=answers("no_such_player", "invalid"))
async def points(user_id: str, house: InHouse, limit: Limit = 100) -> Listing[PointsBody]:
    """The points after each of the latest rounds, oldest first."""
    await _career(house, user_id)
    return Listing(items=[PointsBody.of(each) for each in await house.records.points(user_id, limit)])


@router.get("/{user_id}/best", responses=answers("no_such_player", "invalid"))
async def best(user_id: str, house: InHouse, limit: Limit = 5) -> Listing[PlayedBody]:
    """The wins of the most fan."""
    await _career(house, user_id)
    return Listing(items=[PlayedBody.of(one) for one in await house.records.best(user_id, limit)])


async def _career(house: House, user_id: str) -> Career:
    career = await house.standings.career(user_id) if could_be_id(user_id) else None
    if career is None:
        raise Refused("no_such_player")
    return career
