"""Connections: one writer and several readers on SQLite, one pool on PostgreSQL.

SQLite lets one transaction write at a time. A writer pool of one connection makes them queue up here, in
order, instead of meeting as "database is locked"; readers have connections of their own that cannot write.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import orjson
from sqlalchemy import URL, Connection, event, make_url
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

ASYNC_DRIVERS = {
    "sqlite": "sqlite+aiosqlite",
    "postgres": "postgresql+asyncpg",
    "postgresql": "postgresql+asyncpg",
}
READERS = 4  # reading connections on SQLite
BUSY_MS = 10_000  # how long a connection waits for another process's lock

_PRAGMAS = {
    "journal_mode": "WAL",
    "synchronous": "FULL",
    "foreign_keys": "ON",
    "busy_timeout": str(BUSY_MS),
}


def async_url(url: str) -> URL:
    """A database URL with its async driver: plain ``sqlite:///…`` and ``postgresql://…`` are fine.

    >>> str(async_url("sqlite:///var/erma.sqlite3"))
    'sqlite+aiosqlite:///var/erma.sqlite3'
    """
    parsed = make_url(url)
    return parsed.set(drivername=ASYNC_DRIVERS.get(parsed.drivername, parsed.drivername))


class Database:
    """The engines behind one URL."""

    def __init__(self, url: str, *, for_migration: bool = False) -> None:
        """``for_migration`` leaves SQLite's foreign keys unchecked: rebuilding a table would trip on them."""
        self.url = async_url(url)
        if self.url.get_backend_name() == "sqlite":
            pragmas = _PRAGMAS | ({"foreign_keys": "OFF"} if for_migration else {})
            self.writer = _sqlite_engine(self.url, 1, "BEGIN IMMEDIATE", pragmas)
            self.reader = _sqlite_engine(self.url, READERS, "BEGIN", pragmas | {"query_only": "ON"})
        else:
            self.writer = self.reader = _engine(self.url, pool_size=10, max_overflow=0)

    @property
    def is_sqlite(self) -> bool:
        return self.writer is not self.reader

    @property
    def file(self) -> Path | None:
        """The SQLite file, if there is one."""
        return Path(self.url.database) if self.is_sqlite and self.url.database else None

    @asynccontextmanager
    async def write(self) -> AsyncIterator[AsyncConnection]:
        """One writing transaction: committed at the end, rolled back when something is raised."""
        async with self.writer.begin() as connection:
            yield connection

    @asynccontextmanager
    async def read(self) -> AsyncIterator[AsyncConnection]:
        """One reading transaction: a single moment of the database."""
        async with self.reader.begin() as connection:
            if not self.is_sqlite:
                await connection.exec_driver_sql("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
            yield connection

    async def answers(self) -> bool:
        """Whether the database can be reached now."""
        try:
            async with self.read() as connection:
                await connection.exec_driver_sql("SELECT 1 FROM alembic_version")
        except (SQLAlchemyError, OSError):
            return False
        return True

    async def close(self) -> None:
        await self.reader.dispose()
        await self.writer.dispose()


def _sqlite_engine(url: URL, connections: int, begin: str, pragmas: Mapping[str, str]) -> AsyncEngine:
    autocommit = {"isolation_level": None}  # the driver begins nothing by itself: ``begin`` below does
    engine = _engine(url, pool_size=connections, max_overflow=0, connect_args=autocommit)

    @event.listens_for(engine.sync_engine, "connect")
    def set_pragmas(dbapi_connection: Any, _: Any) -> None:
        cursor = dbapi_connection.cursor()
        for name, value in pragmas.items():
            cursor.execute(f"PRAGMA {name}={value}")
        cursor.close()

    @event.listens_for(engine.sync_engine, "begin")
    def open_transaction(connection: Connection) -> None:
        connection.exec_driver_sql(begin)

    return engine


def _engine(url: URL, **options: Any) -> AsyncEngine:
    # parameters stay out of error texts: a running round's secret is among them
    return create_async_engine(
        url, hide_parameters=True, json_serializer=_dumps, json_deserializer=orjson.loads, **options
    )


def _dumps(value: Any) -> str:
    return orjson.dumps(value, default=_plain).decode()


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(type(value).__name__)
