"""``soak``: rooms under a crowd, for long, every step checked. Source: PROTOCOL §1; docs/OPERATIONS.md."""

from __future__ import annotations

import argparse
import json
import os
from typing import TYPE_CHECKING

from app.cli.command import above_zero

if TYPE_CHECKING:
    from app.cli.command import Subparsers


def add_parser(subparsers: Subparsers) -> argparse.ArgumentParser:
    parser = subparsers.add_parser("soak", help="rooms under random people, drops and restarts, all checked")
    parser.add_argument("--rounds", type=int, default=1_000, help="rounds begun, over all rule sets")
    parser.add_argument("--seconds", type=above_zero, default=3_600.0, help="stop after so long")
    parser.add_argument("--seed", type=int, default=0, help="same seed and jobs, same rooms")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes")
    parser.add_argument("--views-every", type=int, default=10, help="of so many rooms, one also checks views")
    return parser


def run(args: argparse.Namespace) -> int:
    from app.soak.run import Plan, soak

    report = soak(Plan(args.rounds, args.seconds, args.seed, args.jobs, args.views_every))
    print(json.dumps(report, ensure_ascii=False))
    return 1 if report["fault"] else 0
