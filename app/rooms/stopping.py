"""What becomes of a room that cannot go on: it is stopped, alone. Source: RULES §3.6."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable
from typing import TypeVar

from app.rooms.ports import Clock, RoomStore, StoreError, reason_of

log = logging.getLogger(__name__)

RETRY_AFTER_MS = 1_000  # what could not be written or read is tried again so much later

T = TypeVar("T")


async def pause(clock: Clock) -> None:
    """Until it is time to try again."""
    is_over = asyncio.Event()
    timer = clock.call_at(clock.now_ms() + RETRY_AFTER_MS, is_over.set)
    try:
        await is_over.wait()
    finally:
        timer.cancel()


class Stops:
    """Stops the rooms of this process that cannot go on, and counts them."""

    def __init__(self, store: RoomStore, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        self._stopped: set[str] = set()

    @property
    def count(self) -> int:
        return len(self._stopped)

    async def or_stop(self, room_id: str, rebuild: Awaitable[T]) -> T | None:
        """What ``rebuild`` gives; None when it cannot: the room is stopped then.

        Raises:
            StoreError: the database cannot be read or written.
        """
        try:
            return await rebuild
        except StoreError:
            raise
        except Exception:  # unreadable, or a fault of ours: either way not the other rooms'
            log.exception("room %s cannot be rebuilt and is stopped", room_id)
            await self.stop(room_id)
            return None

    async def stop(self, room_id: str) -> None:
        """Close the room for good, its round voided.

        Raises:
            StoreError: the database cannot be written.
        """
        self._stopped.add(room_id)
        await self._store.stop_room(room_id, "fault", self._clock.now_ms())

    async def stop_at_last(self, room_id: str) -> None:
        """Close the room for good as soon as that can be written."""
        is_told = False
        while True:
            try:
                return await self.stop(room_id)
            except StoreError as error:
                if not is_told:
                    log.error("room %s is not stopped in the store yet: %s", room_id, reason_of(error))
                is_told = True
            await pause(self._clock)
