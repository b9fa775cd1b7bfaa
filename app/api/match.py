"""Quick match. Source: PROTOCOL §2."""

from __future__ import annotations

from fastapi import APIRouter

from app.api.deps import Acting, Host, InHouse, SignedIn
from app.api.errors import ACTING, answers
from app.api.lobby import SEATING, open_tier
from app.api.schemas import MatchBody, MatchRequest

router = APIRouter(prefix="/api/match", tags=["lobby"])


@router.post(
    "",
    response_model_exclude_none=True,
    responses=answers(*ACTING, *SEATING, "no_such_tier", "tier_closed"),
)
async def enter(body: MatchRequest, caller: Acting, host: Host, house: InHouse) -> MatchBody:
    """Look for a partner in a tier; the same call again changes nothing."""
    tier = await open_tier(house, body.tier)
    status = await house.matching.enter(tier, caller.player)
    house.whereabouts.note(caller.user.id, host)
    return MatchBody.of(status)


@router.get("", response_model_exclude_none=True, responses=answers("unauthorized"))
async def poll(caller: SignedIn, house: InHouse) -> MatchBody:
    """Where the search stands. It lapses when nobody asks for 15 s."""
    return MatchBody.of(house.matching.poll(caller.user.id))


@router.delete("", response_model_exclude_none=True, responses=answers(*ACTING))
async def leave(caller: Acting, house: InHouse) -> MatchBody:
    """Stop looking, or give up the seat; once a round has started it answers ``matched``."""
    return MatchBody.of(await house.matching.leave(caller.user.id))
