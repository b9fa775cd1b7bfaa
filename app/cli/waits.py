"""``waits``: hands in, winning tiles out. Source: PROTOCOL §1."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from app.cli.command import Subparsers


def add_parser(subparsers: Subparsers) -> argparse.ArgumentParser:
    return subparsers.add_parser(
        "waits", help="tiles a hand waits on: JSON lines on stdin, JSON lines on stdout"
    )


def run(args: argparse.Namespace) -> int:
    from app.cli.lines import answer_lines
    from app.engine.scoring.wire import answer_waits

    return answer_lines(answer_waits)
