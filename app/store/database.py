"""Connections and transactions.

A unit of work is a plain function of a connection. :class:`Database` runs it inside one transaction and
outside the event loop's way: on SQLite in the writer's thread or one of the readers', so that a batch
of many statements costs one change of threads (docs/adr/0006); on PostgreSQL over asyncpg.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol, TypeVar, cast

import orjson
from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, create_async_engine

from app.store.checkpoints import Checkpoints

T = TypeVar("T")
Work = Callable[[Connection], T]

READERS = 4  # reading connections on SQLite
WRITERS = 2  # groups of batches under way at a time on PostgreSQL
POOL = 10  # connections on PostgreSQL
BUSY_MS = 10_000  # how long a connection waits for another's lock
CONNECT_SECONDS = 5.0  # how long a server may take to let us in

PREPARED = 1_024  # statements a connection to SQLite keeps prepared

# What rooms write is found row by row. A small table PostgreSQL would read whole for each, and go on so with
# plans it made while the table was small: of players above all, whom each answer refers to.
_ROW_BY_ROW = {"enable_seqscan": "off", "jit": "off"}
_IS_SET = "set up"  # in the info of a connection that is

_PRAGMAS = {
    "busy_timeout": str(BUSY_MS),  # first, so that the others wait for locks too
    "journal_mode": "WAL",
    "synchronous": "FULL",
    "wal_autocheckpoint": "0",  # app/store/checkpoints.py does it
    "cache_size": "-65536",
    "temp_store": "MEMORY",  # what undoes a statement half-way, above all
    "foreign_keys": "ON",
    "secure_delete": "ON",  # what is deleted is overwritten: salts of days, names of who has left
}


class Database:
    """The database behind a URL; plain ``sqlite:///…`` and ``postgresql://…``, or with a driver named."""

    def __init__(self, url: str, *, for_migration: bool = False, answers_within: float | None = None) -> None:
        """``for_migration`` leaves SQLite's foreign keys unchecked: rebuilding a table would trip on them.

        A PostgreSQL server that takes more than ``answers_within`` seconds for a transaction is given up: it
        may be at the end of a line that was cut, which nobody tells. None: it may take as long as it likes.
        """
        parsed = make_url(url)
        self.file = (
            Path(parsed.database) if parsed.get_backend_name() == "sqlite" and parsed.database else None
        )
        self._backend: _Backend
        if parsed.get_backend_name() == "sqlite":
            self._backend = _Sqlite(parsed, check_references=not for_migration)
        else:
            self._backend = _Postgresql(parsed, answers_within)
        self.writers = self._backend.writers  # how many writing transactions at a time are of use
        self.commits_at_once = self._backend.commits_at_once

    async def write(self, work: Work[T], *, at_once: bool = False) -> T:
        """Run ``work`` in one writing transaction: committed when it returns, undone when it raises.

        Once begun it runs to its end, also when the caller is cancelled.

        Work that is a single statement may be done ``at_once``: where :attr:`commits_at_once` the statement
        is then committed by itself, which saves two messages and more. When it fails otherwise than by the
        database's refusal, or what comes after it does, or its caller is cancelled, nobody knows whether it
        was committed.
        """
        return await self._backend.write(work, at_once=at_once)

    async def read(self, work: Work[T]) -> T:
        """Run ``work`` in one reading transaction: it sees a single moment of the database."""
        return await self._backend.read(work)

    async def connected(self, work: Work[T]) -> T:
        """Run ``work`` on the writer's connection with no transaction begun: migrations begin their own."""
        return await self._backend.connected(work)

    async def answers(self) -> bool:
        """Whether the database can be reached now."""
        try:
            await self.read(lambda connection: connection.exec_driver_sql("SELECT 1 FROM alembic_version"))
        except (SQLAlchemyError, OSError):
            return False
        return True

    async def close(self) -> None:
        await self._backend.close()


class _Backend(Protocol):
    writers: int
    commits_at_once: bool

    async def write(self, work: Work[T], *, at_once: bool) -> T: ...

    async def read(self, work: Work[T]) -> T: ...

    async def connected(self, work: Work[T]) -> T: ...

    async def close(self) -> None: ...


class _Sqlite:
    """One writing connection, since SQLite lets one transaction write at a time: work queues up here, in
    order, instead of meeting as "database is locked". Readers have connections that cannot write.
    """

    writers = 1
    commits_at_once = False  # to begin and to commit are no messages here

    def __init__(self, url: URL, *, check_references: bool) -> None:
        url = url.set(drivername="sqlite")
        pragmas = _PRAGMAS | ({} if check_references else {"foreign_keys": "OFF"})
        self._writer = _sqlite_engine(url, 1, "BEGIN IMMEDIATE", pragmas)
        self._reader = _sqlite_engine(url, READERS, "BEGIN", pragmas | {"query_only": "ON"})
        self._open: Connection | None = None  # the writer's
        self._writing = ThreadPoolExecutor(1, "erma-writer")
        self._reading = ThreadPoolExecutor(READERS, "erma-reader")
        self._carrier = _sqlite_engine(url, 1, "BEGIN", pragmas)
        self._checkpoints = Checkpoints(self._carrying, self._writing)

    async def write(self, work: Work[T], *, at_once: bool) -> T:
        return await _in_thread(self._writing, lambda: self._write(work))

    def _write(self, work: Work[T]) -> T:
        """On one connection that stays open: to take it out of the pool costs more than a statement."""
        if self._open is None:
            self._open = self._writer.connect()
        try:
            result = _in_transaction(self._open, work)
        except BaseException:
            if not self._open.invalidated:
                self._open.info.clear()  # what it made for itself (app/store/together.py) may be undone too
            self._let_go()
            raise
        self._checkpoints.follow(_driver_of(self._open))
        return result

    async def read(self, work: Work[T]) -> T:
        def run() -> T:
            with self._reader.connect() as connection:
                return _in_transaction(connection, work)

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
        for ends in (self._checkpoints.close, self._writing.shutdown, self._reading.shutdown):
            await asyncio.to_thread(ends)  # after what is queued
        self._let_go()
        for engine in (self._writer, self._reader, self._carrier):
            engine.dispose()


