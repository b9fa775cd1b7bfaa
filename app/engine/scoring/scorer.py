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
    HONOR_FANS_READ,
    NINE_GATES_CODE,
    PLACES_READ,
    RANK_FANS_READ,
    WIND_PUNGS,
    Code,
    bits,
    winds_code,
)
from app.engine.scoring.context import WinContext
from app.engine.scoring.errors import NotWinning
from app.engine.scoring.fan_table import FanTable, Shown, fan_table
from app.engine.scoring.form_fans import MILLION
from app.engine.scoring.laid import Laid, laid
from app.engine.scoring.packed import (
    ALL_HONORS,
    FOURS,
    ODD,
    PACKED,
    SIZE_OF,
    SUIT_AT,
    Packed,
    held,
    kinds_marked,
    pack,
)
from app.engine.scoring.parts import HAND_TILES, HONOR_TABLE, SUIT_TABLE, Half
from app.engine.scoring.result import Score
from app.engine.scoring.shapes import waits_on_one
from app.rules.ruleset import RuleSet
from app.rules.tiles import Counts, parse_tiles, to_counts

NINE_GATES = pack(to_counts(parse_tiles("1112345678999m")))


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
    table, own, before = fan_table(rules), laid[melds], pack(hand)
    won = before + PACKED[context.win_tile]
    if won % SIZE_OF != HAND_TILES - 3 * len(melds):
        raise NotWinning
    suit, honor = SUIT_TABLE.get(won >> SUIT_AT), HONOR_TABLE.get(won & ALL_HONORS)
    found: list[Shown] = []
    if suit and honor:
        content = _content(table, won, own, suit, honor)
        found = _as_sets(table, content, before, own, context, suit, honor)
    if not melds and not won & ODD:  # seven pairs: no placement, no wait (RULES §7.5)
        kinds = bits(kinds_marked[held(won)])
        found.append(table.of_content[kinds, (won & FOURS).bit_count(), 0, True])
    if not found:
        raise NotWinning
    return _best(table, found, table.of_situation[context[1:], own.lying])


def _content(table: FanTable, won: Packed, own: Laid, suit: Half, honor: Half) -> Shown:
    fours, ranks = won + own.packed & FOURS, suit.ranks + own.ranks
    sorts = suit.sorts | honor.sorts | own.sorts
    return table.of_content[sorts, fours.bit_count(), ranks if ranks >= MILLION else 0, False]


def _as_sets(
    table: FanTable, content: Shown, before: Packed, own: Laid, context: WinContext, suit: Half, honor: Half
) -> list[Shown]:
    """Read as four sets and a pair: every way to cut 萬, every place of the winning tile in it.

    ``before``: the concealed tiles without the winning one.
    """
    win, opened, kongs = context.win_tile, not context.self_drawn, own.lying.concealed_kongs
    (honor_code,) = honor.codes
    rest = own.code + NINE_GATES_CODE if before == NINE_GATES else own.code
    is_one_wait: bool | None = None  # worked out if a wait fan depends on it
    found = []
    for suit_code in suit.codes:
        concealed = suit_code + honor_code
        shown = content | _of_form(table, rest + concealed, context)
        alone, among = table.of_places[concealed & PLACES_READ[win], win, opened, kongs]
        if is_one_wait is None and alone != among:
            is_one_wait = waits_on_one(before, can_be_pairs=not own.code)
        for by_place in alone if is_one_wait else among:
            found.append(shown | by_place)
    return found


def _of_form(table: FanTable, code: Code, context: WinContext) -> Shown:
    honors = code & HONOR_FANS_READ
    if honors & WIND_PUNGS:  # without one the winds say nothing
        honors += winds_code(context.seat_wind, context.prevalent_wind)
    return (
        table.of_chows[code & CHOW_FANS_READ]
        | table.of_ranks[code & RANK_FANS_READ]
        | table.of_honors[honors]
    )


def _best(table: FanTable, found: list[Shown], shared: Shown) -> Score:
    """The reading of the highest total; among equals that whose list of table positions is smallest."""
    best = table.kept[found[0] | shared]
    for shown in found[1:]:
        kept = table.kept[shown | shared]
        if kept.total > best.total or (kept.total == best.total and kept.positions < best.positions):
            best = kept
    return best.score
