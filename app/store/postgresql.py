"""PostgreSQL, over asyncpg."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import asyncpg
from sqlalchemy import URL
from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection, create_async_engine

from app.store.backend import ENGINE_OPTIONS, T, Work, in_transaction
from app.store.faults import is_refused, missing_table
from app.store.steps import BUSY_MS, MissingRow, Refused, Step

WRITERS = 2  # groups of batches under way at a time
POOL = 10  # connections
CONNECT_SECONDS = 5.0  # how long a server may take to let us in

# What rooms write is found row by row. A small table PostgreSQL would read whole for each, and go on so with
# plans it made while the table was small: of players above all, whom each answer refers to.
_ROW_BY_ROW = {"enable_seqscan": "off", "jit": "off"}
_DRIVER = "driver"  # in the info of a connection that is set up for that: the driver's own


_WRITABLE = "SELECT NOT pg_is_in_recovery() AND current_setting('default_transaction_read_only') = 'off'"


class ReadOnly(Exception):
    """A standby, or told to be like one."""


class Postgresql:
    """Connections that write are kept out of the pool, for the next to write: some in transactions, some a
    statement at a time.
    """

    writers = WRITERS
    crowd = 1
    has_points = False

    def __init__(self, url: URL, answers_within: float | None) -> None:
        self._answers_within = answers_within
        self._engine = create_async_engine(
            url.set(drivername="postgresql+asyncpg"),
            pool_size=POOL,
            max_overflow=0,
            connect_args={"timeout": CONNECT_SECONDS, "server_settings": _settings(answers_within)},
            **ENGINE_OPTIONS,
        )
        self._idle: dict[bool, list[AsyncConnection]] = {False: [], True: []}  # by whether at once
        self._writing: set[asyncio.Future[Any]] = set()

    async def write(self, work: Work[T]) -> T:
        task = asyncio.create_task(
            self._write(lambda connection: connection.run_sync(in_transaction, work), at_once=False)
        )
        self._writing.add(task)
        task.add_done_callback(self._writing.discard)
        return await asyncio.shield(task)

    async def write_at_once(self, steps: Sequence[Step]) -> None:
        """The single statement there must be commits itself, without a message to begin and one to commit.

        It is handed to the driver directly: what SQLAlchemy does around a statement takes as long as all else
        here. In the caller's own task: another's beginning and end would wait for the loop three times more.
        """
        [(statement, [row], *_)] = steps
        is_sent = False

        async def work(connection: AsyncConnection) -> None:
            nonlocal is_sent
            is_sent = True
            await connection.info[_DRIVER].fetch(statement, *row)

        ended = asyncio.get_running_loop().create_future()
        self._writing.add(ended)
        try:
            await self._write(work, at_once=True)
        except asyncpg.PostgresError as error:
            raise _meant(statement, error) from error
        except Exception as error:
            if is_sent and not isinstance(error, TypeError | ValueError):
                raise
            raise Refused(error) from error  # it was not sent: what is given cannot be told the server
        finally:
            self._writing.discard(ended)
            ended.set_result(None)

    async def _write(self, work: Callable[[AsyncConnection], Awaitable[T]], *, at_once: bool) -> T:
        idle = self._idle[at_once]
        connection = idle.pop() if idle else await self._engine.connect()
        try:
            async with asyncio.timeout(self._answers_within):
                if at_once and _DRIVER not in connection.info:
                    await _set_up(connection)
                result = await work(connection)
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

    async def prepare(self) -> None:
        """A connection is had as soon as it is asked for. But a standby lets nobody write."""
        if not await self.read(lambda connection: connection.exec_driver_sql(_WRITABLE).scalar_one()):
            raise Refused(ReadOnly("the server lets nobody write"))

    async def close(self) -> None:
        while self._writing:  # whose callers may be gone
            await asyncio.wait(self._writing)
        await self._let_go()
        await self._engine.dispose()


def _settings(answers_within: float | None) -> dict[str, str]:
    """A server that is given up may never hear of it, when the line to it was cut: by itself it must give up
    as soon, or what was locked for us would stay so for hours.
    """
    settings = {"lock_timeout": BUSY_MS}
    if answers_within is not None:
        within_ms = int(answers_within * 1_000)
        settings |= {"idle_in_transaction_session_timeout": within_ms, "statement_timeout": within_ms}
    return {name: str(ms) for name, ms in settings.items()}


def _meant(statement: str, error: asyncpg.PostgresError) -> Exception:
    """What SQLAlchemy would have raised; if it leaves no doubt, that nothing is done."""
    kind = IntegrityError if isinstance(error, asyncpg.IntegrityConstraintViolationError) else DBAPIError
    raised = kind(statement, None, error, hide_parameters=True)
    if table := missing_table(raised):
        return Refused(MissingRow(table))
    return Refused(raised) if is_refused(raised) else raised


async def _set_up(connection: AsyncConnection) -> None:
    """For statements that commit themselves."""
    raw = await connection.get_raw_connection()
    # first: half set up it must not go back to the pool either
    connection.info[_DRIVER] = raw.driver_connection
    await connection.execution_options(isolation_level="AUTOCOMMIT")
    for name, value in _ROW_BY_ROW.items():
        await connection.exec_driver_sql(f"SET {name} = {value}")
    await connection.commit()  # nothing but what SQLAlchemy takes for begun


async def _close(connection: AsyncConnection) -> None:
    """Back to the pool, unless it has been set up."""
    if not connection.invalidated and _DRIVER in connection.info:
        await connection.invalidate()
    await connection.close()
