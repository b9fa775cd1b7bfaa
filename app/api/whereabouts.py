"""Notes where players come from, beside their way: nobody waits for it, and nobody is kept out when it fails.

Source: PROTOCOL §2.8.
"""

from __future__ import annotations

import asyncio
import logging
from zoneinfo import ZoneInfo

from app.api.addresses import household
from app.economy.marks import Marks, Seen
from app.economy.periods import day_of, next_day_ms
from app.rooms.ports import Clock, Timer

log = logging.getLogger(__name__)


class Whereabouts:
    """Those who come while a note is being written are in the next one, together."""

    def __init__(self, marks: Marks, clock: Clock, zone: ZoneInfo) -> None:
        self._marks = marks
        self._clock = clock
        self._zone = zone
        self._seen: set[Seen] = set()
        self._is_due = False
        self._writing: asyncio.Task[None] | None = None
        self._midnight: Timer | None = None

    def begin_day(self) -> None:
        """Have what is over destroyed, now and at every midnight of the zone."""
        self._midnight = self._clock.call_at(next_day_ms(self._clock.now_ms(), self._zone), self.begin_day)
        self._write_soon()

    def note(self, user_id: str, host: str) -> None:
        """This player sits down, or connects, from there."""
        self._seen.add(Seen(user_id, household(host)))
        self._write_soon()

    async def idle(self) -> None:
        """Until everything noted is written, or given up."""
        while self._writing is not None:
            await asyncio.wait({self._writing})

    async def stop(self) -> None:
        if self._midnight is not None:
            self._midnight.cancel()
        await self.idle()

    def _write_soon(self) -> None:
        self._is_due = True
        if self._writing is None:
            self._writing = asyncio.create_task(self._write(), name="whereabouts")

    async def _write(self) -> None:
        while self._is_due:
            seen, self._seen, self._is_due = self._seen, set(), False
            try:
                await self._marks.note(seen, day_of(self._clock.now_ms(), self._zone))
            except Exception:  # whatever it is, play goes on without the note
                log.exception("where %d players come from is not noted", len(seen))
        self._writing = None
