"""What one reader may see of a round.

:func:`view_for` is the only way from a state to a reader; ``data()`` gives the JSON form of
docs/PROTOCOL.md §1.4. A view equals what the reader gets by applying his events one by one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from app.engine.events import names
from app.engine.melds import Meld, MeldKind
from app.engine.state import CLOCK, SEATS, DiscardedTile, Hand, LastTile, Phase, Ready, Seat, State
from app.engine.table import multiplier_factors, seat_wind
from app.rules.tiles import TILE_NAMES, Counts, Tile, from_counts

WATCHER: Seat = CLOCK  # a reader without a seat
HIDDEN_TILE = "?"


@dataclass(frozen=True, slots=True)
class HandView:
    """One hand as the reader sees it.

    ``size`` counts the concealed tiles; ``counts`` are they, None where hidden; ``drawn`` is the tile drawn
    last (-1 when none, None where hidden).
    """

    size: int
    counts: Counts | None
    drawn: Tile | None
    melds: tuple[Meld, ...]
    flowers: tuple[Tile, ...]
    discards: tuple[DiscardedTile, ...]
    ready: Ready | None

    def data(self) -> dict[str, Any]:
        return {
            "count": self.size,
            "tiles": self._tiles(),
            "drawn": self._drawn(),
            "melds": [self._meld(meld) for meld in self.melds],
            "flowers": names(self.flowers),
            "discards": [_discard_data(discard) for discard in self.discards],
            "ready": None if self.ready is None else self.ready.value,
        }

    def _tiles(self) -> list[str] | None:
        if self.counts is None:
            return None
        tiles = list(from_counts(self.counts))
        if self.drawn is not None and self.drawn >= 0:
            tiles.remove(self.drawn)
        return names(tiles)

    def _drawn(self) -> str | None:
        if self.drawn is None:
            return HIDDEN_TILE
        return None if self.drawn < 0 else TILE_NAMES[self.drawn]

    def _meld(self, meld: Meld) -> dict[str, Any]:
        hidden = meld.kind is MeldKind.CONCEALED_KONG and self.counts is None
        return {
            "type": meld.kind.value,
            "tiles": None if hidden else names(meld.tiles),
            "claimed": None if meld.claimed is None else TILE_NAMES[meld.claimed],
        }


@dataclass(frozen=True, slots=True)
class RoundView:
    """A round as ``reader`` sees it; ``phase`` and ``offer`` are the words of docs/PROTOCOL.md §1.4."""

    reader: Seat
    dealer: Seat
    prevalent: Tile
    phase: str
    offer: str | None
    turn: Seat | None
    dice: tuple[int, int] | None
    wall_left: int
    openers: tuple[bool, bool]
    doublers: tuple[bool, bool]
    multiplier: int
    hands: tuple[HandView, HandView]
    last: LastTile | None

    def data(self) -> dict[str, Any]:
        return {
            "dealer": self.dealer,
            "prevalent": TILE_NAMES[self.prevalent],
            "seat_winds": [TILE_NAMES[seat_wind(self.dealer, seat)] for seat in SEATS],
            "phase": self.phase,
            "offer": self.offer,
            "turn": self.turn,
            "dice": None if self.dice is None else list(self.dice),
            "wall": self.wall_left,
            "openers": [seat for seat in SEATS if self.openers[seat]],
            "doublers": [seat for seat in SEATS if self.doublers[seat]],
            "multiplier": self.multiplier,
            "hands": [hand.data() for hand in self.hands],
            "last": None if self.last is None else _last_data(self.last),
        }


def view_for(state: State, reader: Seat) -> RoundView:
    """The round as a seat, or :data:`WATCHER`, may see it. Source: RULES §3.1, §4; PROTOCOL §3.1."""
    phase, offer, turn = _stage(state)
    is_dealt = bool(state.pile)
    sees = tuple(is_dealt and visible for visible in state.sees[reader])
    opened, doubled, _ = multiplier_factors(state)
    return RoundView(
        reader=reader,
        dealer=state.dealer,
        prevalent=state.prevalent,
        phase=phase,
        offer=offer,
        turn=turn,
        dice=state.dice if is_dealt else None,
        wall_left=state.wall_left,
        openers=state.openers,
        doublers=state.doublers,
        multiplier=opened * doubled,
        hands=(_hand_view(state.hands[0], sees[0]), _hand_view(state.hands[1], sees[1])),
        last=state.last,
    )


def _stage(state: State) -> tuple[str, str | None, Seat | None]:
    """Phase, open offer and turn in words that tell nothing hidden: a discard that may be claimed looks
    like one that may not."""
    phase = state.phase
    if phase is Phase.OPEN_HAND_OFFER:
        return "open_hand", "open_hand", None
    if phase is Phase.OPENING_PAUSE:
        offer = "double" if state.options.double else "opening"
        return offer, offer, None
    if phase is Phase.TURN:
        return "turn", None, state.turn
    if phase is Phase.ENDED:
        return "ended", None, None
    return "reaction", None, state.turn


def _hand_view(hand: Hand, visible: bool) -> HandView:
    hidden_draw = None if hand.drawn >= 0 else -1
    return HandView(
        size=sum(hand.counts),
        counts=hand.counts if visible else None,
        drawn=hand.drawn if visible else hidden_draw,
        melds=hand.melds if visible else tuple(_hide_concealed_kong(meld) for meld in hand.melds),
        flowers=hand.flowers,
        discards=hand.discards,
        ready=hand.ready,
    )


def _hide_concealed_kong(meld: Meld) -> Meld:
    return meld._replace(tile=-1) if meld.kind is MeldKind.CONCEALED_KONG else meld


def _discard_data(discard: DiscardedTile) -> dict[str, Any]:
    return {
        "tile": TILE_NAMES[discard.tile],
        "from_draw": discard.from_draw,
        "claimed": discard.claimed,
        "ready": discard.ready,
    }


def _last_data(last: LastTile) -> dict[str, Any]:
    return {"seat": last.seat, "tile": TILE_NAMES[last.tile], "kind": "kong" if last.is_kong else "discard"}
