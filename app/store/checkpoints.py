"""Carrying SQLite's log over into its file, out of the writer's way.

SQLite would do it within a commit, each time the log has grown by so many pages, and everybody who waits for
that commit waits for all of them: 10–20 ms on a busy server. Here a connection of its own carries them over
while the writer writes on. Only the few pages written meanwhile are left to the writer's thread, between two
transactions; when nothing is left the log begins anew at its start. Source: docs/adr/0014.
"""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, suppress
from typing import Any, Protocol

log = logging.getLogger(__name__)

# Rows changed until the next time, some 60 MB of log. In a smaller one too few pages were changed more than
# once, and all the time it is carried over the writer has the disk and the processors less to himself.
ROWS = 10_000
PASSES = 2  # beside the writer: the second is short, and leaves him less
CARRY_OVER = "PRAGMA wal_checkpoint(PASSIVE)"
Connect = Callable[[], AbstractContextManager[sqlite3.Connection]]


class Writing(Protocol):
    """Where the writer's connection may be used: between two transactions."""

    def submit(self, work: Callable[..., None], /, *arguments: Any) -> object: ...


class Checkpoints:
    """``connect`` opens a connection of their own, ``writing`` does what it is given in the writer's thread.

    A failure is logged and changes nothing: the log grows on, and after as many rows it is tried again.
    """

    def __init__(self, connect: Connect, writing: Writing) -> None:
        self._connect = connect
        self._writing = writing
        self._own = ThreadPoolExecutor(1, "erma-checkpoints")
        self._from = 0  # rows the writer's connection had changed when the log was carried over last
        self._is_under_way = False

    def follow(self, writer: sqlite3.Connection) -> None:
        """The writer, in its thread, has written something."""
        if self._is_under_way or abs(writer.total_changes - self._from) < ROWS:
            return
        self._is_under_way = True
        with suppress(RuntimeError):  # closed meanwhile: SQLite itself does it when the last connection goes
            self._own.submit(self._carry_over, writer)

    def close(self) -> None:
        """Return when nothing is under way beside the writer; called before his thread ends."""
        self._own.shutdown()

    def _carry_over(self, writer: sqlite3.Connection) -> None:
        try:
            with self._connect() as connection:
                for _ in range(PASSES):
                    connection.execute(CARRY_OVER).fetchone()
        except Exception:
            log.exception("the database's log cannot be carried over")
        self._writing.submit(self._finish, writer)

    def _finish(self, writer: sqlite3.Connection) -> None:
        try:
            self._from = writer.total_changes
            writer.execute(CARRY_OVER).fetchone()
        except sqlite3.Error as error:  # it is closed, or the disk is full
            log.warning("the database's log cannot be carried over: %s", error)
        self._is_under_way = False
