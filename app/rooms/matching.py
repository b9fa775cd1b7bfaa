"""Quick match: two players who want the same tier find each other. Source: PROTOCOL §2.

An entry belongs to a user, whatever devices he calls from, and lives as long as he asks for it. Two entries
make a room. When one of the two is gone before the first round, or later, the other keeps his seat, and that
free seat is filled before anybody without a room is served. Everything else about such a room is ordinary.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from app.rooms.errors import InOtherRoom, NoSuchRoom, RoomError
from app.rooms.hub import Rooms
from app.rooms.model import RoomState
from app.rooms.ports import Clock, Player, RoomStore, StoreError
from app.rooms.seats import require_entry
from app.rooms.tiers import Tier

log = logging.getLogger(__name__)

LIFE_MS = 15_000  # an entry that nobody asks for lapses after this


class Searching(StrEnum):
    NONE = "none"
    WAITING = "waiting"
    MATCHED = "matched"


@dataclass(frozen=True, slots=True)
class MatchStatus:
    """Where a player's search stands. ``room_id`` with ``waiting``: he sits there, the other seat is free."""

    status: Searching
    tier_id: str | None = None
    room_id: str | None = None
    waited_ms: int | None = None


@dataclass(slots=True)
class _Entry:
    user_id: str
    tier: Tier
    since_ms: int
    asked_ms: int


