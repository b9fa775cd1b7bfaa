"""Playing rounds in tests: random legal actions, states and events as they come."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from app.engine import apply, legal_actions, start_round
from app.engine.actions import Action
from app.engine.events import Event
from app.engine.state import CLOCK, SEATS, Seat, State
from app.rules.ruleset import load_ruleset


@dataclass(frozen=True)
class Step:
    """One state of a round, what led to it (None at the start) and what happened on the way."""

    state: State
    events: tuple[Event, ...]
    seat: Seat | None = None
    action: Action | None = None


def choices(state: State) -> list[tuple[Seat, Action]]:
    """Everything anybody may do now."""
    return [(seat, action) for seat in (*SEATS, CLOCK) for action in legal_actions(state, seat)]


def random_round(ruleset: str, seed: bytes, rng: Random) -> Iterator[Step]:
    """A round of random legal actions, step by step, to its end."""
    state, events = start_round(load_ruleset(ruleset), seed)
    yield Step(state, events)
    while not state.is_over:
        seat, action = rng.choice(choices(state))
        state, events = apply(state, seat, action)
        yield Step(state, events, seat, action)
