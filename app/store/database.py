"""Connections and transactions.

A unit of work is a plain function of a connection. :class:`Database` runs it inside one transaction and
outside the event loop's way: on SQLite in the writer's thread or one of the readers', so that a batch
of many statements costs one change of threads (docs/adr/0006); on PostgreSQL over asyncpg. What decides
nothing on its way is given as steps instead, to whoever commits them quickest (docs/adr/0015).
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from sqlalchemy import make_url
from sqlalchemy.exc import SQLAlchemyError

from app.store.backend import Backend, T, Work
from app.store.postgresql import Postgresql
from app.store.sqlite import Sqlite
from app.store.steps import Refused, Step

READY_SECONDS = 3.0  # how long a database may take to say that it is there


class Database:
    """The database behind a URL; plain ``sqlite:///…`` and ``postgresql://…``, or with a driver named."""

    def __init__(
        self,
        url: str,
        *,
        for_migration: bool = False,
        answers_within: float | None = None,
        apart: bool = False,
    ) -> None:
        """``for_migration`` leaves SQLite's foreign keys unchecked: rebuilding a table would trip on them.

        A PostgreSQL server that takes more than ``answers_within`` seconds for a transaction is given up: it
        may be at the end of a line that was cut, which nobody tells. None: it may take as long as it likes.
        ``apart``: what is written to SQLite at once is written by a process of its own, for who writes much.
        """
        parsed = make_url(url)
        self.dialect = parsed.get_backend_name()
        self.file = Path(parsed.database) if self.dialect == "sqlite" and parsed.database else None
        self._backend: Backend
        if self.dialect == "sqlite":
            self._backend = Sqlite(parsed, self.file, check_references=not for_migration, apart=apart)
        else:
            self._backend = Postgresql(parsed, answers_within)
        # how many groups of batches at a time are of use, and when more than one is: if so many wait
        self.writers, self.crowd = self._backend.writers, self._backend.crowd
        self.has_points = self._backend.has_points  # of app.rooms.faults, where it writes at once
        self._asked: asyncio.Task[bool] | None = None  # whether it is there

    async def write(self, work: Work[T]) -> T:
        """Run ``work`` in one writing transaction: committed when it returns, undone when it raises.

        Once begun it runs to its end, also when the caller is cancelled.
        """
        return await self._backend.write(work)

    async def write_at_once(self, steps: Sequence[Step]) -> None:
        """Do the steps (of ``together.steps_of``) in one transaction, the quickest way there is.

        Raises:
            Refused: nothing is done.
            Exception: any other, or its caller is cancelled: nobody knows whether it is.
        """
        if steps:
            await self._backend.write_at_once(steps)

    async def read(self, work: Work[T]) -> T:
        """Run ``work`` in one reading transaction: it sees a single moment of the database."""
        return await self._backend.read(work)

    async def connected(self, work: Work[T]) -> T:
        """Run ``work`` on the writer's connection with no transaction begun: migrations begin their own."""
        return await self._backend.connected(work)

    async def answers(self) -> bool:
        """Whether the database can be reached now, and whoever writes to it; not, if that takes too long.

        Whoever asks while it is being asked waits for the same answer: one that stands still holds up a
        single connection, however often it is asked.
        """
        if self._asked is None or self._asked.done():
            self._asked = asyncio.create_task(self._is_there())
        with suppress(TimeoutError):
            async with asyncio.timeout(READY_SECONDS):
                return await asyncio.shield(self._asked)
        return False

    async def _is_there(self) -> bool:
        try:
            await self.read(lambda connection: connection.exec_driver_sql("SELECT 1 FROM alembic_version"))
            await self.prepare()
        except (SQLAlchemyError, OSError, Refused):
            return False
        return True

    async def prepare(self) -> None:
        """Have ready what the first :meth:`write_at_once` would wait for.

        Raises:
            Refused: it cannot be had.
        """
        await self._backend.prepare()

    async def close(self) -> None:
        if self._asked is not None:
            self._asked.cancel()
        await self._backend.close()
