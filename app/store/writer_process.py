"""The server's end of the line to the process that writes to SQLite. Source: docs/adr/0015."""

from __future__ import annotations

import asyncio
import os
import socket
import sqlite3
import sys
from asyncio.subprocess import DEVNULL, Process
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, cast

import orjson
from sqlalchemy.exc import DBAPIError

from app.store.steps import BUSY_MS, MissingRow, Refused, Step
from app.store.writer import HEADER, Outcome, packed

ROOT = Path(__file__).parents[2]  # where the package is found
ANSWER_SECONDS = BUSY_MS / 1_000 + 2.0  # how long a transaction may take: what takes longer has stopped
END_SECONDS = 5.0  # how long the process may take to end
_OPENING = Step("open", [])


class WriterProcess:
    """Begun with the first steps, and anew after it has failed. One transaction at a time is given to it."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._process: Process | None = None
        self._line: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None
        self._is_closed = False

    async def carry_out(self, steps: Sequence[Step]) -> None:
        """Do the steps in one transaction and commit it.

        Raises:
            Refused: nothing is done.
            OSError, sqlalchemy.exc.DBAPIError: nobody knows.
        """
        try:
            message = packed([tuple(step) for step in steps])
        except TypeError as error:
            raise Refused(error) from error
        await self.begin()
        _check(await self._answer(message), steps)

    @property
    def is_there(self) -> bool:
        """As far as is known."""
        return self._line is not None and not self._line[0].at_eof()

    async def begin(self) -> None:
        """Start the process, unless it is there.

        Raises:
            Refused: it cannot be started, or cannot write to the file.
        """
        if self.is_there:
            return
        self._hang_up()
        try:
            await self._start()
            _check(await self._answer(b""), [_OPENING])
        except Refused:
            self._hang_up()
            raise
        except OSError as error:
            raise Refused(error) from error

    async def _start(self) -> None:
        if self._is_closed:
            raise ConnectionAbortedError("the database is closed")
        ours, theirs = socket.socketpair()
        ours.setblocking(False)
        try:
            self._process = await self._run(theirs)
            self._line = await asyncio.open_connection(sock=ours)
        except BaseException:
            ours.close()
            raise
        finally:
            theirs.close()

    async def _run(self, line: socket.socket) -> Process:
        path = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))
        return await asyncio.create_subprocess_exec(
            *(sys.executable, "-P", "-m", "app.store.writer", str(line.fileno()), str(self._file)),
            stdin=DEVNULL,
            pass_fds=(line.fileno(),),
            env=os.environ | {"PYTHONPATH": path},
        )

    async def _answer(self, message: bytes) -> Sequence[Any]:
        """To the message, or to having been started. Without one, nobody knows what it does, and it is ended:
        who goes away meanwhile would leave his answer to the next.
        """
        assert self._line is not None
        reader, writer = self._line
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                writer.write(message)
                size = int.from_bytes(await reader.readexactly(HEADER))
                answer: Sequence[Any] = orjson.loads(await reader.readexactly(size))
        except asyncio.IncompleteReadError as error:
            self._hang_up()
            raise ConnectionResetError("the writer's process has ended") from error
        except BaseException:
            self._hang_up()
            raise
        return answer

    def _hang_up(self) -> None:
        """What it is doing may be done or not, and is from now on one or the other."""
        if self._process is not None:
            with suppress(ProcessLookupError):
                self._process.kill()
        self._close_line()

    def _close_line(self) -> None:
        if self._line is not None:
            self._line[1].close()
        self._line = None

    async def close(self) -> None:
        """Return when the process has ended; none is begun any more."""
        self._is_closed = True
        self._close_line()
        if self._process is None:
            return
        try:
            await asyncio.wait_for(self._process.wait(), END_SECONDS)
        except TimeoutError:
            self._hang_up()
            await self._process.wait()


def _check(answer: Sequence[Any], steps: Sequence[Step]) -> None:
    outcome, *told = answer
    match outcome:
        case Outcome.MISSING:
            raise Refused(MissingRow(*told))
        case Outcome.REFUSED:
            at, *error = told
            raise Refused(_error(steps[at].statement, *error))
        case Outcome.UNKNOWN:
            raise _error("COMMIT", *told)


def _error(statement: str, kind: str, text: str, code: int | None) -> Exception:
    """What SQLAlchemy would have raised."""
    cause = getattr(sqlite3, kind, None)
    if cause is None or not issubclass(cause, sqlite3.Error):
        return ValueError(f"{kind}: {text}")
    error = cause(text)
    error.sqlite_errorcode = code
    return cast(Exception, DBAPIError.instance(statement, None, error, sqlite3.Error, hide_parameters=True))
