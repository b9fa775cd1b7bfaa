"""Relief for who has lost nearly everything. Source: RULES §12, PROTOCOL §2."""

from __future__ import annotations

from fastapi import APIRouter

from app.api.deps import Acting, InHouse
from app.api.errors import Refused, answers
from app.api.schemas import ReliefBody
from app.economy.periods import day_of, next_day_ms
from app.economy.relief import ReliefNotNeeded, ReliefUsedUp

router = APIRouter(prefix="/api/relief", tags=["accounts"])


@router.post(
    "",
    responses=answers(
        "unauthorized",
        "csrf",
        "foreign_origin",
        "too_large",
        "in_round",
        "relief_not_needed",
        "relief_used_up",
    ),
)
async def relief(caller: Acting, house: InHouse) -> ReliefBody:
    """Coins enough to go on, a few times a day; never while a round of one's own runs."""
    if house.rooms.is_playing(caller.user.id):
        raise Refused("in_round")
    now, terms, zone = house.now_ms(), house.policy.relief, house.policy.zone
    try:
        granted = await house.reliefs.grant(caller.user.id, terms, day_of(now, zone), now)
    except ReliefNotNeeded:
        raise Refused("relief_not_needed", below=terms.below) from None
    except ReliefUsedUp:
        raise Refused("relief_used_up", again_ms=next_day_ms(now, zone)) from None
    return ReliefBody.of(granted)
