"""What a seat can work out from its view: its hand without a tile, and where the others still may be."""

from __future__ import annotations

from app.engine.views import HandView, RoundView
from app.rules.tiles import COPIES, PLAYABLE_KINDS, Counts, Tile


def own_hand(view: RoundView) -> tuple[HandView, Counts]:
    """The reader's own hand, and its concealed tiles."""
    hand = view.hands[view.reader]
    assert hand.counts is not None  # a seat sees its own hand
    return hand, hand.counts


def without(counts: Counts, *tiles: Tile) -> Counts:
    left = list(counts)
    for tile in tiles:
        left[tile] -= 1
    return tuple(left)


def with_tile(counts: Counts, tile: Tile) -> Counts:
    return (*counts[:tile], counts[tile] + 1, *counts[tile + 1 :])


def unseen(view: RoundView) -> list[int]:
    """How many of each kind the reader has not seen: in the wall, or in the other hand."""
    left = [COPIES] * PLAYABLE_KINDS
    for hand in view.hands:
        for tile in _shown(hand):
            left[tile] -= 1
    return left


def _shown(hand: HandView) -> list[Tile]:
    tiles = [discard.tile for discard in hand.discards if not discard.claimed]
    tiles += [tile for meld in hand.melds if meld.tile >= 0 for tile in meld.tiles]
    if hand.counts is not None:
        tiles += [tile for tile, count in enumerate(hand.counts) for _ in range(count)]
    return tiles
