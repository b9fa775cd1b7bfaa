"""What a command is: a module with these two functions. And what several of them need."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, Protocol, TypeAlias

if TYPE_CHECKING:
    from app.settings import Settings

    Subparsers: TypeAlias = argparse._SubParsersAction[argparse.ArgumentParser]


class Command(Protocol):
    def add_parser(self, subparsers: Subparsers) -> argparse.ArgumentParser:
        """Add the command with its options and give back its parser."""
        ...

    def run(self, args: argparse.Namespace) -> int:
        """Do it; the exit status."""
        ...


def read_settings(**overrides: object) -> Settings:
    """The settings of a command.

    Raises:
        SystemExit: one is no value of its kind; said and answered as for a bad argument.
    """
    from app.settings import BadSettings, load_settings

    try:
        return load_settings(**overrides)
    except BadSettings as error:
        print(error, file=sys.stderr)
        raise SystemExit(2) from None


def above_zero(text: str) -> float:
    """An argument that must be a number above 0.

    Raises:
        argparse.ArgumentTypeError: it is none.
    """
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < float("inf"):
        raise argparse.ArgumentTypeError("a number above 0")
    return value
