"""Rebuilding every room that was open when the server last stopped. Source: PROTOCOL §3.5."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from app.rooms import commands as cmd
from app.rooms.commits import Sources
from app.rooms.model import RoomState
from app.rooms.ports import EventRecord, Player, StoredRoom, StoreError
from app.rooms.recovery import GRACE_MS, restart
from app.rooms.room import Room
from app.rooms.stopping import Stops

log = logging.getLogger(__name__)

ROOMS_AT_A_TIME = 32  # that are read

_Found: TypeAlias = tuple[StoredRoom, Mapping[str, Player]]
Reopen: TypeAlias = Callable[[RoomState, Sequence[EventRecord]], Room]


async def reopen_rooms(sources: Sources, stops: Stops, reopen: Reopen) -> None:
    """Rebuild all rooms that are not closed; ``reopen`` makes a running room of each. One that cannot be
    rebuilt is stopped, and stops nobody else.

    Raises:
        StoreError: the database cannot be read or written.
    """
    await _Reopening(sources, stops, reopen).run()


class _Reopening:
    def __init__(self, sources: Sources, stops: Stops, reopen: Reopen) -> None:
        self._store, self._clock = sources.store, sources.clock
        self._stops = stops
        self._reopen = reopen

    async def run(self) -> None:
        turns = asyncio.Semaphore(ROOMS_AT_A_TIME)

        async def load(room_id: str) -> _Found | None:
            async with turns:
                return await self._stops.or_stop(room_id, self._load(room_id))

        found = await asyncio.gather(*map(load, await self._store.open_room_ids()))
        # everything is read before the first clock starts: reading must not use up anybody's grace
        readable = [each for each in found if each is not None]
        now_ms = self._clock.now_ms()
        # a clock that has been put back since is no sign of a life that lasted longer than until now
        died_ms = min(now_ms, max((stored.updated_ms for stored, _ in readable), default=now_ms))
        grace_until_ms = now_ms + GRACE_MS
        rebuilt = [
            self._stops.or_stop(stored.room.id, self._rebuild(stored, players, died_ms, grace_until_ms))
            for stored, players in readable
        ]
        await asyncio.gather(*rebuilt)

    async def _load(self, room_id: str) -> _Found | None:
        stored = await self._store.load_room(room_id)
        if stored is None:
            return None
        user_ids = [user_id for user_id in stored.room.seats if user_id is not None]
        return stored, await self._store.players(user_ids)

    async def _rebuild(
        self, stored: StoredRoom, players: Mapping[str, Player], died_ms: int, grace_until_ms: int
    ) -> None:
        """Nobody is connected to it yet; one that nobody sits in goes."""
        room = self._reopen(restart(stored, players, died_ms, grace_until_ms), stored.events)
        try:
            await room.tell(cmd.Reopen(grace_until_ms))
        except StoreError:
            log.exception("room %s stands as it was", stored.room.id)
