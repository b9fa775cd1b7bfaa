"""Start a round, play an action: the two verbs that make states. Source: RULES §3, §4.

Each has a twin that plays in place: ``begin_round`` gives a draft and ``play`` moves it on, for whoever plays
whole rounds and keeps no state between two actions. ``legal_actions`` reads a draft as it reads a state.
"""

from __future__ import annotations

from app.engine import actions as act
from app.engine import flow
from app.engine.actions import Action
from app.engine.draft import Draft
from app.engine.events import Event
from app.engine.legal import legal_actions, remember
from app.engine.opening import begin
from app.engine.shuffle import shuffle
from app.engine.state import CLOCK, SEATS, Phase, RoundOptions, Seat, State
from app.engine.table import Table
from app.rules.ruleset import RuleSet
from app.rules.tiles import EAST, Tile, full_set


class IllegalAction(ValueError):
    """Nothing the seat may do now; the state is as it was."""


def start_round(
    rules: RuleSet,
    seed: bytes,
    dealer: Seat | None = None,
    *,
    prevalent: Tile = EAST,
    options: RoundOptions | None = None,
) -> tuple[State, tuple[Event, ...]]:
    """A new round and its first events, as far as it runs without a choice.

    ``seed`` is the 32-byte key of the shuffle; ``dealer`` None takes the dealer the shuffle draws, as in
    the first round of a match; ``options`` None takes the rule set's own.
    """
    draft = begin_round(rules, seed, dealer, prevalent=prevalent, options=options)
    return draft.freeze(), tuple(draft.events)


def begin_round(
    rules: RuleSet,
    seed: bytes,
    dealer: Seat | None = None,
    *,
    prevalent: Tile = EAST,
    options: RoundOptions | None = None,
) -> Draft:
    """A new round to be played in place; the parameters are those of :func:`start_round`."""
    dealt = shuffle(seed, full_set(rules.flowers))
    state = State(
        rules=rules,
        options=RoundOptions.of(rules) if options is None else options,
        dealer=dealt.first_dealer if dealer is None else dealer,
        prevalent=prevalent,
        wall=dealt.wall,
        dice=dealt.dice,
        phase=Phase.OPEN_HAND_OFFER,
    )
    draft = Draft(state)
    begin(draft)
    return draft


def apply(state: State, seat: Seat, action: Action) -> tuple[State, tuple[Event, ...]]:
    """The state after an action, and what happened.

    Raises:
        IllegalAction: the seat may not do this now.
    """
    if not is_legal(state, seat, action):
        raise _refusal(state, seat, action)
    draft = Draft(state)
    flow.play(draft, seat, action)
    after = draft.freeze()
    remember(after, draft.asked)
    return after, tuple(draft.events)


def play(draft: Draft, seat: Seat, action: Action) -> None:
    """What ``apply`` does, in place: the draft moves on and gathers what happened.

    Raises:
        IllegalAction: the seat may not do this now.
    """
    if not is_legal(draft, seat, action):
        raise _refusal(draft, seat, action)
    flow.play(draft, seat, action)


def is_legal(table: Table, seat: Seat, action: Action) -> bool:
    """Whether ``apply`` takes it: a legal action, or the end of the round from outside.

    A player may forfeit and the server may void whenever the round runs; neither is ever offered.
    """
    if action in legal_actions(table, seat):
        return True
    from_outside = (seat in SEATS and action == act.FORFEIT) or (seat == CLOCK and action == act.VOID)
    return from_outside and not table.is_over


def _refusal(table: Table, seat: Seat, action: Action) -> IllegalAction:
    return IllegalAction(f"seat {seat} may not {action.code} in {table.phase.value}")