class Matcher:
    """The queues of all tiers. Oldest first; time only passes when somebody asks."""

    def __init__(self, rooms: Rooms, store: RoomStore, clock: Clock) -> None:
        self._rooms = rooms
        self._store = store
        self._clock = clock
        self._queue: dict[str, _Entry] = {}  # by user, oldest first
        self._free: dict[str, int] = {}  # matched rooms with a free seat: since when, oldest first
        self._asked: dict[str, int] = {}  # who sits in a matched room: when he last asked
        self._seating: dict[str, asyncio.Task[bool]] = {}  # by user, while he is brought to a table
        for state in rooms.follow(self):
            self.changed(state, state)

    # --- the player's side --------------------------------------------------------------------------------

    async def enter(self, tier: Tier, player: Player) -> MatchStatus:
        """Look for a partner; who looks already goes on looking.

        Raises:
            InOtherRoom: he sits in a room that is not his match of this tier.
            InsufficientCoins: outside the tier's entry limits.
        """
        await self._seated(player.id)
        # who waits sits nowhere as far as is known, though his place may be kept for him somewhere
        room_id = None if player.id in self._queue else self._rooms.room_of(player.id)
        if room_id is not None:
            state = self._rooms.state_of(player.id)
            if state is None or not state.matched or state.tier.id != tier.id:
                raise InOtherRoom(room_id)
            return self.poll(player.id)
        require_entry(player, tier, tier.base_stake)
        self._enqueue(player.id, tier)
        self._pair_up(tier.id)
        await self._seated(player.id)
        return self._status(player.id)

    def poll(self, user_id: str) -> MatchStatus:
        """Where the search stands; asking keeps it alive."""
        self._drop_lapsed()
        now = self._clock.now_ms()
        entry = self._queue.get(user_id)
        if entry is not None:
            entry.asked_ms = now
            self._pair_up(entry.tier.id)
        elif (state := self._rooms.state_of(user_id)) is not None and state.matched:
            self._asked[user_id] = now
            self._pair_up(state.tier.id)
        return self._status(user_id)

    async def leave(self, user_id: str) -> MatchStatus:
        """End the search: the entry, or the seat as long as no round of this pair has started."""
        await self._seated(user_id)
        if self._queue.pop(user_id, None) is None:
            state = self._rooms.state_of(user_id)
            if state is not None and state.matched:
                await self._withdraw(state.id, user_id)
        return self._status(user_id)

    async def _withdraw(self, room_id: str, user_id: str) -> None:
        try:
            await self._rooms.withdraw(room_id, user_id)
        except NoSuchRoom:
            return  # it ended by itself meanwhile

    def _enqueue(self, user_id: str, tier: Tier) -> None:
        now = self._clock.now_ms()
        self._drop_lapsed()
        known = self._queue.get(user_id)
        if known is not None and known.tier.id == tier.id:
            known.tier, known.asked_ms = tier, now
        else:
            self._queue.pop(user_id, None)
            self._queue[user_id] = _Entry(user_id, tier, since_ms=now, asked_ms=now)

    def _status(self, user_id: str) -> MatchStatus:
        now = self._clock.now_ms()
        entry = self._queue.get(user_id)
        if entry is not None:
            return MatchStatus(Searching.WAITING, entry.tier.id, waited_ms=now - entry.since_ms)
        state = self._rooms.state_of(user_id)
        if state is None or not state.matched:
            return MatchStatus(Searching.NONE)
        if state.waits_for_partner:
            waited_ms = now - self._free.get(state.id, now)
            return MatchStatus(Searching.WAITING, state.tier.id, state.id, waited_ms)
        return MatchStatus(Searching.MATCHED, state.tier.id, state.id)

    # --- the rooms' side: :class:`app.rooms.hub.Follower` -------------------------------------------------

    def changed(self, before: RoomState, after: RoomState) -> None:
        """Who sits down looks no longer; a matched room with a free seat looks for him who stayed."""
        for seat in before.taken:
            user_id = before.at(seat).player.id
            if after.seat_of(user_id) is None:
                self._asked.pop(user_id, None)
        for seat in after.taken:
            entry = self._queue.pop(after.at(seat).player.id, None)
            if entry is not None and after.matched:
                self._asked[entry.user_id] = entry.asked_ms
        if not (after.matched and after.waits_for_partner):
            self._free.pop(after.id, None)
            return
        self._free.setdefault(after.id, self._clock.now_ms())
        self._pair_up(after.tier.id)

    def keeps(self, state: RoomState) -> bool:
        """A matched room's free seat goes to who waits for the tier, or is on his way to it."""
        if not state.matched:
            return False
        self._drop_lapsed()
        is_wanted = any(entry.tier.id == state.tier.id for entry in self._queue.values())
        return is_wanted or any(state.at(seat).player.id in self._seating for seat in state.taken)

    async def idle(self) -> None:
        """Until nobody is on his way to a table."""
        while self._seating:
            await asyncio.wait(set(self._seating.values()))

    async def stop(self) -> None:
        """Bring nobody to a table any more."""
        self._queue.clear()
        self._free.clear()
        await self.idle()

    # --- bringing them together ---------------------------------------------------------------------------

    def _pair_up(self, tier_id: str) -> None:
        """Bring everybody to a table for whom there is one: free seats first, then the two oldest."""
        self._drop_lapsed()
        waiting = [
            entry
            for entry in self._queue.values()
            if entry.tier.id == tier_id and self._is_free(entry.user_id)
        ]
        for state in list(self._free_seats(tier_id)):
            if not waiting:
                return
            self._begin([waiting.pop(0)], state)
        while len(waiting) > 1:
            self._begin([waiting.pop(0), waiting.pop(0)], None)

    def _is_free(self, user_id: str) -> bool:
        """He is not on his way to a table, nor may a commit in doubt have seated him."""
        return user_id not in self._seating and self._rooms.room_of(user_id) is None

    def _free_seats(self, tier_id: str) -> Iterator[RoomState]:
        """Matched rooms with a free seat whose player is there, connected or asking."""
        now = self._clock.now_ms()
        for room_id in self._free:
            room = self._rooms.find(room_id)
            if room is None or room.state.tier.id != tier_id or not room.state.waits_for_partner:
                continue
            sitting = room.state.at(room.state.taken[0])
            is_there = sitting.is_online or now - self._asked.get(sitting.player.id, 0) <= LIFE_MS
            if is_there and sitting.player.id not in self._seating:
                yield room.state

    def _begin(self, entries: Sequence[_Entry], state: RoomState | None) -> None:
        """Start seating; until it is done nobody concerned is considered for another table."""
        users = [entry.user_id for entry in entries]
        if state is not None:
            users += [state.at(seat).player.id for seat in state.taken]
        task = asyncio.create_task(self._seat(entries, state), name=f"match {' '.join(users)}")
        self._seating |= dict.fromkeys(users, task)

        def done(_: asyncio.Task[bool]) -> None:
            for user_id in users:
                self._seating.pop(user_id, None)
            if not task.cancelled() and task.exception() is None and task.result():
                self._pair_up(entries[0].tier.id)

        task.add_done_callback(done)

    async def _seat(self, entries: Sequence[_Entry], state: RoomState | None) -> bool:
        """Seat them as they stand now: who may not sit down loses the entry, the others keep theirs.

        Whether that has changed anything: if not, the next who asks tries again, and nobody before.

        Raises:
            StoreError: nothing could be read or written; the next who asks tries again.
        """
        players = await self._store.players([entry.user_id for entry in entries])
        able = [players[e.user_id] for e in entries if self._may_sit(e, players.get(e.user_id))]
        if len(able) < len(entries):
            return True
        try:
            if state is None:
                await self._rooms.open_match(entries[0].tier, (able[0], able[1]))
            else:
                await self._rooms.seat(state.id, able[0])
        except RoomError as refusal:
            log.info("not matched: %s", refusal.code)
            return False
        except StoreError:
            log.exception("a match could not be written")
            raise
        return True

    def _may_sit(self, entry: _Entry, player: Player | None) -> bool:
        try:
            if player is None or self._rooms.room_of(player.id) is not None:
                raise RoomError
            require_entry(player, entry.tier, entry.tier.base_stake)
        except RoomError:
            self._queue.pop(entry.user_id, None)
            return False
        return True

    async def _seated(self, user_id: str) -> None:
        """Until the player is not on his way to a table any more."""
        while (task := self._seating.get(user_id)) is not None:
            await asyncio.wait({task})

    def _drop_lapsed(self) -> None:
        now = self._clock.now_ms()
        for entry in list(self._queue.values()):
            if now - entry.asked_ms > LIFE_MS and entry.user_id not in self._seating:
                del self._queue[entry.user_id]
