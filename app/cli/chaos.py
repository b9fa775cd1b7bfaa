"""``chaos``: kill a server again and again while it is played on, and prove that nothing is lost.

Source: PROTOCOL §1; docs/OPERATIONS.md.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from app.cli.command import above_zero

if TYPE_CHECKING:
    from app.cli.command import Subparsers


def add_parser(subparsers: Subparsers) -> argparse.ArgumentParser:
    parser = subparsers.add_parser("chaos", help="kill a server of its own again and again and check all")
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seconds", type=above_zero, default=600.0, help="begin no kill after this")
    parser.add_argument("--rooms", type=int, default=3)
    parser.add_argument("--pause", type=float, default=10.0, help="longest time away, in seconds")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--database-url", help="an empty database; default: a SQLite file of its own")
    return parser


def run(args: argparse.Namespace) -> int:
    import asyncio

    from app.chaos.run import NotEmpty, Plan
    from app.chaos.run import run as unleash
    from app.chaos.server import ServerFailed

    folder = Path(tempfile.mkdtemp(prefix="erma-chaos-"))
    plan = Plan(
        database_url=args.database_url or f"sqlite:///{folder}/erma.sqlite3",
        kills=args.kills,
        seconds=args.seconds,
        rooms=args.rooms,
        pause_seconds=args.pause,
        seed=args.seed,
        log=folder / "server.log",
    )
    try:
        summary = asyncio.run(unleash(plan))
    except NotEmpty as error:
        print(error, file=sys.stderr)
        return 2
    except (ServerFailed, TimeoutError) as error:
        summary = {"ok": False, "faults": [f"{type(error).__name__}: {error}"]}
    print(json.dumps({**summary, "log": str(plan.log)}, ensure_ascii=False))
    return 0 if summary["ok"] else 1
