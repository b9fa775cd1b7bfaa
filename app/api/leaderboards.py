"""Leaderboards, open to everybody. Source: PROTOCOL §2."""

from __future__ import annotations

from zoneinfo import ZoneInfo

from fastapi import APIRouter

from app.api.cursors import Cursor, Limit, bad_cursor, cursor_of, parts_of
from app.api.deps import House, InHouse, SignedIn
from app.api.errors import answers
from app.api.standing_schemas import AroundBody, BoardBody, PlaceBody
from app.economy.periods import Period, day_of, key_start_ms, period_key
from app.economy.standings import Measure, Spot

router = APIRouter(prefix="/api/leaderboard", tags=["players"])

UTC = ZoneInfo("UTC")


@router.get("", responses=answers("invalid"))
async def leaderboard(
    house: InHouse,
    by: Measure = Measure.POINTS,
    period: Period = Period.ALL,
    limit: Limit = 50,
    cursor: Cursor = None,
) -> BoardBody:
    """A page of a board. Paging goes on in the day or week it began in."""
    key, after = _present_key(house, period), None
    if cursor is not None:
        key, after = _read_cursor(cursor, by, period)
    places = await house.standings.page(by, key, after, limit + 1)
    shown = places[:limit]
    is_last = len(places) <= limit
    return BoardBody(
        by=by,
        period=period,
        since_ms=key_start_ms(key, house.policy.zone),
        items=[PlaceBody.of(place) for place in shown],
        next=None if is_last else cursor_of(by.value, key, shown[-1].value, shown[-1].user_id),
    )


@router.get("/around-me", responses=answers("unauthorized", "invalid"))
async def around_me(
    caller: SignedIn,
    house: InHouse,
    by: Measure = Measure.POINTS,
    period: Period = Period.ALL,
    limit: Limit = 11,
) -> AroundBody:
    """The caller's own place and its neighbours."""
    key = _present_key(house, period)
    around = await house.standings.around(by, key, caller.user.id, limit)
    return AroundBody(
        by=by,
        period=period,
        since_ms=key_start_ms(key, house.policy.zone),
        me=around and PlaceBody.of(around.me),
        items=[PlaceBody.of(place) for place in around.places] if around else [],
    )


def _present_key(house: House, period: Period) -> str:
    return period_key(period, day_of(house.now_ms(), house.policy.zone))


def _read_cursor(cursor: str, by: Measure, period: Period) -> tuple[str, Spot]:
    measure, key, value, user_id = parts_of(cursor, "ssis")
    if measure != by.value or not _is_key_of(key, period):
        raise bad_cursor()
    return key, Spot(value, user_id)


def _is_key_of(key: str, period: Period) -> bool:
    """Whether we could have written this key."""
    try:
        start = key_start_ms(key, UTC)
        return key == period_key(period, day_of(start or 0, UTC))
    except (ValueError, OverflowError):
        return False
