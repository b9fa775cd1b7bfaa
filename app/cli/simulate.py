"""``simulate``: rounds of the engine alone. Source: PROTOCOL §1."""

from __future__ import annotations

import argparse
import json
import time
from typing import TYPE_CHECKING

from app.rules.ruleset import RULESET_IDS

if TYPE_CHECKING:
    from app.cli.command import Subparsers


def add_parser(subparsers: Subparsers) -> argparse.ArgumentParser:
    from app.bots.policies import POLICIES

    parser = subparsers.add_parser("simulate", help="play rounds with the engine alone, print a JSON summary")
    parser.add_argument("--rounds", type=_count, default=1_000)
    parser.add_argument("--ruleset", choices=RULESET_IDS, default=RULESET_IDS[0])
    parser.add_argument("--seed", type=int, default=0, help="same seed, same rounds")
    parser.add_argument(
        "--policy", choices=sorted(POLICIES), nargs="+", default=["random"], help="one for both seats, or two"
    )
    return parser


def run(args: argparse.Namespace) -> int:
    from random import Random

    from app.bots.policies import POLICIES
    from app.bots.self_play import play_rounds, tally
    from app.rules.ruleset import load_ruleset

    if len(args.policy) > 2:
        print("at most two policies: one a seat")
        return 2
    rng = Random(args.seed)  # noqa: S311 - reproducible, not secret
    policies = [POLICIES[name](rng) for name in (args.policy * 2)[:2]]
    started = time.perf_counter()
    result = tally(play_rounds(load_ruleset(args.ruleset), args.rounds, rng, policies))
    summary = {
        "ruleset": args.ruleset,
        "policy": args.policy,
        "seed": args.seed,
        "rounds": result.rounds,
        "decisions": result.decisions,
        "seconds": round(time.perf_counter() - started, 3),
        "wins": result.wins,
        "draws": result.draws,
        "mean_fan": round(result.mean_fan, 2),
        "digest": result.digest,
    }
    print(json.dumps(summary))
    return 0


def _count(text: str) -> int:
    value = int(text)
    if value < 0:
        raise argparse.ArgumentTypeError("a number of rounds is not negative")
    return value
