"""Whether a won hand can be what it claims to be. Source: PROTOCOL §1.1."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from app.engine.melds import Meld, MeldKind, meld_counts
from app.engine.scoring.context import Opening, WinContext
from app.engine.scoring.errors import ErrorCode, NotWinning, ScoringError
from app.engine.scoring.fan_table import fan_table
from app.engine.scoring.parts import HAND_TILES, SETS
from app.engine.scoring.shapes import is_winning
from app.rules.ruleset import RuleSet
from app.rules.tiles import (
    COPIES,
    EAST,
    PLAYABLE_KINDS,
    SUIT_KINDS,
    TILE_NAMES,
    WINDS,
    Counts,
    Tile,
    is_flower,
)

_OPENING_FANS = {
    Opening.HEAVENLY: "heavenly_hand",
    Opening.EARTHLY: "earthly_hand",
    Opening.HUMANLY: "humanly_hand",
}
_DECLARED_FANS = ("riichi", "ready_hand")
_CLAIMED_IN_TURN = (MeldKind.CHOW, MeldKind.PUNG, MeldKind.ADDED_KONG)


def validate_win(rules: RuleSet, hand: Counts, melds: Sequence[Meld], context: WinContext) -> None:
    """Check a win before scoring it; ``hand`` is the concealed counts without the winning tile.

    Raises:
        ScoringError: the first fault found, tiles before flags, flags before the shape.
    """
    win = context.win_tile
    if win not in range(PLAYABLE_KINDS):
        raise ScoringError(ErrorCode.BAD_TILE, "no hand is won on a flower")
    counts = (*hand[:win], hand[win] + 1, *hand[win + 1 :])
    validate_tiles(counts, melds, HAND_TILES)
    _validate_winds(context)
    _validate_flowers(rules, context.flowers)
    for conflict in _conflicts(hand, melds, effective_context(rules, context)):
        raise ScoringError(ErrorCode.FLAG_CONFLICT, conflict)
    if not is_winning(counts, len(melds)):
        raise NotWinning


def validate_tiles(counts: Counts, melds: Sequence[Meld], whole: int) -> None:
    """Check concealed ``counts`` and ``melds`` that together should be ``whole`` tiles (kongs as three).

    Raises:
        ScoringError: bad_meld, too_many_copies or wrong_count.
    """
    if len(melds) > SETS:
        raise ScoringError(ErrorCode.BAD_MELD, f"{len(melds)} melds; a hand has four sets")
    for meld in melds:
        if not is_possible(meld):
            raise ScoringError(ErrorCode.BAD_MELD, f"no such {meld.kind.value}")
    for tile, laid in enumerate(meld_counts(melds)):
        if counts[tile] + laid > COPIES:
            raise ScoringError(ErrorCode.TOO_MANY_COPIES, f"{counts[tile] + laid} of {TILE_NAMES[tile]}")
    wanted = whole - 3 * len(melds)
    if sum(counts) != wanted:
        raise ScoringError(ErrorCode.WRONG_COUNT, f"{sum(counts)} concealed tiles, not {wanted}")


def is_possible(meld: Meld) -> bool:
    """Whether tiles can lie like this: a chow of 萬, anything else of any playable kind."""
    if meld.kind is MeldKind.CHOW:
        return 0 <= meld.tile <= SUIT_KINDS - 3
    return 0 <= meld.tile < PLAYABLE_KINDS


def effective_context(rules: RuleSet, context: WinContext) -> WinContext:
    """The context without what this rule set has no fan for, and with the ``ready`` that 天聽 implies.

    Source: PROTOCOL §1.1.
    """
    table = fan_table(rules)
    opening = context.opening
    heavenly_ready = context.heavenly_ready and table.has("heavenly_ready")
    return context._replace(
        opening=opening if opening is not None and table.has(_OPENING_FANS[opening]) else None,
        heavenly_ready=heavenly_ready,
        ready=heavenly_ready or (context.ready and any(map(table.has, _DECLARED_FANS))),
    )


def _validate_winds(context: WinContext) -> None:
    for wind in (context.seat_wind, context.prevalent_wind):
        if wind not in WINDS:
            raise ScoringError(ErrorCode.BAD_TILE, "a wind is one of 1z 2z 3z 4z")


def _validate_flowers(rules: RuleSet, flowers: Sequence[Tile]) -> None:
    if flowers and not rules.flowers:
        raise ScoringError(ErrorCode.BAD_FLOWERS, f"{rules.id} is played without flowers")
    if not all(map(is_flower, flowers)):
        raise ScoringError(ErrorCode.BAD_FLOWERS, "a flower is one of 1f to 8f")
    if len(set(flowers)) < len(flowers):
        raise ScoringError(ErrorCode.BAD_FLOWERS, "there is one tile of each flower")


def _conflicts(hand: Counts, melds: Sequence[Meld], context: WinContext) -> Iterator[str]:
    """What cannot be together, one sentence each."""
    if context.opening is not None:
        yield from _opening_conflicts(context.opening, melds, context)
    if context.heavenly_ready and any(meld.kind in _CLAIMED_IN_TURN for meld in melds):
        yield "天聽 allows no chow, pung or added kong"
    if context.kong_replacement:
        if not context.self_drawn:
            yield "a replacement tile is drawn"
        if not any(meld.kind.is_kong for meld in melds):
            yield "a replacement tile needs a kong"
    if context.robbing_kong:
        yield from _robbing_conflicts(hand, melds, context)
    if context.last_of_kind and hand[context.win_tile]:
        yield "the last of its kind has no other copy among the concealed tiles"


def _opening_conflicts(opening: Opening, melds: Sequence[Meld], context: WinContext) -> Iterator[str]:
    if melds:
        yield "an opening win has no melds"
    if context.last_wall_tile or context.kong_replacement or context.robbing_kong or context.last_of_kind:
        yield "an opening win has no last wall tile, replacement, robbed kong or last of a kind"
    if context.self_drawn is (opening is Opening.HUMANLY):
        yield "天和 and 地和 are self-drawn, 人和 is not"
    if opening is Opening.HEAVENLY and context.ready:
        yield "天和 comes before any declaration"
    if (context.seat_wind == EAST) is not (opening is Opening.HEAVENLY):
        yield "天和 is the dealer's, 地和 and 人和 are the other's"


def _robbing_conflicts(hand: Counts, melds: Sequence[Meld], context: WinContext) -> Iterator[str]:
    if context.self_drawn:
        yield "a robbed kong is not self-drawn"
    if context.last_wall_tile:
        yield "no kong is made with an empty wall"
    if hand[context.win_tile] or meld_counts(melds)[context.win_tile]:
        yield "the other three copies of a robbed tile are in the pung"
