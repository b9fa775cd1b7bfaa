"""``loadtest``: real clients against a running server. Source: PROTOCOL §1."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING

from app.cli.command import above_zero

if TYPE_CHECKING:
    from app.cli.command import Subparsers


def add_parser(subparsers: Subparsers) -> argparse.ArgumentParser:
    parser = subparsers.add_parser("loadtest", help="play many rooms against a running server")
    parser.add_argument("--url", default="http://127.0.0.1:8000")
    parser.add_argument("--rooms", type=int, default=10)
    parser.add_argument("--seconds", type=above_zero, default=10.0)
    parser.add_argument("--tier", default="classic64-1")
    return parser


def run(args: argparse.Namespace) -> int:
    import asyncio

    from app.client.load import load, quantile

    measured = asyncio.run(load(args.url.rstrip("/"), args.tier, args.rooms, args.seconds))
    summary = {
        "rooms": args.rooms,
        "seconds": args.seconds,
        "actions": len(measured.acks),
        "actions_per_second": round(len(measured.acks) / args.seconds, 1),
        "ack_ms": {name: quantile(measured.acks, share) for name, share in QUANTILES.items()},
        "both_seats_ms": {name: quantile(measured.both, share) for name, share in QUANTILES.items()},
        "errors": dict(measured.errors),
    }
    print(json.dumps(summary))
    return 1 if measured.errors else 0


QUANTILES = {"p50": 0.5, "p95": 0.95, "p99": 0.99}
