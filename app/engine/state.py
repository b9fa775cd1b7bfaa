"""The state of a round: frozen values, nothing but tuples and ints inside. Source: RULES §2–§5.

Hand and State are tuples with names because each step of a round makes new ones: a frozen dataclass of that
many fields takes eight times as long to build.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, StrEnum
from functools import cache
from typing import NamedTuple, TypeAlias

from app.engine.actions import Action
from app.engine.melds import Meld
from app.engine.scoring import Score
from app.rules.enums import pinned
from app.rules.ruleset import RuleSet
from app.rules.tiles import PLAYABLE_KINDS, Counts, Tile

Seat: TypeAlias = int

SEATS = (0, 1)
CLOCK: Seat = 2  # who closes a pause that ends by time alone, and who voids a round: not a player


@pinned
class Phase(Enum):
    OPEN_HAND_OFFER = "open_hand"  # 明牌, before the deal; both are asked at once
    OPENING_PAUSE = "pause"  # 加倍 and 天聽, after the deal; both are asked at once
    TURN = "turn"  # ``turn`` holds the tile to discard
    CLAIM = "claim"  # ``turn`` may take the discard ``last``
    ROB = "rob"  # ``turn`` may win on the added kong ``last``
    ENDED = "ended"


@pinned
class DrawnFrom(Enum):
    """How the tile to discard came to the seat whose turn it is."""

    DEAL = "deal"
    WALL = "wall"
    KONG = "kong"  # the replacement of a kong
    FLOWER = "flower"  # the replacement of a flower
    CLAIM = "claim"  # nothing drawn: a chow or pung


@pinned
class Ready(StrEnum):
    READY = "ready"  # 報聽 / 立直
    HEAVENLY = "heavenly"  # 天聽


class DiscardedTile(NamedTuple):
    """One tile of a river; a ``claimed`` one lies in the opponent's meld and is counted there."""

    tile: Tile
    from_draw: bool
    ready: bool = False
    claimed: bool = False


class LastTile(NamedTuple):
    """The tile the opponent may react to: a discard, or the tile of an added kong."""

    seat: Seat
    tile: Tile
    is_kong: bool = False


# There are few different ones, and one comes at every step: equal ones are one object, made once.
discarded_tile = cache(DiscardedTile)
last_tile = cache(LastTile)


@dataclass(frozen=True, slots=True)
class RoundOptions:
    """What a tier adds to the rule set.

    ``min_fan``: fan a hand needs to win, flowers not counted. ``pauses``: after a discard or an added kong
    that nobody can take the round waits for the clock, so that it looks like one that is thought about.
    """

    open_hand: bool = False
    double: bool = False
    min_fan: int = 0
    pauses: bool = False

    @classmethod
    def of(cls, rules: RuleSet) -> RoundOptions:
        """The rule set's own: each offer iff its multiplier is above 1. Source: RULES §12."""
        return cls(rules.open_hand_multiplier > 1, rules.double_multiplier > 1, rules.min_fan)


class Hand(NamedTuple):
    """One seat's tiles.

    ``counts`` are all concealed tiles, ``drawn`` (the tile drawn last, -1 when none) among them; melded tiles
    are in ``melds`` alone.
    """

    counts: Counts = (0,) * PLAYABLE_KINDS
    drawn: Tile = -1
    melds: tuple[Meld, ...] = ()
    flowers: tuple[Tile, ...] = ()
    discards: tuple[DiscardedTile, ...] = ()
    ready: Ready | None = None


@pinned
class OutcomeKind(StrEnum):
    WON = "won"
    EXHAUSTED = "exhausted"
    FORFEITED = "forfeited"
    VOIDED = "voided"


@dataclass(frozen=True, slots=True)
class Outcome:
    """How the round ended. ``seat`` is the winner, or who forfeited; ``score`` a won hand's fans."""

    kind: OutcomeKind
    seat: Seat | None = None
    source: Seat | None = None  # who gave the winning tile; None on a self-draw
    tile: Tile = -1
    score: Score | None = None


class State(NamedTuple):
    """Everything there is to know about a round.

    ``wall`` holds all 64 or 72 tiles in shuffled order, ``pile`` those left after the deal in draw order;
    ``pile[head:tail]`` remain: ordinary draws take from the head, replacements from the tail. ``answers``
    are those to an open offer and ``ready_answer`` the one to the 天聽 question, hidden until it closes.
    ``calls`` counts claims and kongs of both seats, ``discards`` all tiles thrown.
    """

    rules: RuleSet
    options: RoundOptions
    dealer: Seat
    prevalent: Tile
    wall: tuple[Tile, ...]
    dice: tuple[int, int]
    phase: Phase
    pile: tuple[Tile, ...] = ()
    head: int = 0
    tail: int = 0
    turn: Seat = 0
    hands: tuple[Hand, Hand] = (Hand(), Hand())
    drawn_from: DrawnFrom = DrawnFrom.DEAL
    passed: bool = False  # a ready seat has passed its win or kong: only the forced discard is left
    last: LastTile | None = None
    openers: tuple[bool, bool] = (False, False)
    doublers: tuple[bool, bool] = (False, False)
    answers: tuple[Action | None, Action | None] = (None, None)
    ready_answer: Action | None = None
    calls: int = 0
    discards: int = 0
    outcome: Outcome | None = None

    @property
    def wall_left(self) -> int:
        return self.tail - self.head

    @property
    def is_over(self) -> bool:
        return self.phase is Phase.ENDED

    @property
    def sees(self) -> tuple[tuple[bool, bool], tuple[bool, bool], tuple[bool, bool]]:
        """For reader seat 0, seat 1 and a watcher: whose concealed tiles are visible. Source: RULES §3.1."""
        opened = self.openers if self.phase is not Phase.OPEN_HAND_OFFER else (False, False)
        return ((True, opened[1]), (opened[0], True), opened)
