"""The scorer against public packages, turn and turn about in one run, on one thread and in CPU time.

Hands to score come as tile ints, with the melds and the circumstances ready in each package's own form, so
that either pays for turning the tiles into what it wants; shapes come as each package's counts. The last line
is one JSON object of ratios.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Sequence
from itertools import islice
from pathlib import Path
from random import Random
from time import thread_time
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).parents[1]))

from app.engine import apply, legal_actions, start_round
from app.engine.hints import ready_hints
from app.engine.melds import Meld
from app.engine.scoring import is_winning, score, waits
from app.engine.state import CLOCK, SEATS, Phase, State
from app.rules.ruleset import load_ruleset
from app.rules.tiles import Counts, to_counts
from bench.hands import GB_NAMES, Win, random_wins
from bench.peers import peer

WARM_HANDS, ROUNDS = 2_000, 15
COLD_HANDS, COLD_SLICE = 100_000, 5_000
RULES = load_ruleset("classic64")

Run = Callable[[Sequence[Any]], object]


def ours(wins: Sequence[Win]) -> None:
    for tiles, melds, context, _ in wins:
        score(RULES, to_counts(tiles), melds, context)


def pymahjonggb() -> Run:
    calculate = peer("MahjongGB").MahjongFanCalculator

    def run(wins: Sequence[Win]) -> None:
        for tiles, _, context, melds in wins:
            calculate(
                melds,
                tuple([GB_NAMES[tile] for tile in tiles]),
                GB_NAMES[context.win_tile],
                0,
                context.self_drawn,
                False,
                False,
                context.last_wall_tile,
                context.seat_wind - 9,
                context.prevalent_wind - 9,
            )

    return run


class Shape(NamedTuple):
    """Counts of a hand, and with the winning tile; ``peer``: the hand in counts of 34 kinds."""

    hand: Counts
    won: Counts
    melds: tuple[Meld, ...]
    peer: list[int]


def win_check_and_waits(shapes: Sequence[Shape]) -> None:
    for hand, won, melds, _ in shapes:
        waits(hand, melds)
        is_winning(won, len(melds))


def shanten() -> Run:
    """The ``mahjong`` package's shanten of the same concealed tiles."""
    calculate = peer("mahjong.shanten").Shanten().calculate_shanten

    def run(shapes: Sequence[Shape]) -> None:
        for _, _, _, counts in shapes:
            calculate(counts)

    return run


def shape_of(win: Win) -> Shape:
    hand = to_counts(win.tiles)
    won = to_counts((*win.tiles, win.context.win_tile))
    return Shape(hand, won, win.melds, [*hand[:9], *[0] * 18, *hand[9:]])


def turn_about(runs: dict[str, Run], wins: Sequence[Any], rounds: int) -> dict[str, float]:
    """CPU µs a hand of each, warm."""
    seconds = dict.fromkeys(runs, 0.0)
    for run in runs.values():
        run(wins)
    for _ in range(rounds):
        for name, run in runs.items():
            started = thread_time()
            run(wins)
            seconds[name] += thread_time() - started
    return {name: each / rounds / len(wins) * 1e6 for name, each in seconds.items()}


def never_seen(runs: dict[str, Run]) -> dict[str, float]:
    """CPU µs a hand of each on hands that come once.

    They are made slice by slice: a heap of hands that wait would be walked by the garbage collector, in the
    time of whoever allocates next.
    """
    wins = random_wins(2)
    seconds = dict.fromkeys(runs, 0.0)
    for _ in range(COLD_HANDS // COLD_SLICE):
        some = list(islice(wins, COLD_SLICE))
        for name, run in runs.items():
            started = thread_time()
            run(some)
            seconds[name] += thread_time() - started
    return {name: each / COLD_HANDS * 1e6 for name, each in seconds.items()}


def decisions(number: int) -> list[State]:
    """Turns at which some discard leaves a ready hand."""
    rng, found = Random(3), list[State]()
    while len(found) < number:
        state, _ = start_round(RULES, rng.randbytes(32))
        while not state.is_over:
            seat = next(each for each in (*SEATS, CLOCK) if legal_actions(state, each))
            if state.phase is Phase.TURN and ready_hints(state, seat):
                found.append(state)
            state, _ = apply(state, seat, rng.choice(legal_actions(state, seat)))
    return found[:number]


def hints_in_calls(states: Sequence[State], call_us: float) -> float:
    """What all hints of a decision cost, in warm calls of the scorer."""
    spent = []
    for _ in range(ROUNDS):
        started = thread_time()
        for state in states:
            ready_hints(state, state.turn)
        spent.append((thread_time() - started) / len(states) * 1e6)
    return sorted(spent)[ROUNDS // 2] / call_us


BUILD = """
import sys, time
from app.engine.scoring import parts
if sys.argv[1] == "bytes":
    import tracemalloc
    tracemalloc.start()
started = time.thread_time()
tables = parts.build()
spent_ms = (time.thread_time() - started) * 1e3
print(tracemalloc.get_traced_memory()[0] / 1e6 if sys.argv[1] == "bytes" else spent_ms)
"""


def built(what: str) -> float:
    """The tables in a process of their own: CPU ms (``time``) or MB (``bytes``)."""
    command = [sys.executable, "-c", BUILD, what]
    return float(
        subprocess.run(command, check=True, capture_output=True, cwd=Path(__file__).parents[1]).stdout
    )


def main() -> None:
    scorers: dict[str, Run] = {"ours": ours, "pymahjonggb": pymahjonggb()}
    cold = never_seen(scorers)
    wins = list(islice(random_wins(1), WARM_HANDS))
    warm = turn_about(scorers, wins, ROUNDS)
    shapes = turn_about(
        {"ours": win_check_and_waits, "shanten": shanten()}, list(map(shape_of, wins)), ROUNDS
    )
    hints = hints_in_calls(decisions(100), warm["ours"])
    for title, measured in (("never seen", cold), ("warm", warm), ("win check and waits", shapes)):
        print(title, {name: f"{us:.2f} µs" for name, us in measured.items()})
    ratios = {
        "score_vs_pymahjonggb_warm": warm["pymahjonggb"] / warm["ours"],
        "score_vs_pymahjonggb_never_seen": cold["pymahjonggb"] / cold["ours"],
        "win_check_and_waits_vs_shanten": shapes["shanten"] / shapes["ours"],
        "hints_in_warm_scorer_calls": hints,
        "tables_build_ms": built("time"),
        "tables_mb": built("bytes"),
    }
    print(json.dumps({name: round(ratio, 2) for name, ratio in ratios.items()}))


if __name__ == "__main__":
    main()
