"""What a room and its store have to do with each other: steps made durable, and a look after one has failed.

Source: PROTOCOL §3.12; docs/adr/0013.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from app.economy.settlement import Pair
from app.rooms import commands as cmd
from app.rooms.codec import room_record
from app.rooms.model import RoomState
from app.rooms.ports import (
    BalanceMoved,
    Batch,
    Clock,
    EventRecord,
    RoomStore,
    StoreError,
)
from app.rooms.recovery import restore
from app.rooms.steps import take
from app.rooms.stopping import Stops
from app.rooms.transition import PlayersNeeded, Transition, World

MAX_TAKES = 8  # how often a step is worked out anew while purses move under it


@dataclass(frozen=True, slots=True)
class Sources:
    """Where a room gets time, ids, randomness and storage from; all handed in."""

    store: RoomStore
    clock: Clock
    new_id: Callable[[], str]
    random_bytes: Callable[[int], bytes]


class Commits:
    """The commits of one room, one after the other.

    ``in_doubt``: one has failed, and it may be in the store all the same, or one before it; nothing may be
    committed until :meth:`stored` has told how the room stands.
    """

    def __init__(self, sources: Sources, stops: Stops) -> None:
        self._sources = sources
        self._stops = stops
        self.in_doubt = False

    async def commit(self, room: RoomState, command: cmd.Command, lags_ms: Pair) -> Transition:
        """Work a command out and make it durable.

        Raises:
            Refusal, NotYet, RoomError: the command changes nothing.
            StoreError: it was not written, or ``in_doubt`` tells that it may be.
        """
        sources = self._sources
        players = None
        for _ in range(MAX_TAKES):
            world = World(sources.clock.now_ms(), sources.new_id, sources.random_bytes, players, lags_ms)
            try:
                step = take(room, command, world)
            except PlayersNeeded as need:
                players = await sources.store.players(need.user_ids)
                continue
            try:
                if step.is_durable:
                    await self._write(step.batch())
            except BalanceMoved:
                players = await sources.store.players(step.concerned)
            else:
                return step
        raise StoreError("purses keep moving")

    async def _write(self, batch: Batch) -> None:
        try:
            await self._sources.store.commit(batch)
        except BalanceMoved:
            raise  # nothing is written, and the room stands as it did
        except Exception:
            self.in_doubt = True
            raise

    async def stored(self, ours: RoomState) -> tuple[RoomState, Sequence[EventRecord]]:
        """The room as it is stored, and the events that are new in it: no doubt is left. One that cannot be
        rebuilt is stopped.

        Raises:
            StoreError: it cannot be read now.
        """
        found = await self._stops.or_stop(ours.id, self._look(ours))
        self.in_doubt = False
        return found or (ours.ended(), ())

    async def _look(self, ours: RoomState) -> tuple[RoomState, Sequence[EventRecord]] | None:
        """None: it is closed."""
        store = self._sources.store
        stored = await store.load_room(ours.id)
        if stored is None:
            return None
        if stored.room == room_record(ours):
            return ours, ()
        users = [user_id for user_id in stored.room.seats if user_id is not None]
        state = restore(stored, await store.players(users))
        return state, [event for event in stored.events if event.seq > ours.seq]
