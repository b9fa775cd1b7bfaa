"""Rounds a second of random self-play against a public environment in the same run.

Ours make events and records. Turn and turn about on one thread, CPU time; the last line is one JSON object
of ratios.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from time import thread_time
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from app.bots.policies import POLICIES
from app.bots.self_play import play_rounds, tally
from app.rules.ruleset import RULESET_IDS, load_ruleset
from bench.peers import peer

PEER_ROUNDS, OUR_ROUNDS = 5, 60  # per slice


def ours(ruleset: str) -> Callable[[], int]:
    """A slice of our rounds: how many were played."""
    rng = Random(1)
    policies = [POLICIES["random"](rng)] * 2
    rules = load_ruleset(ruleset)
    return lambda: tally(play_rounds(rules, OUR_ROUNDS, rng, policies)).rounds


def rlcard() -> Callable[[], int]:
    """A slice of RLCard's mahjong rounds, stepped without agents: its quickest way."""
    env, rng = peer("rlcard").make("mahjong", config={"seed": 1}), Random(1)

    def play() -> int:
        for _ in range(PEER_ROUNDS):
            state, _player = env.reset()
            while not env.is_over():
                state, _player = env.step(rng.choice(list(state["legal_actions"])))
        return PEER_ROUNDS

    return play


def rates(players: dict[str, Callable[[], int]], slices: int) -> dict[str, float]:
    """Rounds a second of each, a slice of each at a time."""
    rounds, seconds = dict.fromkeys(players, 0), dict.fromkeys(players, 0.0)
    for play in players.values():
        play()  # warm
    for _ in range(slices):
        for name, play in players.items():
            started = thread_time()
            rounds[name] += play()
            seconds[name] += thread_time() - started
    return {name: rounds[name] / seconds[name] for name in players}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--slices", type=int, default=20)
    slices = parser.parse_args().slices
    players = {"rlcard": rlcard(), **{ruleset: ours(ruleset) for ruleset in RULESET_IDS}}
    measured = rates(players, slices)
    for name, rate in measured.items():
        print(f"{name:10} {rate:8.0f} rounds/s")
    ratios: dict[str, Any] = {
        f"selfplay_{name}_vs_rlcard": round(measured[name] / measured["rlcard"], 2) for name in RULESET_IDS
    }
    print(json.dumps(ratios))


if __name__ == "__main__":
    main()
