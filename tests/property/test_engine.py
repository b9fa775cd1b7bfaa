"""What holds at every step of every round. Source: RULES §1–§5; PROTOCOL §3.1."""

from __future__ import annotations

import copy
from collections import Counter
from dataclasses import replace
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.engine import apply, legal_actions, replay, start_round, view_for
from app.engine.actions import CLOSE, DISCARD, FORFEIT, VOID, Action, ActionKind
from app.engine.events import redact
from app.engine.melds import Meld, MeldKind
from app.engine.record import Record, replay_steps
from app.engine.round import IllegalAction, is_legal
from app.engine.state import CLOCK, SEATS, Hand, Phase, State
from app.engine.views import WATCHER
from app.rules.ruleset import RULESET_IDS, load_ruleset
from app.rules.tiles import PLAYABLE_KINDS, Tile, from_counts, full_set
from tests.play import random_round

READERS = (0, 1, WATCHER)
rulesets = st.sampled_from(RULESET_IDS)
seeds = st.binary(min_size=32, max_size=32)
randoms = st.integers(0, 2**32).map(Random)


def all_tiles(state: State) -> Counter[Tile]:
    """Every tile there is, wherever it lies."""
    tiles = Counter(state.pile[state.head : state.tail])
    for hand in state.hands:
        tiles.update(from_counts(hand.counts))
        tiles.update(hand.flowers)
        tiles.update(discard.tile for discard in hand.discards if not discard.claimed)
        for meld in hand.melds:
            tiles.update(meld.tiles)
    return tiles


@given(rulesets, seeds, randoms)
def test_tiles_are_conserved_and_hands_keep_their_size(ruleset: str, seed: bytes, rng: Random) -> None:
    tiles = Counter(full_set(load_ruleset(ruleset).flowers))
    for step in random_round(ruleset, seed, rng):
        state = step.state
        if not state.pile:
            continue
        assert all_tiles(state) == tiles
        for seat, hand in enumerate(state.hands):
            size = sum(hand.counts) + 3 * len(hand.melds)
            holds_fourteen = state.phase is Phase.TURN and seat == state.turn
            if state.phase is Phase.OPENING_PAUSE:
                holds_fourteen = seat == state.dealer
            if state.phase is not Phase.ENDED:
                robbing = state.phase is Phase.ROB and seat != state.turn
                assert size == 13 + holds_fourteen, (robbing, state.phase)


