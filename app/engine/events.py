"""What happened, in past tense, and who may see how much of it.

``event.data()`` is the whole truth, as stored; :func:`redact` is the one place where something is taken out
of it for a reader. Source: PROTOCOL §3.4; docs/PROTOCOL.md §1.5 tabulates the fields.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar, TypeAlias

from app.engine.melds import Meld, MeldKind
from app.engine.scoring import CountedFan
from app.rules.tiles import TILE_NAMES, Tile

Data: TypeAlias = dict[str, Any]
Sees: TypeAlias = tuple[bool, bool]  # by seat: may the reader see that seat's concealed tiles?

KONG_HOW = {
    MeldKind.EXPOSED_KONG: "exposed",
    MeldKind.CONCEALED_KONG: "concealed",
    MeldKind.ADDED_KONG: "added",
}


def names(tiles: Sequence[Tile]) -> list[str]:
    """Tiles as texts, in the order given."""
    return [TILE_NAMES[tile] for tile in tiles]


@dataclass(frozen=True, slots=True)
class OfferOpened:
    """Both seats are asked at once; ``offer`` is open_hand, double or opening."""

    kind: ClassVar[str] = "offer_opened"
    offer: str

    def data(self) -> Data:
        return {"offer": self.offer}


@dataclass(frozen=True, slots=True)
class OfferClosed:
    """Both answers are in; ``seats`` took the offer, ``multiplier`` is the round's so far."""

    kind: ClassVar[str] = "offer_closed"
    offer: str
    seats: tuple[int, ...]
    multiplier: int

    def data(self) -> Data:
        return {"offer": self.offer, "seats": list(self.seats), "multiplier": self.multiplier}


@dataclass(frozen=True, slots=True)
class Dealt:
    """``hands`` by seat, sorted; the dealer's without ``drawn``, the last tile he received."""

    kind: ClassVar[str] = "dealt"
    dealer: int
    dice: tuple[int, int]
    hands: tuple[tuple[Tile, ...], tuple[Tile, ...]]
    drawn: Tile
    wall: int

    def data(self) -> Data:
        return {
            "dice": list(self.dice),
            "hands": [names(hand) for hand in self.hands],
            "drawn": TILE_NAMES[self.drawn],
            "wall": self.wall,
            "dealer": self.dealer,
        }


@dataclass(frozen=True, slots=True)
class FlowerReplaced:
    """A flower was laid open; ``replacement`` is None when the wall was empty."""

    kind: ClassVar[str] = "flower"
    seat: int
    tile: Tile
    replacement: Tile | None
    wall: int

    def data(self) -> Data:
        replacement = None if self.replacement is None else TILE_NAMES[self.replacement]
        return {
            "seat": self.seat,
            "tile": TILE_NAMES[self.tile],
            "replacement": replacement,
            "wall": self.wall,
        }


@dataclass(frozen=True, slots=True)
class TileDrawn:
    kind: ClassVar[str] = "drawn"
    seat: int
    tile: Tile
    wall: int
    replacement: bool

    def data(self) -> Data:
        return {
            "seat": self.seat,
            "tile": TILE_NAMES[self.tile],
            "wall": self.wall,
            "replacement": self.replacement,
        }


@dataclass(frozen=True, slots=True)
class TileDiscarded:
    kind: ClassVar[str] = "discarded"
    seat: int
    tile: Tile
    from_draw: bool

    def data(self) -> Data:
        return {"seat": self.seat, "tile": TILE_NAMES[self.tile], "from_draw": self.from_draw}


@dataclass(frozen=True, slots=True)
class ReadyDeclared:
    kind: ClassVar[str] = "ready_declared"
    seat: int
    heavenly: bool

    def data(self) -> Data:
        return {"seat": self.seat, "heavenly": self.heavenly}


@dataclass(frozen=True, slots=True)
class ChowMade:
    """``tile`` was claimed, ``meld`` is the sequence."""

    kind: ClassVar[str] = "chow"
    seat: int
    tile: Tile
    meld: Meld

    def data(self) -> Data:
        return {"seat": self.seat, "tile": TILE_NAMES[self.tile], "tiles": names(self.meld.tiles)}


