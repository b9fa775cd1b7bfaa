"""託管: how the server plays for a seat whose player does not. Source: RULES §10.

It takes a win, keeps a ready hand, claims nothing that would break the hand, and otherwise throws the tile it
can spare most.
"""

from __future__ import annotations

from collections.abc import Sequence

from app.engine.actions import Action, ActionKind
from app.engine.scoring import waits
from app.engine.views import HandView, RoundView
from app.rules.tiles import COPIES, PLAYABLE_KINDS, SUIT_KINDS, Counts, Tile


def auto_play(view: RoundView, options: Sequence[Action]) -> Action:
    """The action auto-play chooses; ``view`` is the seat's own, ``options`` its legal actions."""
    by_kind = {action.kind: action for action in options}
    for kind in (ActionKind.WIN, ActionKind.PASS):
        if kind in by_kind:
            return by_kind[kind]
    discards = [action for action in options if action.kind is ActionKind.DISCARD]
    return max(discards, key=lambda action: _merit(view, action.tile)) if discards else options[0]


def _merit(view: RoundView, tile: Tile) -> tuple[int, int, int]:
    """How good it is to throw ``tile``: first live winning tiles, then how little it holds together."""
    hand = view.hands[view.reader]
    assert hand.counts is not None  # a seat sees its own hand
    left = tuple(count - (kind == tile) for kind, count in enumerate(hand.counts))
    unseen = _unseen(view)
    live = sum(unseen[wait] for wait in waits(left, hand.melds))
    return live, -_ties(hand.counts, tile), tile


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


def _unseen(view: RoundView) -> list[int]:
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
