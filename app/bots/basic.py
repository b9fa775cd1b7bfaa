"""``basic``: the quickest way to a win, by what the hand lacks and what is still to come.

It takes wins, keeps ready hands, claims what brings the hand nearer, and throws the tile that leaves the most
live tiles to draw. It weighs neither the worth of a hand nor the danger of a discard.
"""

from __future__ import annotations

from collections.abc import Sequence

from app.bots.shanten import shanten
from app.bots.sight import own_hand, unseen, with_tile, without
from app.engine.actions import PASS, WIN, Action, ActionKind
from app.engine.views import RoundView
from app.rules.tiles import PLAYABLE_KINDS, SUIT_KINDS, Counts, Tile

READY = 0  # shanten of a ready hand
READY_WORTH_DECLARING = 2  # live tiles it waits on: the declaration cannot be taken back
_CLAIMS = (ActionKind.EXPOSED_KONG, ActionKind.PUNG, ActionKind.CHOW)
_OWN_KONGS = (ActionKind.CONCEALED_KONG, ActionKind.ADDED_KONG)


def basic(view: RoundView, options: Sequence[Action]) -> Action:
    """The action ``basic`` chooses; ``view`` is the seat's own, ``options`` its legal actions."""
    kinds = {action.kind for action in options}
    if ActionKind.WIN in kinds:
        return WIN
    if not kinds.isdisjoint(_CLAIMS):
        return best_claim(view, options)
    kong = next((action for action in options if action.kind in _OWN_KONGS), None)
    if kong is not None and _is_free(view, kong):
        return kong
    if ActionKind.DISCARD in kinds:
        return best_discard(view, options)
    return _answer(options)


def best_discard(view: RoundView, options: Sequence[Action]) -> Action:
    """The discard that leaves the hand nearest to a win; with the declaration where that is worth it."""
    discards = [action for action in options if action.kind is ActionKind.DISCARD]
    hand, counts = own_hand(view)
    left = {action: without(counts, action.tile) for action in discards}
    distance = {action: shanten(left[action], len(hand.melds)) for action in discards}
    nearest = min(distance.values())
    live = unseen(view)
    widths = {
        action: width(left[action], len(hand.melds), live)
        for action in discards
        if distance[action] == nearest
    }
    best = max(widths, key=lambda action: (widths[action], -_ties(counts, action.tile), action.tile))
    declared = Action(ActionKind.DISCARD_READY, best.tile)
    if nearest == READY and declared in options and widths[best] >= READY_WORTH_DECLARING:
        return declared
    return best


def best_claim(view: RoundView, options: Sequence[Action]) -> Action:
    """The claim that brings the hand nearest to a win, if any brings it nearer than a pass."""
    hand, counts = own_hand(view)
    now = shanten(counts, len(hand.melds))

    def after(action: Action) -> int:
        return _nearest_after(without(counts, *_own_tiles(view, action)), len(hand.melds) + 1)

    claims = [action for action in options if action.kind in _CLAIMS]
    best = min(claims, key=after)
    return best if now > READY and after(best) < now else PASS


def width(counts: Counts, melds_count: int, live: Sequence[int]) -> int:
    """How many live tiles bring the hand nearer; ``live`` counts the unseen ones by kind."""
    now = shanten(counts, melds_count)
    return sum(
        live[tile]
        for tile in range(PLAYABLE_KINDS)
        if live[tile] and shanten(with_tile(counts, tile), melds_count) < now
    )


def _nearest_after(counts: Counts, melds_count: int) -> int:
    """With one tile still to be thrown. After a kong none is, but its replacement comes: no worse."""
    return min(shanten(without(counts, tile), melds_count) for tile in range(PLAYABLE_KINDS) if counts[tile])


def _own_tiles(view: RoundView, claim: Action) -> list[Tile]:
    """What a claim takes out of the hand beside the discard."""
    if claim.kind is ActionKind.EXPOSED_KONG:
        return [claim.tile] * 3
    if claim.kind is ActionKind.PUNG:
        return [claim.tile] * 2
    assert view.last is not None  # a claim takes the last discard
    chow = [claim.tile, claim.tile + 1, claim.tile + 2]
    chow.remove(view.last.tile)
    return chow


def _is_free(view: RoundView, kong: Action) -> bool:
    """Whether a kong of one's own leaves the hand as near to a win as it was."""
    hand, counts = own_hand(view)
    is_added = kong.kind is ActionKind.ADDED_KONG
    left = without(counts, *[kong.tile] * (1 if is_added else counts[kong.tile]))
    melds_count = len(hand.melds) + (0 if is_added else 1)
    return shanten(left, melds_count) <= _nearest_after(counts, len(hand.melds))


def _answer(options: Sequence[Action]) -> Action:
    """Offers: 天聽 is taken, nothing is doubled or opened."""
    quiet = (ActionKind.READY, ActionKind.KEEP_CLOSED, ActionKind.NO_DOUBLE, ActionKind.PASS)
    return next((action for kind in quiet for action in options if action.kind is kind), options[0])


def _ties(counts: Counts, tile: Tile) -> int:
    """How much a tile is worth beside its neighbours: copies count most, then near ranks, then far ones."""
    ties = 4 * (counts[tile] - 1)
    if tile < SUIT_KINDS:
        for distance, worth in ((1, 3), (2, 2)):
            for other in (tile - distance, tile + distance):
                if 0 <= other < SUIT_KINDS and counts[other]:
                    ties += worth
        ties += min(tile, SUIT_KINDS - 1 - tile, 2)  # inner tiles have more partners to come
    return ties
