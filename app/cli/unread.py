"""Rounds that cannot be read: whoever goes through many of them passes over these, and says so."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager


class Unread:
    """``count`` is how many have been passed over."""

    def __init__(self) -> None:
        self.count = 0

    @contextmanager
    def passing_over(self, round_id: str) -> Iterator[None]:
        """What is done here with a round may find that something of it is no value of its kind."""
        from app.store.rows import UNREADABLE

        try:
            yield
        except UNREADABLE as fault:
            self.count += 1
            print(f"round {round_id} cannot be read and is passed over: {fault!r}", file=sys.stderr)
