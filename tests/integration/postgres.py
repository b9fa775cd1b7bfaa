"""PostgreSQL for tests, where one answers: a database of its own for each test, never anybody else's.

``ERMA_TEST_POSTGRES`` names a server and a database one may connect to; the default is the local one.
"""

from __future__ import annotations

import asyncio
import os
from urllib.parse import urlsplit, urlunsplit

import asyncpg

SERVER = os.environ.get("ERMA_TEST_POSTGRES", "postgresql://postgres@127.0.0.1:5432/postgres")
CONNECT_SECONDS = 3.0


def url_of(database: str) -> str:
    """The address of another database on the same server."""
    return urlunsplit(urlsplit(SERVER)._replace(path=f"/{database}"))


def run(*statements: str) -> None:
    """Run statements that cannot stand in a transaction.

    Raises:
        OSError, asyncpg.PostgresError: no server answers, or it refuses.
    """

    async def _run() -> None:
        connection = await asyncpg.connect(SERVER, timeout=CONNECT_SECONDS)
        try:
            for statement in statements:
                await connection.execute(statement)
        finally:
            await connection.close()

    asyncio.run(_run())


def answers() -> bool:
    try:
        run("SELECT 1")
    except (OSError, TimeoutError, asyncpg.PostgresError):
        return False
    return True
