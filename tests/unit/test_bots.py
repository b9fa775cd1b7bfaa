"""Shanten and the policies built on it. Source: RULES §6, §10."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from app.bots.auto_play import auto_play
from app.bots.basic import basic
from app.bots.shanten import shanten
from app.bots.sight import with_tile, without
from app.engine import apply, legal_actions, start_round, view_for
from app.engine.actions import Action, ActionKind
from app.engine.scoring import is_winning
from app.engine.scoring.shapes import shape_waits
from app.engine.state import CLOCK, SEATS, Phase, Seat, State
from app.rules.ruleset import RULESET_IDS, load_ruleset
from app.rules.tiles import COPIES, PLAYABLE_KINDS, Counts, parse_tiles, to_counts

CLAIMS = {ActionKind.CHOW, ActionKind.PUNG, ActionKind.EXPOSED_KONG}


@pytest.mark.parametrize(
    ("hand", "melds", "expected"),
    [
        ("123456789m11122z", 0, -1),
        ("123456789m1112z", 0, 0),
        ("11223344556677m", 0, -1),
        ("1111222233344m", 0, 0),  # four equal tiles as two pairs, or sets
        ("1122335577m112z", 0, 0),  # six pairs and a single tile
        ("1122335577m123z", 0, 1),
        ("19m12345z", 2, 4),
        ("1m", 4, 0),
        ("11m", 4, -1),
        ("19m", 4, 0),
    ],
)
def test_shanten(hand: str, melds: int, expected: int) -> None:
    assert shanten(to_counts(parse_tiles(hand)), melds) == expected


def random_hand(rng: Random, size: int) -> Counts:
    # few kinds make near hands, many make far ones
    kinds = rng.sample(range(PLAYABLE_KINDS), rng.randint(5, PLAYABLE_KINDS))
    pool = [tile for tile in kinds for _ in range(COPIES)]
    return to_counts(tuple(rng.sample(pool, size)))


def exchanges(counts: Counts) -> Iterator[Counts]:
    for drawn in range(PLAYABLE_KINDS):
        more = with_tile(counts, drawn)
        yield from (without(more, thrown) for thrown in range(PLAYABLE_KINDS) if more[thrown])


@pytest.mark.parametrize("melds", range(5))
def test_shanten_counts_the_exchanges_to_a_ready_hand(melds: int) -> None:
    """Ready exactly if there is a wait; otherwise the best exchange brings it one nearer. So by induction."""
    rng = Random(melds)
    for _ in range(60):
        hand = random_hand(rng, 13 - 3 * melds)
        distance = shanten(hand, melds)
        assert (distance == 0) == bool(shape_waits(hand, melds)), hand
        if distance:
            assert min(shanten(after, melds) for after in exchanges(hand)) == distance - 1, hand


def decisions(ruleset: str, seed: int) -> Iterator[tuple[State, Seat, tuple[Action, ...]]]:
    """Every choice of a round played by ``basic`` against any legal action."""
    rng = Random(seed)
    state, _ = start_round(load_ruleset(ruleset), rng.randbytes(32))
    while state.phase is not Phase.ENDED:
        seat = next(each for each in (*SEATS, CLOCK) if legal_actions(state, each))
        options = legal_actions(state, seat)
        if seat == CLOCK:
            action = options[0]
        else:
            yield state, seat, options
            action = basic(view_for(state, seat), options) if seat else rng.choice(options)
        state, _ = apply(state, seat, action)


@pytest.mark.parametrize("ruleset", RULESET_IDS)
def test_what_policies_choose_is_legal_and_wins_are_taken(ruleset: str) -> None:
    for seed in range(25):
        for state, seat, options in decisions(ruleset, seed):
            view = view_for(state, seat)
            for policy in (basic, auto_play):
                chosen = policy(view, options)
                assert chosen in options
                if any(option.kind is ActionKind.WIN for option in options):
                    assert chosen.kind is ActionKind.WIN
            assert auto_play(view, options).kind not in CLAIMS | {ActionKind.DISCARD_READY}


@pytest.mark.parametrize("ruleset", RULESET_IDS)
def test_no_discard_leaves_the_hand_farther_than_it_must(ruleset: str) -> None:
    for seed in range(25):
        for state, seat, options in decisions(ruleset, seed):
            discards = [option for option in options if option.kind is ActionKind.DISCARD]
            chosen = auto_play(view_for(state, seat), options)
            if not discards or chosen not in discards:
                continue
            hand = state.hands[seat]
            left = {each: shanten(without(hand.counts, each.tile), len(hand.melds)) for each in discards}
            assert left[chosen] == min(left.values())


def test_claims_bring_the_hand_nearer() -> None:
    claimed = passed = 0
    for seed in range(60):
        for state, seat, options in decisions("classic64", seed):
            chosen = basic(view_for(state, seat), options)
            if CLAIMS.isdisjoint(option.kind for option in options) or chosen.kind is ActionKind.WIN:
                continue
            hand = state.hands[seat]
            if chosen.kind not in CLAIMS:
                passed += 1
                continue
            claimed += 1
            after, _ = apply(state, seat, chosen)
            own = after.hands[seat]
            thrown = [tile for tile in range(PLAYABLE_KINDS) if own.counts[tile]]
            nearest = min(shanten(without(own.counts, tile), len(own.melds)) for tile in thrown)
            assert nearest < shanten(hand.counts, len(hand.melds))
    assert claimed > 20
    assert passed > 20


def test_a_whole_hand_is_nearer_than_ready() -> None:
    rng = Random(9)
    for _ in range(300):
        hand = random_hand(rng, 14)
        assert (shanten(hand, 0) == -1) == is_winning(hand, 0)
