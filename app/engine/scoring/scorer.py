"""The score of a won hand: the best of its readings. Source: RULES §7.1, §7.2; PROTOCOL §1.1.

The path is short because all it asks has small answers that come again: the ways to cut the halves of a hand,
what a form, the tiles and a situation show, what exclusions leave of that. Each is worked out once, by code
that reads like the rules, and remembered under a number that says no more than it depends on; here the
answers are only put together.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from app.engine.melds import Meld
from app.engine.scoring.codes import (
    CHOW_FANS_READ,
    FOURS,
    HONOR_FANS_READ,
    HONORS_AT,
    NINE_GATES_CODE,
    ODD,
    PACKED,
    PUNGS,
    RANK_FANS_READ,
    SUIT,
    TOUCHED,
    WIND_PUNGS,
    Code,
    Packed,
    kinds_in,
    pack,
    winds_code,
)
from app.engine.scoring.context import WinContext
from app.engine.scoring.errors import NotWinning
from app.engine.scoring.fan_table import FanTable, Shown, fan_table
from app.engine.scoring.form_fans import MILLION
from app.engine.scoring.laid import Laid, laid
from app.engine.scoring.parts import HAND_TILES, Half, tables
from app.engine.scoring.readings import Wait, places
from app.engine.scoring.result import Score
from app.engine.scoring.shapes import waits_on_one
from app.rules.ruleset import RuleSet
from app.rules.tiles import Counts, parse_tiles, to_counts

NINE_GATES = pack(to_counts(parse_tiles("1112345678999m")))
NO_WAIT = Wait.NONE


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
    table, own, before = fan_table(rules), laid(melds), pack(hand)
    won = before + PACKED[context.win_tile]
    suits, honors = tables()
    suit, honor = suits.get(won & SUIT), honors.get(won >> HONORS_AT)
    found: list[Shown] = []
    if suit and honor and suit.size + honor.size == HAND_TILES - 3 * len(melds):
        found = _as_sets(table, before, own, context, suit, honor)
    if not melds and not won & ODD and sum(hand) == HAND_TILES - 1:  # no placement, no wait (RULES §7.5)
        found.append(table.of_content(kinds_in(won), (won & FOURS).bit_count(), 0, True))
    if not found:
        raise NotWinning
    return _best(table, found, table.of_situation(context[1:], own.lying))


def _as_sets(
    table: FanTable, before: Packed, own: Laid, context: WinContext, suit: Half, honor: Half
) -> list[Shown]:
    """Read as four sets and a pair: every way to cut 萬, every place of the winning tile in it.

    ``before``: the concealed tiles without the winning one.
    """
    own_code, own_packed, own_sorts, own_ranks, _, lying = own
    _, suit_sorts, suit_ranks, suit_codes = suit
    _, honor_sorts, _, (honor_code,) = honor
    win = context.win_tile
    fours, ranks = before + PACKED[win] + own_packed & FOURS, suit_ranks + own_ranks
    content = table.of_content(
        suit_sorts | honor_sorts | own_sorts, fours.bit_count(), ranks if ranks >= MILLION else 0, False
    )
    opened = not context.self_drawn  # the pung that the winning tile completes
    is_one_wait: bool | None = None  # worked out if a wait fan depends on it
    found = []
    for suit_code in suit_codes:
        concealed = suit_code + honor_code
        code = own_code + concealed
        shown = (
            content
            | table.of_chows(code & CHOW_FANS_READ)
            | table.of_ranks(code & RANK_FANS_READ)
            | table.of_honors(_honors_code(code, before, context))
        )
        pungs = (concealed & PUNGS).bit_count() + lying.concealed_kongs
        for in_pung, wait in places(concealed & TOUCHED[win], win):
            if wait and is_one_wait is None:
                is_one_wait = waits_on_one(before, not own_code)
            by_place = table.placed[pungs - 1 if in_pung and opened else pungs]
            found.append(shown | by_place[wait if is_one_wait else NO_WAIT])
    return found


def _honors_code(code: Code, before: Packed, context: WinContext) -> Code:
    """A form's code cut down to what ``HONOR_FANS`` read, and completed by what else they do."""
    read = code & HONOR_FANS_READ
    if read & WIND_PUNGS:
        read += winds_code(context.seat_wind, context.prevalent_wind)
    return read + NINE_GATES_CODE if before == NINE_GATES else read


def _best(table: FanTable, found: list[Shown], shared: Shown) -> Score:
    """The reading of the highest total; among equals that whose list of table positions is smallest."""
    best, *others = [table.keep(shown | shared) for shown in found]
    for kept in others:
        if kept.total > best.total or (kept.total == best.total and kept.positions < best.positions):
            best = kept
    return best.score
