"""The commands there are. To add one, write its module and name it here."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol, TypeAlias

from app.cli import audit, migrate, score, serve, simulate, verify, waits

if TYPE_CHECKING:
    Subparsers: TypeAlias = argparse._SubParsersAction[argparse.ArgumentParser]


class Command(Protocol):
    """What a command's module offers."""

    def add_parser(self, subparsers: Subparsers) -> argparse.ArgumentParser:
        """Add the command with its options and give back its parser."""
        ...

    def run(self, args: argparse.Namespace) -> int:
        """Do it; the exit status."""
        ...


COMMANDS: tuple[Command, ...] = (score, waits, simulate, serve, migrate, audit, verify)


def main(arguments: list[str] | None = None) -> int:
    """Run the command named by ``arguments``, by default the process's own; the exit status."""
    parser = argparse.ArgumentParser(prog="python -m app", description="Erma (二麻), two-player Mahjong")
    subparsers = parser.add_subparsers(metavar="command", required=True)
    for command in COMMANDS:
        command.add_parser(subparsers).set_defaults(run=command.run)
    args = parser.parse_args(arguments)
    run: Callable[[argparse.Namespace], int] = args.run
    return run(args)
