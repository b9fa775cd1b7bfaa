"""A working copy of a state: thawed where it changes, changed step by step, frozen again.

The fields are those of :class:`~app.engine.state.State` and :class:`~app.engine.state.Hand`; a thawed hand
has a list of counts, and tuples that are replaced. One draft lives inside one ``apply``, seen by nobody else.
"""

from __future__ import annotations

from app.engine.actions import Action
from app.engine.events import Event
from app.engine.state import (
    DrawnFrom,
    Hand,
    LastTile,
    Outcome,
    Phase,
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
        counts, self.drawn, self.melds, self.flowers, self.discards, self.ready = hand
        self.counts: list[int] = list(counts)

    def freeze(self) -> Hand:
        return Hand(tuple(self.counts), self.drawn, self.melds, self.flowers, self.discards, self.ready)


class Draft:
    """A round while it changes; ``events`` gathers what happened."""

    __slots__ = (
        *("answers", "calls", "dealer", "dice", "discards", "doublers", "drawn_from", "events"),
        *("hands", "head", "last", "openers", "options", "outcome", "passed", "phase", "pile"),
        *("prevalent", "ready_answer", "rules", "tail", "turn", "wall"),
    )

    def __init__(self, state: State) -> None:
        self.rules: RuleSet
        self.options: RoundOptions
        self.dealer: Seat
        self.prevalent: Tile
        self.wall: tuple[Tile, ...]
        self.dice: tuple[int, int]
        self.phase: Phase
        self.pile: tuple[Tile, ...]
        self.head: int
        self.tail: int
        self.turn: Seat
        self.drawn_from: DrawnFrom
        self.passed: bool
        self.last: LastTile | None
        self.openers: tuple[bool, bool]
        self.doublers: tuple[bool, bool]
        self.answers: tuple[Action | None, Action | None]
        self.ready_answer: Action | None
        self.calls: int
        self.discards: int
        self.outcome: Outcome | None
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
            hands,
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
        self.hands: list[Hand | HandDraft] = list(hands)

    @property
    def wall_left(self) -> int:
        return self.tail - self.head

    def hand(self, seat: Seat) -> HandDraft:
        """The seat's hand to be changed; one that nobody asks for stays frozen."""
        hand = self.hands[seat]
        if isinstance(hand, Hand):
            hand = self.hands[seat] = HandDraft(hand)
        return hand

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
            (
                first if isinstance(first, Hand) else first.freeze(),
                second if isinstance(second, Hand) else second.freeze(),
            ),
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
