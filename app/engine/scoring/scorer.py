"""The score of a won hand: the best of its readings. Source: RULES §7.1, §7.2; PROTOCOL §1.1.

The path is short because everything it asks has small answers that come again: the two halves of a hand, what
a form shows, what a situation adds, what exclusions leave of a set of fans. Each is worked out once, by code
that reads like the rules, and remembered under a small key; here the answers are only put together.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TypeAlias

from app.engine.melds import Meld
from app.engine.scoring.codes import (
    CHOWS_AND_PAIR,
    INNER_CHOW_CODE,
    INNER_CHOWS,
    NINE_GATES_CODE,
    PUNGS_AND_PAIR,
    WIND_PUNGS,
    Code,
    fours_in,
    winds_code,
)
from app.engine.scoring.context import WinContext
from app.engine.scoring.errors import NotWinning
from app.engine.scoring.fan_table import FanTable, Found, Multiples, fan_table
from app.engine.scoring.form_fans import MILLION
from app.engine.scoring.parts import HAND_TILES
from app.engine.scoring.readings import NINE_GATES, Half, Laid, Wait, halves, laid
from app.engine.scoring.result import Score
from app.engine.scoring.shapes import completes_pairs, shape_waits
from app.rules.ruleset import RuleSet
from app.rules.tiles import Counts

Shown: TypeAlias = tuple[int, Multiples]
"""What one reading shows apart from the situation, before exclusions; a :class:`Found` is one."""

NO_WAIT = Wait.NONE
NO_POSITIONS: tuple[int, ...] = ()


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
    return _remembered(rules, hand, tuple(melds), context)


# A hand is scored again and again while it stands on the table: as a hint, as an option, as a win.
@lru_cache(maxsize=1 << 14)
def _remembered(rules: RuleSet, hand: Counts, melds: tuple[Meld, ...], context: WinContext) -> Score:
    table, own = fan_table(rules), laid(melds)
    suit, honor = halves(hand, context.win_tile)
    found: list[Shown] = []
    if suit.size + honor.size == HAND_TILES - 3 * len(melds):
        found = _as_sets(table, hand, context, own, suit, honor)
    if not melds and completes_pairs(hand, context.win_tile):  # no placement, no wait (RULES §7.5)
        found.append(_of_content(table, own, suit, honor, True))
    if not found:
        raise NotWinning
    shared = table.of_situation(context[1:], own.exposed_sets, own.concealed_kongs, own.melded_kongs)
    return _best(table, found, shared)


def _as_sets(
    table: FanTable, hand: Counts, context: WinContext, own: Laid, suit: Half, honor: Half
) -> list[Shown]:
    """Read as four sets and a pair: each reading of 萬 with each of the honours, each place of the tile."""
    of_chows, of_pungs, placed = table.of_chows, table.of_pungs, table.placed
    content, content_more = _of_content(table, own, suit, honor, False)
    opened = not context.self_drawn  # a pung the winning tile completes
    waits_on_one: bool | None = None  # worked out if a wait fan depends on it
    found = []
    for suit_code, suit_pungs, suit_places in suit.readings:
        for honor_code, honor_pungs, honor_places in honor.readings:
            code = own.code + suit_code + honor_code
            chows, chows_more = of_chows(code & CHOWS_AND_PAIR)
            pungs, pungs_more = of_pungs(_pungs_code(code, hand, context))
            mask, more = content | chows | pungs, content_more + chows_more + pungs_more
            concealed = suit_pungs + honor_pungs + own.concealed_kongs
            for in_pung, wait in suit_places or honor_places:
                if wait and waits_on_one is None:
                    melds_count = own.exposed_sets + own.concealed_kongs
                    waits_on_one = len(shape_waits(hand, melds_count)) == 1
                by_place = placed[concealed - 1 if in_pung and opened else concealed]
                found.append((mask | by_place[wait if waits_on_one else NO_WAIT], more))
    return found


def _pungs_code(code: Code, hand: Counts, context: WinContext) -> Code:
    """A form's code cut down to what the fans of pungs read, and completed by what else they do."""
    pungs = code & PUNGS_AND_PAIR
    if code & INNER_CHOWS:
        pungs += INNER_CHOW_CODE
    if code & WIND_PUNGS:
        pungs += winds_code(context.seat_wind, context.prevalent_wind)
    return pungs + NINE_GATES_CODE if hand == NINE_GATES else pungs


def _of_content(table: FanTable, own: Laid, suit: Half, honor: Half, is_pairs: bool) -> Found:
    _, _, suit_kinds, suit_packed, suit_ranks = suit
    _, _, honor_kinds, honor_packed, _ = honor
    fours = fours_in(suit_packed + honor_packed + own.packed)
    ranks = suit_ranks + own.ranks
    kinds = suit_kinds | honor_kinds | own.kinds
    return table.of_content(kinds, fours, ranks if ranks >= MILLION else 0, is_pairs)


def _best(table: FanTable, found: list[Shown], shared: Found) -> Score:
    """The reading of the highest total; among equals that whose list of table positions is smallest."""
    keep, (shared_mask, shared_more) = table.keep, shared
    best_total, best_positions, best_mask, best_more = -1, NO_POSITIONS, 0, shared_more
    for of_reading, more_of_reading in found:
        mask, total, positions = keep(of_reading | shared_mask)
        more = more_of_reading + shared_more
        if more:
            total += table.surplus(mask, more)
        if total > best_total or (total == best_total and positions < best_positions):
            best_total, best_positions, best_mask, best_more = total, positions, mask, more
    return table.result(best_mask, best_more)
