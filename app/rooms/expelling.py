"""Frees the seats of those who are barred where that could not be done when it was decided.

Source: RULES §9; PROTOCOL §3.12.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable

from app.rooms.ports import Clock, StoreError
from app.rooms.stopping import pause

log = logging.getLogger(__name__)


class Expulsions:
    """Those under way, one task a player. ``expel`` frees his seat, if he has one and is still barred; one
    that fails with StoreError is tried again, after a pause, for as long as it takes.
    """

    def __init__(self, clock: Clock, expel: Callable[[str], Awaitable[None]]) -> None:
        self._clock = clock
        self._expel = expel
        self._tasks: dict[str, asyncio.Task[None]] = {}  # by user

    def begin(self, user_id: str) -> None:
        """Expel him soon; once, however often it is asked for until he is gone."""
        if user_id not in self._tasks:
            task = self._tasks[user_id] = asyncio.create_task(self._run(user_id), name=f"expel {user_id}")
            task.add_done_callback(lambda _: self._tasks.pop(user_id))

    async def stop(self) -> None:
        """Whoever still sits somewhere stays there."""
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _run(self, user_id: str) -> None:
        while True:
            try:
                return await self._expel(user_id)
            except StoreError as error:
                log.warning("player %s is barred and keeps his seat for now: %s", user_id, error)
            await pause(self._clock)
