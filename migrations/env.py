"""Runs migrations on a connection handed in by the program, or, for the alembic command, on its own.

Each migration is one transaction, schema changes included, also on SQLite: a crash leaves whole steps.
"""

from __future__ import annotations

import asyncio

from alembic import context
from sqlalchemy import Connection

from app.rooms.faults import reach
from app.settings import load_settings
from app.store.database import Database
from app.store.models import Base


def run(connection: Connection) -> None:
    context.configure(
        connection=connection,
        target_metadata=Base.metadata,
        compare_server_default=True,
        transactional_ddl=True,
        transaction_per_migration=True,
        render_as_batch=True,
        on_version_apply=lambda **_: reach("mid_migration"),
    )
    with context.begin_transaction():
        context.run_migrations()


async def run_alone() -> None:
    database = Database(load_settings().database_url, for_migration=True)
    try:
        await database.connected(run)
    finally:
        await database.close()


handed_in = context.config.attributes.get("connection")
if handed_in is None:
    asyncio.run(run_alone())
else:
    run(handed_in)
