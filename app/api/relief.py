"""Relief for who has lost nearly everything, and the day's coins. Source: RULES §12, PROTOCOL §2."""

from __future__ import annotations

from fastapi import APIRouter

from app.api.deps import Acting, InHouse
from app.api.errors import Refused, answers
from app.api.schemas import DailyBody, ReliefBody
from app.economy.periods import day_of, next_day_ms
from app.economy.relief import DailyTaken, DuringRound, ReliefNotNeeded, ReliefUsedUp

router = APIRouter(prefix="/api", tags=["accounts"])

ASKING = ("unauthorized", "csrf", "foreign_origin", "too_large", "in_round")


@router.post("/daily", responses=answers(*ASKING, "daily_taken"))
async def daily(caller: Acting, house: InHouse) -> DailyBody:
    """The day's coins, once in a day of the server's zone; never while a round of one's own runs."""
    if house.rooms.is_playing(caller.user.id):
        raise Refused("in_round")
    now, coins, zone = house.now_ms(), house.policy.daily_coins, house.policy.zone
    try:
        held = await house.reliefs.grant_daily(caller.user.id, coins, day_of(now, zone), now)
    except DuringRound:  # it has started this moment
        raise Refused("in_round") from None
    except DailyTaken:
        raise Refused("daily_taken", again_ms=next_day_ms(now, zone)) from None
    return DailyBody(granted=coins, coins=held)


@router.post("/relief", responses=answers(*ASKING, "relief_not_needed", "relief_used_up"))
async def relief(caller: Acting, house: InHouse) -> ReliefBody:
    """Coins enough to go on, a few times a day; never while a round of one's own runs."""
    if house.rooms.is_playing(caller.user.id):
        raise Refused("in_round")
    now, terms, zone = house.now_ms(), house.policy.relief, house.policy.zone
    try:
        granted = await house.reliefs.grant(caller.user.id, terms, day_of(now, zone), now)
    except DuringRound:
        raise Refused("in_round") from None
    except ReliefNotNeeded:
        raise Refused("relief_not_needed", below=terms.below) from None
    except ReliefUsedUp:
        raise Refused("relief_used_up", again_ms=next_day_ms(now, zone)) from None
    return ReliefBody.of(granted)
