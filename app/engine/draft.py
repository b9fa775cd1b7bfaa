"""A working copy of a state: thawed, changed step by step, frozen again.

The fields are those of :class:`~app.engine.state.State` and :class:`~app.engine.state.Hand` with lists where
they have tuples. One draft lives inside one ``apply`` and is seen by nobody else.
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

    __slots__ = ("counts", "discards", "drawn", "flowers", "melds", "ready")

    def __init__(self, hand: Hand) -> None:
        self.counts: list[int] = list(hand.counts)
        self.drawn: Tile = hand.drawn
        self.melds: list[Meld] = list(hand.melds)
        self.flowers: list[Tile] = list(hand.flowers)
        self.discards: list[DiscardedTile] = list(hand.discards)
        self.ready: Ready | None = hand.ready

    def freeze(self) -> Hand:
        return Hand(
            tuple(self.counts),
            self.drawn,
            tuple(self.melds),
            tuple(self.flowers),
            tuple(self.discards),
            self.ready,
        )


class Draft:
    """A round while it changes; ``events`` gathers what happened."""

    __slots__ = (
        *("answers", "calls", "dealer", "dice", "discards", "doublers", "drawn_from", "events"),
        *("hands", "head", "last", "openers", "options", "outcome", "passed", "phase", "pile"),
        *("prevalent", "ready_answer", "rules", "tail", "turn", "wall"),
    )

    def __init__(self, state: State) -> None:
        self.rules: RuleSet = state.rules
        self.options: RoundOptions = state.options
        self.dealer: Seat = state.dealer
        self.prevalent: Tile = state.prevalent
        self.wall: tuple[Tile, ...] = state.wall
        self.dice: tuple[int, int] = state.dice
        self.phase: Phase = state.phase
        self.pile: tuple[Tile, ...] = state.pile
        self.head: int = state.head
        self.tail: int = state.tail
        self.turn: Seat = state.turn
        self.hands: tuple[HandDraft, HandDraft] = (HandDraft(state.hands[0]), HandDraft(state.hands[1]))
        self.drawn_from: DrawnFrom = state.drawn_from
        self.passed: bool = state.passed
        self.last: LastTile | None = state.last
        self.openers: tuple[bool, bool] = state.openers
        self.doublers: tuple[bool, bool] = state.doublers
        self.answers: list[Action | None] = list(state.answers)
        self.ready_answer: Action | None = state.ready_answer
        self.calls: int = state.calls
        self.discards: int = state.discards
        self.outcome: Outcome | None = state.outcome
        self.events: list[Event] = []

    @property
    def wall_left(self) -> int:
        return self.tail - self.head

    def freeze(self) -> State:
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
            (self.hands[0].freeze(), self.hands[1].freeze()),
            self.drawn_from,
            self.passed,
            self.last,
            self.openers,
            self.doublers,
            (self.answers[0], self.answers[1]),
            self.ready_answer,
            self.calls,
            self.discards,
            self.outcome,
        )