@dataclass(frozen=True, slots=True)
class PungMade:
    kind: ClassVar[str] = "pung"
    seat: int
    tile: Tile

    def data(self) -> Data:
        return {"seat": self.seat, "tile": TILE_NAMES[self.tile]}


@dataclass(frozen=True, slots=True)
class KongMade:
    kind: ClassVar[str] = "kong"
    seat: int
    how: MeldKind
    tile: Tile

    def data(self) -> Data:
        return {"seat": self.seat, "how": KONG_HOW[self.how], "tile": TILE_NAMES[self.tile]}


@dataclass(frozen=True, slots=True)
class KongRobbed:
    """``seat`` made the added kong; it reverts to a pung."""

    kind: ClassVar[str] = "kong_robbed"
    seat: int
    tile: Tile

    def data(self) -> Data:
        return {"seat": self.seat, "tile": TILE_NAMES[self.tile]}


@dataclass(frozen=True, slots=True)
class RoundWon:
    """``source`` is the seat that gave the tile, None on a self-draw; ``hand`` lacks the winning tile."""

    kind: ClassVar[str] = "won"
    seat: int
    source: int | None
    tile: Tile
    hand: tuple[Tile, ...]
    fans: tuple[CountedFan, ...]
    total: int
    multiplier: int

    def data(self) -> Data:
        return {
            "seat": self.seat,
            "from": self.source,
            "self_drawn": self.source is None,
            "tile": TILE_NAMES[self.tile],
            "hand": names(self.hand),
            "fans": [fan_data(fan) for fan in self.fans],
            "total": self.total,
            "multiplier": self.multiplier,
        }


@dataclass(frozen=True, slots=True)
class WallExhausted:
    kind: ClassVar[str] = "exhausted"

    def data(self) -> Data:
        return {}


@dataclass(frozen=True, slots=True)
class RoundForfeited:
    """``seat`` left during the round. Source: RULES §10."""

    kind: ClassVar[str] = "forfeited"
    seat: int

    def data(self) -> Data:
        return {"seat": self.seat}


@dataclass(frozen=True, slots=True)
class RoundVoided:
    """Nothing moves; the room, which voided it, adds the reason. Source: RULES §3.6."""

    kind: ClassVar[str] = "voided"

    def data(self) -> Data:
        return {}


Event: TypeAlias = (
    OfferOpened
    | OfferClosed
    | Dealt
    | FlowerReplaced
    | TileDrawn
    | TileDiscarded
    | ReadyDeclared
    | ChowMade
    | PungMade
    | KongMade
    | KongRobbed
    | RoundWon
    | WallExhausted
    | RoundForfeited
    | RoundVoided
)


# The two events of every turn. There are few different ones of each: equal ones are one object, made once.
tile_drawn = cache(TileDrawn)
tile_discarded = cache(TileDiscarded)


def fan_data(fan: CountedFan) -> Data:
    return {"id": fan.id, "zh": fan.zh, "value": fan.value, "count": fan.count}


def redact(kind: str, data: Mapping[str, Any], sees: Sees) -> Mapping[str, Any]:
    """The event as a reader who sees only these seats' concealed tiles gets it.

    Every event, live or read back from the store, passes through here on its way to a reader.
    """
    if kind == Dealt.kind:
        hands = [hand if sees[seat] else None for seat, hand in enumerate(data["hands"])]
        drawn = data["drawn"] if sees[data["dealer"]] else None
        return {**data, "hands": hands, "drawn": drawn}
    hidden = _HIDDEN.get(kind)
    if hidden is None or sees[data["seat"]]:
        return data
    if kind == KongMade.kind and data["how"] != "concealed":
        return data
    return {**data, hidden: None}


# The one field of each kind that only those may read who see the seat's concealed tiles.
_HIDDEN = {TileDrawn.kind: "tile", FlowerReplaced.kind: "replacement", KongMade.kind: "tile"}
