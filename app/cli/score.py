"""``score``: hands in, fans out. Source: PROTOCOL §1.1."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from app.cli.command import Subparsers


def add_parser(subparsers: Subparsers) -> argparse.ArgumentParser:
    return subparsers.add_parser("score", help="score won hands: JSON lines on stdin, JSON lines on stdout")


def run(args: argparse.Namespace) -> int:
    from app.cli.lines import answer_lines
    from app.engine.scoring.wire import answer_score

    return answer_lines(answer_score)
