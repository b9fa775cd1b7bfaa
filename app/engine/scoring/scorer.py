"""The score of a won hand: the best of its readings. Source: RULES §7.1, §7.2; PROTOCOL §1.1."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from app.engine.melds import Meld
from app.engine.scoring.context import WinContext
from app.engine.scoring.errors import NotWinning
from app.engine.scoring.fan_table import Multiples, fan_table
from app.engine.scoring.readings import readings, situation
from app.engine.scoring.result import Score
from app.rules.ruleset import RuleSet
from app.rules.tiles import Counts


class _Reading(NamedTuple):
    """A scored reading; the smallest is the best: highest total, then first list of table positions."""

    negative_total: int
    positions: tuple[int, ...]
    mask: int
    more: Multiples


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
            surplus = table.surplus(kept.mask, more) if more else 0
            scored.append(_Reading(-kept.value - surplus, kept.positions, kept.mask, more))
    if not scored:
        raise NotWinning
    best = min(scored)
    return table.result(best.mask, best.more)
