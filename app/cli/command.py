"""What a command is: a module with these two functions."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Protocol, TypeAlias

if TYPE_CHECKING:
    Subparsers: TypeAlias = argparse._SubParsersAction[argparse.ArgumentParser]


class Command(Protocol):
    def add_parser(self, subparsers: Subparsers) -> argparse.ArgumentParser:
        """Add the command with its options and give back its parser."""
        ...

    def run(self, args: argparse.Namespace) -> int:
        """Do it; the exit status."""
        ...
