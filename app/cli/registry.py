"""The commands there are. To add one, write its module and name it here."""

from __future__ import annotations

import argparse
from collections.abc import Callable

from app.cli import (
    archive,
    audit,
    backup,
    chaos,
    create_operator,
    export_rounds,
    loadtest,
    migrate,
    score,
    serve,
    simulate,
    soak,
    verify,
    waits,
)
from app.cli.command import Command

COMMANDS: tuple[Command, ...] = (
    score,
    waits,
    simulate,
    serve,
    loadtest,
    chaos,
    soak,
    migrate,
    backup,
    archive,
    export_rounds,
    audit,
    verify,
    create_operator,
)


def main(arguments: list[str] | None = None) -> int:
    """Run the command named by ``arguments``, by default the process's own; the exit status."""
    parser = argparse.ArgumentParser(prog="python -m app", description="Erma (二麻), two-player Mahjong")
    subparsers = parser.add_subparsers(metavar="command", required=True)
    for command in COMMANDS:
        command.add_parser(subparsers).set_defaults(run=command.run)
    args = parser.parse_args(arguments)
    run: Callable[[argparse.Namespace], int] = args.run
    return run(args)
