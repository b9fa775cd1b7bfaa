"""A round as it is played: thawed where it changes, changed step by step, frozen again.

The fields are those of :class:`~app.engine.state.State` and :class:`~app.engine.state.Hand`; a thawed hand
has lists of counts and discards, and tuples that are replaced. A draft lives inside one ``apply``, or through
a round that is played in place (``app/engine/round.py``); only a frozen state is ever kept.
"""

from __future__ import annotations

from app.engine.actions import Action
from app.engine.events import Event
from app.engine.melds import Meld
from app.engine.state import (
    DiscardedTile,
    DrawnFrom,
    Hand,
    LastTile,
    Outcome,
    Phase,
    Ready,
    RoundOptions,
    Seat,
    State,
)
from app.rules.ruleset import RuleSet
from app.rules.tiles import Tile


class HandDraft:
    """A seat's tiles while they change."""

    __slots__ = Hand._fields

    counts: list[int]
    drawn: Tile
    melds: tuple[Meld, ...]
    flowers: tuple[Tile, ...]
    discards: list[DiscardedTile]
    ready: Ready | None

    def __init__(self, hand: Hand) -> None:
        counts, self.drawn, self.melds, self.flowers, discards, self.ready = hand
        self.counts, self.discards = list(counts), list(discards)

    def freeze(self) -> Hand:
        counts, discards = tuple(self.counts), tuple(self.discards)
        return Hand(counts, self.drawn, self.melds, self.flowers, discards, self.ready)


class Draft:
    """A round while it changes.

    ``events`` gathers what happened. ``asked`` holds what a seat may do, where that has been worked out since
    the last action (``legal.py``).
    """

    __slots__ = (*State._fields, "asked", "events")

    rules: RuleSet
    options: RoundOptions
    dealer: Seat
    prevalent: Tile
    wall: tuple[Tile, ...]
    dice: tuple[int, int]
    phase: Phase
    pile: tuple[Tile, ...]
    head: int
    tail: int
    turn: Seat
    hands: tuple[HandDraft, HandDraft]
    drawn_from: DrawnFrom
    passed: bool
    last: LastTile | None
    openers: tuple[bool, bool]
    doublers: tuple[bool, bool]
    answers: tuple[Action | None, Action | None]
    ready_answer: Action | None
    calls: int
    discards: int
    outcome: Outcome | None

    def __init__(self, state: State) -> None:
        self.asked: dict[Seat, tuple[Action, ...]] = {}
        self.events: list[Event] = []
        (
            self.rules,
            self.options,
            self.dealer,
            self.prevalent,
            self.wall,
            self.dice,
            self.phase,
            self.pile,
            self.head,
            self.tail,
            self.turn,
            (first, second),
            self.drawn_from,
            self.passed,
            self.last,
            self.openers,
            self.doublers,
            self.answers,
            self.ready_answer,
            self.calls,
            self.discards,
            self.outcome,
        ) = state
        self.hands = (HandDraft(first), HandDraft(second))

    @property
    def wall_left(self) -> int:
        return self.tail - self.head

    @property
    def is_over(self) -> bool:
        return self.phase is Phase.ENDED

    def freeze(self) -> State:
        first, second = self.hands
        return State(
            self.rules,
            self.options,
            self.dealer,
            self.prevalent,
            self.wall,
            self.dice,
            self.phase,
            self.pile,
            self.head,
            self.tail,
            self.turn,
            (first.freeze(), second.freeze()),
            self.drawn_from,
            self.passed,
            self.last,
            self.openers,
            self.doublers,
            self.answers,
            self.ready_answer,
            self.calls,
            self.discards,
            self.outcome,
        )
