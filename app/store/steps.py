"""What is to be done in one transaction that decides nothing on its way: statements with their rows.

Such steps can be handed over as they are to whoever commits them quickest: ``Database.write_at_once``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

BUSY_MS = 10_000  # how long a connection waits for another's lock, on either database
Row = Sequence[Any]


class Step(NamedTuple):
    """A statement, done with each of the rows: their values are its parameters.

    Each must find a row in ``table``, if one is named; a statement that ``asks`` is a SELECT. ``then`` is the
    point of :mod:`app.rooms.faults` that the process apart has reached with it, if any.
    """

    statement: str
    rows: Sequence[Row]
    table: str = ""
    asks: bool = False
    then: str = ""

    def require(self, found: int) -> None:
        """That every row has been found, where it must be.

        Raises:
            MissingRow: one has not.
        """
        if self.table and found != len(self.rows):
            raise MissingRow(self.table)


class MissingRow(Exception):
    """A row of ``table`` is not there as it must be: nothing is written."""

    def __init__(self, table: str) -> None:
        super().__init__(table)
        self.table = table


class Refused(Exception):
    """Nothing is done, for this reason."""

    def __init__(self, reason: Exception) -> None:
        super().__init__(reason)
        self.reason = reason
