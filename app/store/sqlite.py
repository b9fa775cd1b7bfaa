"""SQLite: one who writes, readers beside him."""

from __future__ import annotations

import asyncio
import sqlite3
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any, cast

from sqlalchemy import URL, Connection, Engine, create_engine, event
from sqlalchemy.exc import IntegrityError

from app.store.backend import ENGINE_OPTIONS, T, Work, carry_out, in_transaction
from app.store.checkpoints import Checkpoints
from app.store.pragmas import OPTIONS, PRAGMAS, set_up
from app.store.steps import Refused, Step
from app.store.writer_process import WriterProcess

READERS = 4  # reading connections
CROWD = 32  # batches that are put together while others are written


class Sqlite:
    """One writing connection, since SQLite lets one transaction write at a time: work queues up here, in
    order, instead of meeting as "database is locked". Readers have connections that cannot write.

    With a process ``apart`` steps are written there, and what is more than steps here; never both at a time.
    """

    def __init__(self, url: URL, file: Path | None, *, check_references: bool, apart: bool) -> None:
        url = url.set(drivername="sqlite")
        pragmas = PRAGMAS | ({} if check_references else {"foreign_keys": "OFF"})
        self._writer = _engine(url, 1, "BEGIN IMMEDIATE", pragmas)
        self._reader = _engine(url, READERS, "BEGIN", pragmas | {"query_only": "ON"})
        self._open: Connection | None = None  # the writer's
        self._writing = ThreadPoolExecutor(1, "erma-writer")
        self._reading = ThreadPoolExecutor(READERS, "erma-reader")
        self._carrier = _engine(url, 1, "BEGIN", pragmas)
        self._checkpoints = Checkpoints(self._carrying, self._writing)
        # Windows cannot pass the line on to a child
        is_apart = apart and sys.platform != "win32"
        self._apart = WriterProcess(file) if is_apart and file is not None else None
        self._tasks: set[asyncio.Task[Any]] = set()
        # one waits for its turn to be written while the other is, if it was much work to put it together
        self.writers, self.crowd = (1 if self._apart is None else 2), CROWD
        self.has_points = self._apart is not None
        self._turn = asyncio.Lock()  # to write: SQLite lets who comes second sleep, and wake too late

    async def write(self, work: Work[T]) -> T:
        """In a task of its own: the turn lasts until the thread has done, whether the caller waits or not."""
        task = asyncio.create_task(self._in_turn(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return await asyncio.shield(task)

    async def _in_turn(self, work: Work[T]) -> T:
        async with self._turn:
            return await _in_thread(self._writing, lambda: self._write(work))

    async def write_at_once(self, steps: Sequence[Step]) -> None:
        if self._apart is None:
            await self._write_here(steps)
        else:
            async with self._turn:
                await self._apart.carry_out(steps)

    async def _write_here(self, steps: Sequence[Step]) -> None:
        is_done = False

        def work(connection: Connection) -> None:
            nonlocal is_done
            carry_out(connection, steps)
            is_done = True

        try:
            await self.write(work)
        except Exception as error:
            if is_done and not isinstance(error, IntegrityError):  # the commit has failed
                raise
            raise Refused(error) from error

    async def prepare(self) -> None:
        if self._apart is not None and not self._apart.is_there:
            async with self._turn:
                await self._apart.begin()

    def _write(self, work: Work[T]) -> T:
        """On one connection that stays open: to take it out of the pool costs more than a statement."""
        if self._open is None:
            self._open = self._writer.connect()
        try:
            result = in_transaction(self._open, work)
        except BaseException:
            self._let_go()
            raise
        self._checkpoints.follow(_driver_of(self._open))
        return result

    async def read(self, work: Work[T]) -> T:
        def run() -> T:
            with self._reader.connect() as connection:
                return in_transaction(connection, work)

        return await _in_thread(self._reading, run)

    async def connected(self, work: Work[T]) -> T:
        def run() -> T:
            self._let_go()
            with self._writer.connect() as connection:
                return work(connection)

        return await _in_thread(self._writing, run)

    def _let_go(self) -> None:
        """Back to the pool, which undoes what is left of a transaction."""
        kept, self._open = self._open, None
        if kept is not None:
            kept.close()

    @contextmanager
    def _carrying(self) -> Iterator[sqlite3.Connection]:
        with self._carrier.connect() as connection:
            yield _driver_of(connection)

    async def close(self) -> None:
        while self._tasks:  # whose callers may be gone
            await asyncio.wait(self._tasks)
        if self._apart is not None:
            async with self._turn:
                await self._apart.close()
        for ends in (self._checkpoints.close, self._writing.shutdown, self._reading.shutdown):
            await asyncio.to_thread(ends)  # after what is queued
        self._let_go()
        for engine in (self._writer, self._reader, self._carrier):
            engine.dispose()


async def _in_thread(threads: ThreadPoolExecutor, work: Callable[[], T]) -> T:
    return await asyncio.get_running_loop().run_in_executor(threads, work)


def _driver_of(connection: Connection) -> sqlite3.Connection:
    return cast(sqlite3.Connection, connection.connection.driver_connection)


def _engine(url: URL, connections: int, begin: str, pragmas: Mapping[str, str]) -> Engine:
    engine = create_engine(url, pool_size=connections, max_overflow=0, connect_args=OPTIONS, **ENGINE_OPTIONS)

    @event.listens_for(engine, "connect")
    def set_pragmas(dbapi_connection: Any, _: Any) -> None:
        set_up(dbapi_connection, pragmas)

    def open_transaction(dbapi_connection: Any) -> None:
        dbapi_connection.execute(begin)

    def commit(dbapi_connection: Any) -> None:
        dbapi_connection.execute("COMMIT")  # prepared once, as the driver's own is not

    # Listeners to "begin" and "commit" would make every statement look for listeners of its own.
    engine.dialect.do_begin = open_transaction  # type: ignore[method-assign]  # see above
    engine.dialect.do_commit = commit  # type: ignore[method-assign]
    return engine
