"""The score of a won hand: the best of its readings. Source: RULES §7.1, §7.2; PROTOCOL §1.1."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from app.engine.melds import Meld
from app.engine.scoring.context import WinContext
from app.engine.scoring.errors import NotWinning
from app.engine.scoring.fan_table import FanTable, fan_table
from app.engine.scoring.readings import readings, situation
from app.rules.ruleset import RuleSet
from app.rules.tiles import Counts


class CountedFan(NamedTuple):
    """A fan of a score: ``value`` of one, ``count`` of them."""

    id: str
    zh: str
    value: int
    count: int  # type: ignore[assignment]  # the wire's name for it; tuple.count is not missed


@dataclass(frozen=True, slots=True)
class Score:
    """``total`` of all fans; ``base_total`` of those that count towards a minimum, that is without flowers.

    ``fans`` by value, highest first, then by table order.
    """

    total: int
    base_total: int
    fans: tuple[CountedFan, ...]


class _Reading(NamedTuple):
    """A scored reading; the smallest is the best: highest total, then first list of table positions."""

    negative_total: int
    positions: tuple[int, ...]
    mask: int
    more: tuple[tuple[int, int], ...]


def score(rules: RuleSet, hand: Counts, melds: Sequence[Meld], context: WinContext) -> Score:
    """The score of ``hand`` (concealed counts without the winning tile) with ``melds`` and the winning tile.

    The context is trusted; :func:`~app.engine.scoring.validation.validate_win` judges it.

    Raises:
        NotWinning: the tiles make no winning shape.

    >>> from app.rules.ruleset import load_ruleset
    >>> from app.rules.tiles import parse_tiles, to_counts
    >>> hand = to_counts(parse_tiles("1112345678999m"))
    >>> won = score(load_ruleset("classic64"), hand, (), WinContext(win_tile=8, self_drawn=True))
    >>> won.total, [fan.zh for fan in won.fans]
    (107, ['九蓮寶燈', '清龍', '四歸一', '自摸'])
    """
    table = fan_table(rules)
    shared = table.of_situation(situation(melds, context))
    scored = []
    for form, placements in readings(hand, melds, context):
        of_form = table.of_form(form)
        more = of_form.more + shared.more
        for placement in placements:
            kept = table.keep(of_form.mask | shared.mask | table.of_placement(placement))
            extra = sum(table.values[bit] * (count - 1) for bit, count in more if bit & kept.mask)
            scored.append(_Reading(-kept.value - extra, kept.positions, kept.mask, more))
    if not scored:
        raise NotWinning
    return _to_score(table, min(scored))


def _to_score(table: FanTable, best: _Reading) -> Score:
    counts = dict(best.more)
    fans = tuple(
        CountedFan(fan.id, fan.zh, fan.value, counts.get(table.bits[fan.id], 1))
        for fan in table.fans
        if table.bits[fan.id] & best.mask
    )
    of_flowers = sum(fan.value * fan.count for fan in fans if table.bits[fan.id] & table.flower_mask)
    return Score(-best.negative_total, -best.negative_total - of_flowers, fans)
