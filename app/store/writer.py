"""The process that writes the rooms' batches to SQLite, so that neither waits for the other's interpreter.

It has one line, to the server: a transaction's steps come in, what became of them goes back, one after the
other. When the line closes it ends, as soon as it has done what it was asked; when the server dies it is
killed. It imports as little as it can, for whoever plays first waits for it. Source: docs/adr/0015.
"""

from __future__ import annotations

import ctypes
import os
import signal
import socket
import sqlite3
import sys
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from enum import StrEnum
from typing import Any

import orjson

from app.rooms.faults import BEFORE_COMMIT, arm, reach
from app.store.checkpoints import Checkpoints
from app.store.pragmas import OPTIONS, set_up
from app.store.steps import MissingRow, Step

HEADER = 4  # bytes that say how many follow
PR_SET_PDEATHSIG = 1  # of prctl(2)


class Outcome(StrEnum):
    DONE = "done"
    MISSING = "missing"  # a row is not there: its table
    REFUSED = "refused"  # nothing is done: at which step, and the error
    UNKNOWN = "unknown"  # it failed as it was committed: the error


def packed(message: Any) -> bytes:
    text = orjson.dumps(message)
    return len(text).to_bytes(HEADER) + text


def do_step(connection: sqlite3.Connection, step: Step) -> None:
    """Do a step within the transaction that is open.

    Raises:
        MissingRow: a row is not found.
        sqlite3.Error: SQLite refuses.
    """
    if step.asks:
        found = sum(connection.execute(step.statement, row).fetchone() is not None for row in step.rows)
    else:
        found = connection.executemany(step.statement, step.rows).rowcount
    step.require(found)


def transact(connection: sqlite3.Connection, steps: Sequence[Step]) -> tuple[Any, ...]:
    """Do them all and commit, or nothing; an outcome with what belongs to it."""
    at = 0
    try:
        connection.execute("BEGIN IMMEDIATE")
        for at, step in enumerate(steps):  # noqa: B007  # told when it fails
            do_step(connection, step)
            if step.then:
                reach(step.then)
    except Exception as error:
        connection.rollback()
        return (Outcome.MISSING, error.table) if isinstance(error, MissingRow) else _refusal(at, error)
    reach(BEFORE_COMMIT)
    try:
        connection.execute("COMMIT")
    except sqlite3.Error as error:
        connection.rollback()
        is_known = isinstance(error, sqlite3.IntegrityError)
        return _refusal(at, error) if is_known else (Outcome.UNKNOWN, *_told(error))
    return (Outcome.DONE,)


def _refusal(at: int, error: Exception) -> tuple[Any, ...]:
    return Outcome.REFUSED, at, *_told(error)


def _told(error: Exception) -> tuple[str, str, int | None]:
    return type(error).__name__, str(error), getattr(error, "sqlite_errorcode", None)


class _Later:
    """Runs what it is given when the writer comes to it: between two transactions, in his own thread."""

    def __init__(self) -> None:
        self._work: deque[Callable[[], None]] = deque()

    def submit(self, work: Callable[..., None], *arguments: Any) -> None:
        self._work.append(lambda: work(*arguments))

    def run(self) -> None:
        while self._work:
            self._work.popleft()()


def serve(line: socket.socket, file: str) -> None:
    """Say whether the file can be written to, and write until the line closes."""

    @contextmanager
    def carrying() -> Iterator[sqlite3.Connection]:
        with closing(_open(file)) as connection:
            yield connection

    try:
        connection = _open(file)
    except sqlite3.Error as error:
        line.sendall(packed(_refusal(0, error)))
        return
    later = _Later()
    checkpoints = Checkpoints(carrying, later)
    with closing(connection):
        line.sendall(packed((Outcome.DONE,)))
        while (message := _received(line)) is not None:
            steps = [Step(*step) for step in orjson.loads(message)]
            line.sendall(packed(transact(connection, steps)))
            checkpoints.follow(connection)
            later.run()
        checkpoints.close()


def _open(file: str) -> sqlite3.Connection:
    connection: sqlite3.Connection = sqlite3.connect(file, check_same_thread=False, **OPTIONS)
    set_up(connection)
    return connection


def _received(line: socket.socket) -> bytes | None:
    """The next message; None when the line is closed."""
    header = _exactly(line, HEADER)
    return header and _exactly(line, int.from_bytes(header))


def _exactly(line: socket.socket, size: int) -> bytes | None:
    parts = bytearray()
    while len(parts) < size:
        part = line.recv(size - len(parts))
        if not part:
            return None
        parts += part
    return bytes(parts)


def _end_with_the_server() -> None:
    """Also when stopped, with the database locked, where the system has a way to see to it."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def main() -> None:
    """Arguments: the number of the line's descriptor, and the database's file."""
    for each in (signal.SIGINT, signal.SIGTERM):  # they are meant for the server, which closes the line
        signal.signal(each, signal.SIG_IGN)
    _end_with_the_server()
    arm(os.environ.get("ERMA_FAULT"), with_parent=True)
    descriptor, file = sys.argv[1:]
    with socket.socket(fileno=int(descriptor)) as line, suppress(BrokenPipeError, ConnectionResetError):
        serve(line, file)


if __name__ == "__main__":
    main()