@given(rulesets, seeds, randoms)
def test_a_record_replays_to_the_same_state_at_each_step(ruleset: str, seed: bytes, rng: Random) -> None:
    steps = list(random_round(ruleset, seed, rng))
    actions = tuple((step.seat, step.action.code) for step in steps if step.action and step.seat is not None)
    rules = load_ruleset(ruleset)
    record = Record(rules.id, rules.version, seed, None, actions=actions)
    for step, (state, events) in zip(steps, replay_steps(record), strict=True):
        assert state == step.state
        assert events == step.events
    half = replace(record, actions=actions[: len(actions) // 2])
    assert replay(half) == steps[len(actions) // 2].state


@given(rulesets, seeds, randoms)
def test_apply_leaves_its_input_alone(ruleset: str, seed: bytes, rng: Random) -> None:
    steps = list(random_round(ruleset, seed, rng))
    for step, after in pairwise(steps):
        assert after.seat is not None
        assert after.action is not None
        before = copy.deepcopy(step.state)
        apply(step.state, after.seat, after.action)
        assert step.state == before


@given(rulesets, seeds, randoms)
def test_somebody_is_always_asked_until_the_round_ends(ruleset: str, seed: bytes, rng: Random) -> None:
    number = 0
    for number, step in enumerate(random_round(ruleset, seed, rng)):  # noqa: B007  # counted, not used
        asked = [seat for seat in (*SEATS, CLOCK) if legal_actions(step.state, seat)]
        assert bool(asked) != step.state.is_over
        if step.state.phase in (Phase.TURN, Phase.CLAIM, Phase.ROB):
            assert asked == [step.state.turn]
        for seat in asked:
            options = legal_actions(step.state, seat)
            assert len(set(options)) == len(options)
    assert number < 400


@given(rulesets, seeds, randoms)
def test_what_is_not_legal_is_refused(ruleset: str, seed: bytes, rng: Random) -> None:
    everything = [Action(kind) for kind in ActionKind] + [
        Action(kind, tile) for kind in ActionKind for tile in range(PLAYABLE_KINDS)
    ]
    for step in random_round(ruleset, seed, rng):
        for seat in (*SEATS, CLOCK):
            action = rng.choice(everything)
            if not is_legal(step.state, seat, action):
                with pytest.raises(IllegalAction):
                    apply(step.state, seat, action)
    ended = step.state
    for action in (*everything, FORFEIT, VOID):
        for seat in (*SEATS, CLOCK):
            assert not is_legal(ended, seat, action)


# --- nothing leaks -----------------------------------------------------------------------------------------


def with_hidden_tiles_swapped(state: State, reader: int, rng: Random) -> State | None:
    """The same round to this reader's eyes, other tiles where he may not look; None if he sees everything."""
    owners = [seat for seat in SEATS if not state.sees[reader][seat]]
    hidden = [tile for tile in state.pile[state.head : state.tail] if tile < PLAYABLE_KINDS]
    for seat in owners:
        hidden += from_counts(state.hands[seat].counts)
        hidden += [meld.tile for meld in concealed_kongs(state.hands[seat]) for _ in range(4)]
    if not state.pile or any(concealed_kongs(state.hands[seat]) for seat in owners):
        return None
    rng.shuffle(hidden)
    hands = list(state.hands)
    for seat in owners:
        hand = state.hands[seat]
        size = sum(hand.counts)
        mine, hidden = hidden[:size], hidden[size:]
        counts = [0] * PLAYABLE_KINDS
        for tile in mine:
            counts[tile] += 1
        hands[seat] = hand._replace(counts=tuple(counts), drawn=mine[0] if hand.drawn >= 0 else -1)
    left = iter(hidden)
    pile = list(state.pile)
    for place in range(state.head, state.tail):
        if pile[place] < PLAYABLE_KINDS:
            pile[place] = next(left)
    return state._replace(hands=(hands[0], hands[1]), pile=tuple(pile))


def concealed_kongs(hand: Hand) -> list[Meld]:
    return [meld for meld in hand.melds if meld.kind is MeldKind.CONCEALED_KONG]


@given(rulesets, seeds, randoms)
def test_a_view_is_the_same_whatever_is_hidden(ruleset: str, seed: bytes, rng: Random) -> None:
    for step in random_round(ruleset, seed, rng):
        for reader in READERS:
            other = with_hidden_tiles_swapped(step.state, reader, rng)
            if other is not None:
                assert view_for(other, reader) == view_for(step.state, reader)
                assert view_for(other, reader).data() == view_for(step.state, reader).data()


@given(rulesets, seeds, randoms)
def test_a_concealed_kong_stays_hidden(ruleset: str, seed: bytes, rng: Random) -> None:
    for step in random_round(ruleset, seed, rng):
        for reader in READERS:
            view = view_for(step.state, reader).data()
            for seat in SEATS:
                shown = [
                    meld["tiles"] for meld in view["hands"][seat]["melds"] if meld["type"] == "concealed_kong"
                ]
                assert len(shown) == len(concealed_kongs(step.state.hands[seat]))
                assert all((tiles is not None) == step.state.sees[reader][seat] for tiles in shown)


@given(rulesets, seeds, randoms)
def test_redacted_events_name_no_hidden_tile(ruleset: str, seed: bytes, rng: Random) -> None:
    secret = {"dealt": ("hands", "drawn"), "drawn": ("tile",), "flower": ("replacement",)}
    for step in random_round(ruleset, seed, rng):
        for event in step.events:
            data = event.data()
            for reader in READERS:
                sees = step.state.sees[reader]
                shown = redact(event.kind, data, sees)
                assert shown.keys() == data.keys()
                if event.kind == "dealt":
                    assert [hand is not None for hand in shown["hands"]] == list(sees)
                    assert (shown["drawn"] is not None) == sees[step.state.dealer]
                elif event.kind in secret:
                    (field,) = secret[event.kind]
                    assert shown[field] == (data[field] if sees[data["seat"]] else None)
                elif event.kind == "kong" and data["how"] == "concealed":
                    assert shown["tile"] == (data["tile"] if sees[data["seat"]] else None)
                else:
                    assert shown == data


@settings(max_examples=20)
@given(seeds, randoms)
def test_only_openers_are_seen(seed: bytes, rng: Random) -> None:
    for step in random_round("classic64", seed, rng):
        state = step.state
        assert state.sees[0] == (True, state.openers[1])
        assert state.sees[1] == (state.openers[0], True)
        assert state.sees[WATCHER] == state.openers
    assert DISCARD[0].code == "d1m"


@settings(max_examples=30)
@given(rulesets, seeds, randoms)
def test_a_round_that_pauses_is_the_same_round(ruleset: str, seed: bytes, rng: Random) -> None:
    """With pauses the clock goes on where nobody can react, and where somebody can it has no say."""
    rules = load_ruleset(ruleset)
    plain, events = start_round(rules, seed)
    options = replace(plain.options, pauses=True)
    paused, paused_events = start_round(rules, seed, options=options)
    while not plain.is_over:
        assert paused_events == events
        assert paused._replace(options=plain.options) == plain
        asked = [seat for seat in (*SEATS, CLOCK) if legal_actions(plain, seat)]
        seat = rng.choice(asked)
        action = rng.choice(legal_actions(plain, seat))
        assert action in legal_actions(paused, seat)
        plain, events = apply(plain, seat, action)
        paused, paused_events = apply(paused, seat, action)
        while legal_actions(paused, CLOCK) == (CLOSE,) and paused.phase in (Phase.CLAIM, Phase.ROB):
            assert not any(legal_actions(paused, each) for each in SEATS)
            paused, more = apply(paused, CLOCK, CLOSE)
            paused_events += more
    assert paused_events == events
    assert paused.outcome == plain.outcome
