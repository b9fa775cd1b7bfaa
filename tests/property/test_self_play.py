"""A round played in place is the round that ``apply`` plays state by state. Source: docs/adr/0009."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.bots.policies import POLICIES, Policy, See
from app.bots.self_play import play_round
from app.engine import apply, legal_actions, start_round, view_for
from app.engine.actions import Action, ActionKind
from app.engine.draft import Draft
from app.engine.record import replay_steps
from app.engine.round import IllegalAction, begin_round, is_legal, play
from app.engine.state import CLOCK, SEATS, RoundOptions, Seat, State
from app.engine.views import RoundView
from app.rules.ruleset import RULESET_IDS, load_ruleset
from app.rules.tiles import PLAYABLE_KINDS

ACTORS = (*SEATS, CLOCK)
rulesets = st.sampled_from(RULESET_IDS)
seeds = st.binary(min_size=32, max_size=32)
randoms = st.integers(0, 2**32).map(Random)


def afresh(state: State) -> State:
    """The same state as another object, of which nothing has been asked yet."""
    return state._replace()


def asked(table: State | Draft) -> list[tuple[Action, ...]]:
    return [legal_actions(table, actor) for actor in ACTORS]


def options_of(ruleset: str, rng: Random) -> RoundOptions:
    """The rule set's own, or what tiers make of them: pauses, a least fan."""
    own = RoundOptions.of(load_ruleset(ruleset))
    return replace(own, pauses=rng.random() < 0.5, min_fan=rng.choice((0, 0, 6)))


@given(rulesets, seeds, randoms)
def test_in_place_and_state_by_state_are_one_round(ruleset: str, seed: bytes, rng: Random) -> None:
    """The same states, events and choices at each step, whether or not anybody asked before."""
    rules, options = load_ruleset(ruleset), options_of(ruleset, rng)
    draft = begin_round(rules, seed, options=options)
    state, events = start_round(rules, seed, options=options)
    told = list(events)
    while True:
        assert draft.freeze() == state
        assert draft.events == told
        able = asked(afresh(state))
        assert asked(state) == able
        if rng.random() < 0.5:
            assert asked(draft) == able
        if state.is_over:
            break
        seat, action = rng.choice([(seat, action) for seat in ACTORS for action in able[seat]])
        state, events = apply(state, seat, action)
        play(draft, seat, action)
        told += events
    assert draft.is_over


@given(rulesets, seeds, randoms)
def test_what_is_not_legal_is_refused_in_place(ruleset: str, seed: bytes, rng: Random) -> None:
    everything = [Action(kind) for kind in ActionKind] + [
        Action(kind, tile) for kind in ActionKind for tile in range(PLAYABLE_KINDS)
    ]
    draft = begin_round(load_ruleset(ruleset), seed)
    while not draft.is_over:
        before = draft.freeze()
        for seat, action in ((seat, rng.choice(everything)) for seat in ACTORS):
            if not is_legal(before, seat, action):
                with pytest.raises(IllegalAction):
                    play(draft, seat, action)
        assert draft.freeze() == before
        play(draft, *rng.choice([(seat, action) for seat in ACTORS for action in legal_actions(draft, seat)]))


@given(rulesets, seeds, st.lists(st.sampled_from(sorted(POLICIES)), min_size=2, max_size=2), randoms)
def test_self_play_is_what_its_record_replays_to(
    ruleset: str, seed: bytes, names: list[str], rng: Random
) -> None:
    """The end, all that happened, and what the policies saw and might do at each of their turns."""
    looked: list[tuple[RoundView, Sequence[Action]]] = []
    policies = [looking(POLICIES[name](rng), looked) for name in names]
    played = play_round(load_ruleset(ruleset), seed, policies)
    steps = list(replay_steps(played.record))
    assert steps[-1][0] == played.state
    assert tuple(chain.from_iterable(events for _, events in steps)) == played.events
    assert looked == [
        (view_for(state, seat), options)
        for (state, _), (seat, _) in zip(steps, played.record.actions, strict=False)
        if len(options := legal_actions(afresh(state), seat)) > 1
    ]


def looking(policy: Policy, looked: list[tuple[RoundView, Sequence[Action]]]) -> Policy:
    """The policy, what it is shown kept in ``looked``."""

    def choose(see: See, options: Sequence[Action]) -> Action:
        looked.append((see(), options))
        return policy(see, options)

    return choose


def test_a_policy_cannot_play_what_it_was_not_offered() -> None:
    def cheat(see: See, options: Sequence[Action]) -> Action:
        return Action(ActionKind.VOID)

    with pytest.raises(IllegalAction):
        play_round(load_ruleset("classic64"), bytes(32), [cheat, cheat])


def test_leaving_ends_a_round_in_place() -> None:
    seats: tuple[Seat, ...] = SEATS
    for seat in seats:
        draft = begin_round(load_ruleset("baiwan64"), bytes(32))
        play(draft, seat, Action(ActionKind.FORFEIT))
        assert draft.is_over
        assert draft.events[-1].data() == {"seat": seat}
