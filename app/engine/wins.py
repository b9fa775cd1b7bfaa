"""From the table to the scorer: under which circumstances a seat would win. Source: RULES §4, §7.7–§7.10."""

from __future__ import annotations

from app.engine.scoring import Opening, Score, WinContext, score
from app.engine.state import DrawnFrom, Ready, Seat
from app.engine.table import Table, seat_wind, visible_counts
from app.rules.tiles import COPIES, Counts, Tile


def score_win(table: Table, seat: Seat, claimed: Tile | None) -> Score:
    """The fans of ``seat`` winning now: on ``claimed`` from the opponent, or on its drawn tile (None).

    Raises:
        NotWinning: the tiles do not win.
    """
    hand = table.hands[seat]
    return score(
        table.rules,
        _before_win(hand.counts, hand.drawn if claimed is None else None),
        tuple(hand.melds),
        win_context(table, seat, claimed),
    )


def reaches_min_fan(table: Table, seat: Seat, claimed: Tile | None) -> bool:
    """Whether a complete hand may win at this tier; flowers do not count. Source: RULES §4."""
    minimum = table.options.min_fan
    return minimum <= 0 or score_win(table, seat, claimed).base_total >= minimum


def win_context(table: Table, seat: Seat, claimed: Tile | None) -> WinContext:
    """Everything besides the tiles that a win is scored by."""
    hand = table.hands[seat]
    self_drawn = claimed is None
    tile = hand.drawn if claimed is None else claimed
    last = table.last
    return WinContext(
        win_tile=tile,
        self_drawn=self_drawn,
        seat_wind=seat_wind(table.dealer, seat),
        prevalent_wind=table.prevalent,
        flowers=tuple(hand.flowers),
        ready=hand.ready is not None,
        heavenly_ready=hand.ready is Ready.HEAVENLY,
        opening=_opening(table, seat, self_drawn),
        last_wall_tile=table.wall_left == 0,
        kong_replacement=self_drawn and table.drawn_from is DrawnFrom.KONG,
        robbing_kong=not self_drawn and last is not None and last.is_kong,
        last_of_kind=_others_lie_open(table, tile, self_drawn),
    )


def _before_win(counts: Counts | list[int], drawn: Tile | None) -> Counts:
    if drawn is None:
        return tuple(counts)
    left = list(counts)
    left[drawn] -= 1
    return tuple(left)


def _opening(table: Table, seat: Seat, self_drawn: bool) -> Opening | None:
    """天和, 地和, 人和: nobody has claimed or made a kong. Source: RULES §7.10."""
    if table.calls:
        return None
    is_dealer = seat == table.dealer
    if self_drawn:
        if is_dealer and table.discards == 0:
            return Opening.HEAVENLY
        return Opening.EARTHLY if not is_dealer and table.discards == 1 else None
    return Opening.HUMANLY if not is_dealer and table.discards == 1 else None


def _others_lie_open(table: Table, tile: Tile, self_drawn: bool) -> bool:
    """和絕張: the other three copies lie open. A claimed tile lies open itself. Source: RULES §7.8."""
    return visible_counts(table)[tile] - (not self_drawn) == COPIES - 1
