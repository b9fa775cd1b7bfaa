"""Nothing hidden reaches a seat or a watcher, neither in a frame nor in when it is sent.

Each game is played twice (:mod:`tests.twins`). The second time the tiles that the observer never saw lie
elsewhere, under the same commitment; up to the event that ends the round everything he and a watcher are
sent, and when, must be the same. Source: PROTOCOL §3.1, §3.6.
"""

from __future__ import annotations

import itertools
import logging
from random import Random

import pytest

from app.engine import apply, legal_actions, start_round
from app.engine.actions import CLOSE, PASS, Action, parse_action
from app.engine.events import TileDiscarded
from app.engine.state import CLOCK, Seat
from app.rooms.ports import EventRecord, RoundRecord
from app.rooms.recovery import record_of
from app.rules.ruleset import RULESET_IDS, load_ruleset
from tests.twins import CLOSING, Duel, Heard, Hidden, Wall, Walls, exchanged, hidden_places

TRIES = 12
BATCH = 50


@pytest.fixture
def walls(monkeypatch: pytest.MonkeyPatch) -> Walls:
    walls = Walls()
    monkeypatch.setattr("app.engine.round.shuffle", walls)
    return walls


def round_of(duel: Duel) -> RoundRecord:
    assert duel.state.play is not None
    return duel.state.play.record


def hidden_in(duel: Duel) -> tuple[Wall, Hidden, int]:
    """The wall of the last round, what of it the observer has not seen, and when the round was over."""
    events = _events(duel)
    last = next(n for n, event in enumerate(events) if event.kind in CLOSING)
    assert duel.state.play is not None
    wall = duel.state.play.state.wall
    return wall, hidden_places(events[:last], wall, duel.observer), events[last].at_ms


def is_playable(duel: Duel, seed: bytes, walls: Walls, wall: Wall) -> bool:
    """Whether everything that was done can be done on this wall; a decline may have nothing to decline.

    That a discard was not the tile just drawn is public: on this wall it must be so again.
    """
    record = record_of(round_of(duel), tuple(_actions(duel)))
    walls.replaced[seed] = wall
    state, _ = start_round(
        load_ruleset(record.ruleset),
        record.seed,
        record.dealer,
        prevalent=record.prevalent,
        options=record.options,
    )
    thrown: list[bool] = []
    was_thrown = [event.data["from_draw"] for event in _events(duel) if event.kind == "discarded"]
    for seat, code in record.actions[:-1]:  # the last one ends the round
        able = [
            (actor, action)
            for actor, action in _same(seat, parse_action(code), 1 - duel.observer)
            if action in legal_actions(state, actor)
        ]
        if not able:
            return False
        state, events = apply(state, *able[0])
        thrown += [event.from_draw for event in events if isinstance(event, TileDiscarded)]
    return thrown == was_thrown[: len(thrown)]


def _same(seat: Seat, action: Action, opponent: Seat) -> list[tuple[Seat, Action]]:
    if (seat, action) in ((opponent, PASS), (CLOCK, CLOSE)):
        return [(opponent, PASS), (CLOCK, CLOSE)]
    return [(seat, action)]


def _events(duel: Duel) -> list[EventRecord]:
    round_id = round_of(duel).id
    return [e for batch in duel.store.batches for e in batch.events if e.round_id == round_id]


def _actions(duel: Duel) -> list[tuple[Seat, str]]:
    round_id = round_of(duel).id
    done = (action for batch in duel.store.batches for action in batch.actions)
    return [(action.seat, action.code) for action in done if action.round_id == round_id]


def before(heard: list[Heard], at_ms: int) -> list[Heard]:
    return [each for each in heard if each[0] < at_ms]


async def twins(walls: Walls, ruleset: str, seed: int) -> tuple[int, int]:
    """How many hidden tiles the opponent held, and how many of these were others the second time."""
    rng = Random(f"{ruleset} {seed}")
    observer, rounds = rng.randrange(2), rng.choice((1, 1, 2))
    walls.replaced.clear()
    walls.seeds.clear()
    first = Duel(ruleset, seed, observer)
    await first.play(rounds)
    wall, hidden, end_ms = hidden_in(first)
    shuffle_seed = list(dict.fromkeys(walls.seeds))[rounds - 1]
    other = next(
        (
            candidate
            for candidate in (exchanged(wall, hidden, rng) for _ in range(TRIES))
            if is_playable(first, shuffle_seed, walls, candidate)
        ),
        wall,
    )
    walls.replaced[shuffle_seed] = other
    second = Duel(ruleset, seed, observer, first.script)
    await second.play(rounds, until_ms=end_ms - 1)
    await first.close()
    await second.close()
    expected, found = before(first.heard, end_ms), before(second.heard, end_ms)
    for one, two in itertools.zip_longest(expected, found):
        assert one == two, f"{ruleset} {seed}"
    return len(hidden.held), sum(wall[place] != other[place] for place in hidden.held)


@pytest.fixture(autouse=True)
def quiet(caplog: pytest.LogCaptureFixture) -> None:
    """Rooms that are stopped in the midst of a round say so."""
    caplog.set_level(logging.CRITICAL, "app.rooms")


async def many(walls: Walls, ruleset: str, seeds: range) -> None:
    """Enough of it must really have been exchanged, or this would prove nothing."""
    counted = [await twins(walls, ruleset, seed) for seed in seeds]
    held, changed = (sum(column) for column in zip(*counted, strict=True))
    assert held > 2 * len(counted)
    assert changed > held / 2


@pytest.mark.parametrize("ruleset", RULESET_IDS)
async def test_hidden_tiles_change_nothing_that_is_sent(ruleset: str, walls: Walls) -> None:
    await many(walls, ruleset, range(12))


@pytest.mark.long
@pytest.mark.parametrize("start", range(0, 2_000, BATCH))
@pytest.mark.parametrize("ruleset", RULESET_IDS)
async def test_hidden_tiles_change_nothing_in_2000_rounds(ruleset: str, start: int, walls: Walls) -> None:
    await many(walls, ruleset, range(1_000 + start, 1_000 + start + BATCH))
