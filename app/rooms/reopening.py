"""Rebuilding every room that was open when the server last stopped. Source: PROTOCOL §3.5."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from app.rooms import commands as cmd
from app.rooms.commits import Sources
from app.rooms.model import RoomState
from app.rooms.ports import EventRecord, Player, StoredRoom
from app.rooms.recovery import restore
from app.rooms.room import Room
from app.rooms.stopping import Stops

ROOMS_AT_A_TIME = 32  # that are read

_Found: TypeAlias = tuple[StoredRoom, Mapping[str, Player]]
Start: TypeAlias = Callable[[RoomState, Sequence[EventRecord], cmd.Reopen], Room]


async def reopen_rooms(sources: Sources, stops: Stops, start: Start) -> None:
    """Rebuild all rooms that are not closed; ``start`` makes a running room of each. One that cannot be
    rebuilt is stopped, and stops nobody else.

    Raises:
        StoreError: the database cannot be read or written.
    """
    await _Reopening(sources, stops, start).run()


class _Reopening:
    def __init__(self, sources: Sources, stops: Stops, start: Start) -> None:
        self._store = sources.store
        self._stops = stops
        self._start = start

    async def run(self) -> None:
        turns = asyncio.Semaphore(ROOMS_AT_A_TIME)

        async def load(room_id: str) -> _Found | None:
            async with turns:
                return await self._stops.or_stop(room_id, self._load(room_id))

        found = await asyncio.gather(*map(load, await self._store.open_room_ids()))
        # everything is read before the first clock starts: reading must not use up anybody's grace
        rebuilt = [
            self._stops.or_stop(each[0].room.id, self._rebuild(*each)) for each in found if each is not None
        ]
        await asyncio.gather(*rebuilt)

    async def _load(self, room_id: str) -> _Found | None:
        stored = await self._store.load_room(room_id)
        if stored is None:
            return None
        user_ids = [user_id for user_id in stored.room.seats if user_id is not None]
        return stored, await self._store.players(user_ids)

    async def _rebuild(self, stored: StoredRoom, players: Mapping[str, Player]) -> None:
        """Nobody is connected to it yet; one that nobody sits in goes."""
        room = self._start(restore(stored, players), stored.events, cmd.Reopen(stored.updated_ms))
        await room.idle()
