"""A database that is away for long: what each failed look leaves behind."""

from __future__ import annotations

import gc

import pytest

from app.chaos.server import free_port
from app.rooms.ports import StoreError
from app.store.database import Database
from app.store.room_store import SqlRoomStore
from tests.integration.stories import ZONE

LOOKS = 20


async def test_failed_looks_leave_nothing_to_the_collector() -> None:
    """Which comes seldom: rooms that look every second would fill the memory meanwhile."""
    database = Database(f"postgresql://nobody@127.0.0.1:{free_port()}/nowhere")
    store = SqlRoomStore(database, ZONE)
    gc.collect()
    gc.disable()
    try:
        for _ in range(LOOKS):
            with pytest.raises(StoreError):
                await store.load_room("room")
        assert gc.collect() < 10 * LOOKS  # objects; hundreds for each look otherwise
    finally:
        gc.enable()
        await database.close()
