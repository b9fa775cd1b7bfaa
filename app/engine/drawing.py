"""Drawing: from the head of the wall, for kongs and flowers from its tail; and what ends a round.

Source: RULES §3.3, §4.
"""

from __future__ import annotations

from app.engine import events as ev
from app.engine.draft import Draft
from app.engine.state import DrawnFrom, Outcome, OutcomeKind, Phase, Seat
from app.rules.tiles import Tile, is_flower


def replace_flowers(draft: Draft, seat: Seat, flower: Tile) -> bool:
    """Lay a flower open and draw until no flower comes; False when the wall ran out. Source: RULES §3.3."""
    hand = draft.hands[seat]
    tile: Tile | None = flower
    while tile is not None and is_flower(tile):
        hand.flowers += (tile,)
        replacement = None
        if draft.wall_left:
            draft.tail -= 1
            replacement = draft.pile[draft.tail]
        draft.events.append(ev.FlowerReplaced(seat, tile, replacement, draft.wall_left))
        tile = replacement
    if tile is None:
        return False
    hand.counts[tile] += 1
    if hand.drawn >= 0:  # the replacement is then the tile last received (RULES §7.10)
        hand.drawn = tile
    return True


def draw(draft: Draft, seat: Seat, source: DrawnFrom) -> None:
    """The next tile: from the head, or for a kong from the tail. An empty wall ends the round."""
    left = draft.tail - draft.head - 1
    if left < 0:
        end_exhausted(draft)
        return
    if source is DrawnFrom.KONG:
        draft.tail -= 1
        tile = draft.pile[draft.tail]
    else:
        tile = draft.pile[draft.head]
        draft.head += 1
    hand = draft.hands[seat]
    draft.events.append(ev.tile_drawn(seat, tile, left, source is DrawnFrom.KONG))
    hand.drawn = tile
    if is_flower(tile):
        source = DrawnFrom.FLOWER
        if not replace_flowers(draft, seat, tile):
            hand.drawn = -1
            end_exhausted(draft)
            return
    else:
        hand.counts[tile] += 1
    begin_turn(draft, seat, source)


def begin_turn(draft: Draft, seat: Seat, source: DrawnFrom) -> None:
    draft.phase = Phase.TURN
    draft.turn = seat
    draft.drawn_from = source
    draft.passed = False
    draft.last = None


def end_exhausted(draft: Draft) -> None:
    draft.events.append(ev.WallExhausted())
    end(draft, Outcome(OutcomeKind.EXHAUSTED))


def end(draft: Draft, outcome: Outcome) -> None:
    draft.phase = Phase.ENDED
    draft.last = None
    draft.outcome = outcome