class _Postgresql:
    """Connections that write are kept out of the pool, for the next to write: some in transactions, some a
    statement at a time.
    """

    writers = WRITERS
    commits_at_once = True

    def __init__(self, url: URL, answers_within: float | None) -> None:
        self._answers_within = answers_within
        self._engine = create_async_engine(
            url.set(drivername="postgresql+asyncpg"),
            pool_size=POOL,
            max_overflow=0,
            connect_args={"timeout": CONNECT_SECONDS, "server_settings": {"lock_timeout": str(BUSY_MS)}},
            **_OPTIONS,
        )
        self._idle: dict[bool, list[AsyncConnection]] = {False: [], True: []}  # by whether at once
        self._writing: set[asyncio.Future[Any]] = set()

    async def write(self, work: Work[T], *, at_once: bool) -> T:
        if at_once:
            return await self._write_at_once(work)
        task = asyncio.create_task(self._write(work, at_once=False))
        self._writing.add(task)
        task.add_done_callback(self._writing.discard)
        return await asyncio.shield(task)

    async def _write_at_once(self, work: Work[T]) -> T:
        """In the caller's own task: another's beginning and end would wait for the loop three times more."""
        ended = asyncio.get_running_loop().create_future()
        self._writing.add(ended)
        try:
            return await self._write(work, at_once=True)
        finally:
            self._writing.discard(ended)
            ended.set_result(None)

    async def _write(self, work: Work[T], *, at_once: bool) -> T:
        idle = self._idle[at_once]
        connection = idle.pop() if idle else await self._engine.connect()
        try:
            async with asyncio.timeout(self._answers_within):
                if at_once and _IS_SET not in connection.info:
                    await _set_up(connection)
                result = await connection.run_sync(_in_transaction, work)
        except BaseException:
            await self._let_go(connection)
            raise
        if len(idle) < WRITERS:
            idle.append(connection)
        else:
            await _close(connection)
        return result

    async def _let_go(self, *connections: AsyncConnection) -> None:
        """These, and all that are kept: when one has failed the others may be no better."""
        idle = [*self._idle[False], *self._idle[True]]
        for kept in self._idle.values():
            kept.clear()
        for connection in (*connections, *idle):
            await _close(connection)

    async def read(self, work: Work[T]) -> T:
        async with asyncio.timeout(self._answers_within), self._engine.begin() as connection:
            await connection.exec_driver_sql("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
            return await connection.run_sync(work)

    async def connected(self, work: Work[T]) -> T:
        async with self._engine.connect() as connection:
            return await connection.run_sync(work)

    async def close(self) -> None:
        while self._writing:  # whose callers may be gone
            await asyncio.wait(self._writing)
        await self._let_go()
        await self._engine.dispose()


async def _set_up(connection: AsyncConnection) -> None:
    """For statements that commit themselves."""
    connection.info[_IS_SET] = True  # first: half set up it must not go back to the pool either
    await connection.execution_options(isolation_level="AUTOCOMMIT")
    for name, value in _ROW_BY_ROW.items():
        await connection.exec_driver_sql(f"SET {name} = {value}")
    await connection.commit()  # nothing but what SQLAlchemy takes for begun


async def _close(connection: AsyncConnection) -> None:
    """Back to the pool, unless it has been set up."""
    if not connection.invalidated and _IS_SET in connection.info:
        await connection.invalidate()
    await connection.close()


async def _in_thread(threads: ThreadPoolExecutor, work: Callable[[], T]) -> T:
    return await asyncio.get_running_loop().run_in_executor(threads, work)


def _in_transaction(connection: Connection, work: Work[T]) -> T:
    with connection.begin():
        return work(connection)


def _driver_of(connection: Connection) -> sqlite3.Connection:
    return cast(sqlite3.Connection, connection.connection.driver_connection)


def _sqlite_engine(url: URL, connections: int, begin: str, pragmas: Mapping[str, str]) -> Engine:
    options = {
        "isolation_level": None,  # the driver begins nothing by itself: ``begin`` does
        "cached_statements": PREPARED,
    }
    engine = create_engine(url, pool_size=connections, max_overflow=0, connect_args=options, **_OPTIONS)

    @event.listens_for(engine, "connect")
    def set_pragmas(dbapi_connection: Any, _: Any) -> None:
        for name, value in pragmas.items():
            dbapi_connection.execute(f"PRAGMA {name}={value}")

    def open_transaction(dbapi_connection: Any) -> None:
        dbapi_connection.execute(begin)

    def commit(dbapi_connection: Any) -> None:
        dbapi_connection.execute("COMMIT")  # prepared once, as the driver's own is not

    # Listeners to "begin" and "commit" would make every statement look for listeners of its own.
    engine.dialect.do_begin = open_transaction  # type: ignore[method-assign]  # see above
    engine.dialect.do_commit = commit  # type: ignore[method-assign]
    return engine


def dumps(value: Any) -> str:
    return orjson.dumps(value, default=_plain).decode()


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(type(value).__name__)


_OPTIONS: dict[str, Any] = {
    "json_serializer": dumps,
    "json_deserializer": orjson.loads,
    "hide_parameters": True,  # a running round's secret must not stand in an error text
}
