"""Rank points (實力積分) and the sixteen titles. Source: RULES §11."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass

from app.economy.settlement import Pair

ESCAPE_POINTS = 32  # lost by who escapes


@dataclass(frozen=True, slots=True)
class Rank:
    """A title, held from ``points`` on."""

    name: str
    points: int


RANKS = (
    Rank("雀蛋", 0),
    Rank("雀仔", 400),
    Rank("麻雀", 800),
    Rank("雀頭", 1_500),
    Rank("銅雀", 3_000),
    Rank("銀雀", 8_000),
    Rank("金雀", 12_000),
    Rank("雀王", 20_000),
    Rank("雀霸", 30_000),
    Rank("雀皇", 45_000),
    Rank("雀妖", 70_000),
    Rank("雀仙", 100_000),
    Rank("雀魔", 200_000),
    Rank("雀聖", 500_000),
    Rank("雀神", 1_000_000),
    Rank("自摸王", 2_000_000),
)
_THRESHOLDS = [rank.points for rank in RANKS]


def rank_of(points: int) -> Rank:
    """The title held with these points.

    >>> rank_of(799).name, rank_of(800).name
    ('雀仔', '麻雀')
    """
    return RANKS[bisect_right(_THRESHOLDS, max(points, 0)) - 1]


def next_rank(points: int) -> Rank | None:
    """The next title up, or None for the highest."""
    above = bisect_right(_THRESHOLDS, max(points, 0))
    return RANKS[above] if above < len(RANKS) else None


def points_after_round(
    points: Pair, *, winner: int | None = None, round_points: int = 0, escaper: int | None = None
) -> Pair:
    """Both players' points after a round: won by ``winner``, left by ``escaper``, or drawn (neither).

    ``round_points`` is total fan × multiplier. Coins, cap and rake play no part.

    >>> points_after_round((100, 50), winner=0, round_points=64)
    (164, 0)
    >>> points_after_round((100, 50), escaper=0)
    (68, 50)
    """
    changes = [0, 0]
    if winner is not None:
        changes[winner], changes[1 - winner] = round_points, -round_points
    elif escaper is not None:
        changes[escaper] = -ESCAPE_POINTS
    return max(points[0] + changes[0], 0), max(points[1] + changes[1], 0)
