"""Days and weeks as the players live them: in the server's zone, weeks from Monday. Source: RULES §12."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from enum import StrEnum
from zoneinfo import ZoneInfo


class Period(StrEnum):
    ALL = "all"
    DAY = "day"
    WEEK = "week"


def day_of(at_ms: int, zone: ZoneInfo) -> date:
    """The day this moment belongs to.

    >>> day_of(1_764_450_000_000, ZoneInfo("Asia/Taipei")).isoformat()
    '2025-11-30'
    """
    return datetime.fromtimestamp(at_ms / 1_000, UTC).astimezone(zone).date()


def first_day(period: Period, day: date) -> date:
    """The day on which the day or week that holds ``day`` began."""
    return day - timedelta(days=day.weekday()) if period is Period.WEEK else day


def starts_ms(day: date, zone: ZoneInfo) -> int:
    """When a day begins, epoch ms.

    >>> starts_ms(date(2025, 11, 30), ZoneInfo("Asia/Taipei"))
    1764432000000
    """
    return int(datetime.combine(day, time(), zone).timestamp() * 1_000)


def next_day_ms(at_ms: int, zone: ZoneInfo) -> int:
    """When the day after this moment's begins."""
    return starts_ms(day_of(at_ms, zone) + timedelta(days=1), zone)


def period_key(period: Period, day: date) -> str:
    """The name under which a period's standings are kept, at most 16 characters.

    >>> [period_key(period, date(2025, 11, 30)) for period in Period]
    ['all', 'day:2025-11-30', 'week:2025-11-24']
    """
    return "all" if period is Period.ALL else f"{period.value}:{first_day(period, day).isoformat()}"


def key_start_ms(key: str, zone: ZoneInfo) -> int | None:
    """When the period of this key began; None for all time."""
    _, _, day = key.partition(":")
    return starts_ms(date.fromisoformat(day), zone) if day else None
