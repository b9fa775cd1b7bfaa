"""All rooms of this process, and the way in. Source: PROTOCOL §2, §3.8."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Sequence
from contextlib import suppress
from typing import Protocol

from app.engine.state import Seat
from app.rooms import commands as cmd
from app.rooms.codec import room_record
from app.rooms.commits import Sources
from app.rooms.connection import CloseCode
from app.rooms.errors import Barred, InviteRequired, NoSuchRoom, RoomFull
from app.rooms.expelling import Expulsions
from app.rooms.inbox import RoomClosed
from app.rooms.model import RoomState
from app.rooms.ports import EventRecord, Player, RoomSummary, StoreError, may_enter
from app.rooms.reopening import reopen_rooms
from app.rooms.room import Room
from app.rooms.seating import Seating
from app.rooms.seats import require_entry
from app.rooms.stopping import Stops
from app.rooms.tiers import Tier

INVITE_ALPHABET = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"  # nothing that is misread when told aloud
INVITE_LENGTH = 8


class Follower(Protocol):
    """Who hears of every committed change of every room but those within a round, and may keep a free seat
    from the public.
    """

    def changed(self, before: RoomState, after: RoomState) -> None: ...

    def keeps(self, state: RoomState) -> bool:
        """Whether the room's free seat is for somebody else than who finds it in the list."""
        ...


class Rooms:
    """The registry. A room goes when it is closed, or when nobody could be seated in it."""

    def __init__(self, sources: Sources) -> None:
        self._sources = sources
        self._stops = Stops(sources.store, sources.clock)
        self._follower: Follower | None = None
        self._rooms: dict[str, Room] = {}
        self._invites: dict[str, str] = {}
        self._seating = Seating()
        self._expulsions = Expulsions(sources.clock, self._expel)

    @property
    def stopped(self) -> int:
        """How many rooms could not go on."""
        return self._stops.count

    async def recover(self) -> int:
        """Rebuild every room that was open when the server last stopped; how many there are.

        A room that cannot be rebuilt is stopped, and reported: it stops nobody else.

        Raises:
            StoreError: the database cannot be read or written.
        """
        await reopen_rooms(self._sources, self._stops, self._start)
        return len(self._rooms)

    def _start(
        self, state: RoomState, events: Sequence[EventRecord] = (), first: cmd.Reopen | None = None
    ) -> Room:
        room = Room(state, self._sources, self._stops, self._changed, events, first)
        self._rooms[state.id] = room
        self._note(state, state)
        return room

    # --- the lobby's side ---------------------------------------------------------------------------------

    async def open(
        self, tier: Tier, host: Player, *, private: bool, bot: bool = False, spectators: bool = False
    ) -> RoomSummary:
        """Open a room and seat its host, with ``bot`` across from the computer.

        Raises:
            InOtherRoom, InsufficientCoins, Barred: the host may not sit down.
        """
        state = RoomState(
            self._sources.new_id(),
            tier,
            tier.base_stake,
            private,
            invite=_new_invite() if private else None,
            spectators=spectators,
            practice=bot,
        )
        room = await self._open(state, (host,))
        return _summary(room.state)

    async def open_match(self, tier: Tier, pair: tuple[Player, Player]) -> None:
        """Open a room for two who wanted a partner, and seat both.

        Raises:
            InOtherRoom, InsufficientCoins: one of them may not sit down; nobody does.
            StoreError: it could not be written; who sits in the room all the same waits there.
        """
        state = RoomState(
            self._sources.new_id(), tier, tier.base_stake, private=False, invite=None, matched=True
        )
        await self._open(state, pair)

    async def _open(self, state: RoomState, players: tuple[Player, ...]) -> Room:
        for player in players:
            self._seating.require_free(player.id)
            if not state.practice:
                require_entry(player, state.tier, state.base_stake)
        for player in players:
            self._seating.take(player.id, state.id)
        try:
            await self._sources.store.create_room(room_record(state), self._sources.clock.now_ms())
            room = self._start(state)
            for player in players:
                await room.tell(cmd.Practise(player) if state.practice else cmd.TakeSeat(player))
                await self._require_unbarred(player.id)
        finally:
            await self._discard_if_empty(state.id)
            for player in players:
                self._free_if_unseated(player.id, state.id)
        return room

    async def join(self, room_id: str, player: Player, invite: str | None) -> Seat:
        """Seat a player; one who sits there already keeps his seat.

        Raises:
            NoSuchRoom, RoomFull, InOtherRoom, InsufficientCoins, InviteRequired: he may not sit down.
        """
        room = self._running(room_id)
        seat = room.state.seat_of(player.id)
        if seat is not None:
            return seat
        if not may_enter(room.state.invite, invite):
            raise InviteRequired
        self._seating.require_free(player.id)
        if self._follower is not None and self._follower.keeps(room.state):
            raise RoomFull
        return await self.seat(room_id, player)

    async def seat(self, room_id: str, player: Player) -> Seat:
        """Seat a player where a seat is free, whoever it is kept for.

        Raises:
            NoSuchRoom, RoomFull, InOtherRoom, InsufficientCoins, Barred: he may not sit down.
        """
        room = self._running(room_id)
        self._seating.require_free(player.id)
        self._seating.take(player.id, room_id)
        try:
            state = await room.tell(cmd.TakeSeat(player))
            await self._require_unbarred(player.id)
        finally:
            self._free_if_unseated(player.id, room_id)
        seat = state.seat_of(player.id)
        if seat is None:  # seated, and freed again within the same step: the purses were checked anew
            require_entry(player, state.tier, state.base_stake)
            raise NoSuchRoom(room_id)
        return seat

    async def withdraw(self, room_id: str, user_id: str) -> None:
        """Give up a seat, unless a round of this pair has started.

        Raises:
            NoSuchRoom: it is closed.
        """
        await self._running(room_id).tell(cmd.Withdraw(user_id))

    def public_rooms(self) -> Sequence[RoomSummary]:
        """Open rooms with a free seat for anybody, oldest first."""
        return [_summary(room.state) for room in self._rooms.values() if self._is_public(room.state)]

    def _is_public(self, state: RoomState) -> bool:
        if state.private or not state.waits_for_partner:
            return False
        return self._follower is None or not self._follower.keeps(state)

    def watchable_rooms(self) -> Sequence[RoomSummary]:
        """Public rooms whose round anybody may watch, oldest first."""
        open_to_all = (room.state for room in self._rooms.values() if not room.state.private)
        return [_summary(state) for state in open_to_all if state.spectators and state.is_playing]

    def by_invite(self, invite: str) -> RoomSummary | None:
        return self.summary(self._invites.get(invite.upper(), ""))

    def summary(self, room_id: str) -> RoomSummary | None:
        room = self._rooms.get(room_id)
        return None if room is None or room.state.is_closed else _summary(room.state)

    def room_of(self, user_id: str) -> str | None:
        """Where the player sits, or may: his place is kept until that is known. :meth:`table_of` is surer."""
        return self._seating.room_of(user_id)

    def table_of(self, user_id: str) -> str | None:
        """Where the player sits as far as is known."""
        state = self.state_of(user_id)
        return None if state is None else state.id

    def state_of(self, user_id: str) -> RoomState | None:
        """The room the player sits in, as last committed."""
        room = self.find(self.room_of(user_id) or "")
        return None if room is None or room.state.seat_of(user_id) is None else room.state

    def is_playing(self, user_id: str) -> bool:
        """Whether a round runs at the player's table."""
        state = self.state_of(user_id)
        return state is not None and state.is_playing

    @property
    def running(self) -> Sequence[Room]:
        """Every room of this process."""
        return list(self._rooms.values())

    def follow(self, follower: Follower) -> Sequence[RoomState]:
        """Tell this one of every change from now on; the rooms as they stand."""
        self._follower = follower
        return [room.state for room in self._rooms.values()]

    def online(self, tier_id: str) -> int:
        """How many players sit at tables of a tier."""
        return sum(len(room.state.people) for room in self._rooms.values() if room.state.tier.id == tier_id)

    # --- the socket's side --------------------------------------------------------------------------------

    def find(self, room_id: str) -> Room | None:
        """The running room, None when it does not exist or is closed."""
        room = self._rooms.get(room_id)
        return None if room is None or room.state.is_closed else room

    async def stop(self) -> None:
        """Stop every room; what is committed stays, clients are told to come back."""
        await asyncio.gather(*(room.stop(CloseCode.RESTART) for room in self._rooms.values()))
        await self._expulsions.stop()
        self._rooms.clear()

    # --- the operators' side ------------------------------------------------------------------------------

    async def bar(self, user_id: str) -> None:
        """Whoever is banned sits down nowhere; his sockets are closed and his seat is freed, as soon as that
        can be written.
        """
        self.keep_out(user_id)
        for room in self.running:
            room.shut_out(user_id)
        try:
            await self._expel(user_id)
        except StoreError:
            self._expulsions.begin(user_id)

    def keep_out(self, user_id: str) -> None:
        """He sits down nowhere from now on; where he sits already he stays until that room changes."""
        self._seating.bar(user_id)

    async def _expel(self, user_id: str) -> None:
        """Free his seat, unless he is barred no longer.

        Raises:
            StoreError: it cannot be freed now.
        """
        room = self.find(self.room_of(user_id) or "")
        if room is not None and self._seating.is_barred(user_id):
            with suppress(RoomClosed):  # it has ended, and his seat with it
                await room.tell(cmd.Expel(user_id))

    async def _require_unbarred(self, user_id: str) -> None:
        """Who was banned on his way to a seat leaves it again.

        Raises:
            Barred: he was.
        """
        if self._seating.is_barred(user_id):
            await self.bar(user_id)
            raise Barred

    def unbar(self, user_id: str) -> None:
        self._seating.unbar(user_id)

    # --- keeping the books --------------------------------------------------------------------------------

    def _running(self, room_id: str) -> Room:
        room = self.find(room_id)
        if room is None:
            raise NoSuchRoom(room_id)
        return room

    async def _discard_if_empty(self, room_id: str) -> None:
        """A room nobody could be seated in goes at once; its row is closed at the next start.

        One that is in doubt stays, and goes by itself if it turns out to be empty.
        """
        room = self._rooms.get(room_id)
        if room is not None and not room.is_in_doubt and not room.state.people:
            del self._rooms[room_id]
            self._invites.pop(room.state.invite or "", None)
            await room.stop(CloseCode.END)

    def _free_if_unseated(self, user_id: str, room_id: str) -> None:
        """Who could not be seated may sit down elsewhere, as soon as that is certain."""
        room = self._rooms.get(room_id)
        if room is not None and room.is_in_doubt:
            self._seating.doubt(user_id, room_id)
        elif room is None or room.state.seat_of(user_id) is None:
            self._seating.give_up(user_id, room_id)

    def _changed(self, before: RoomState, after: RoomState) -> None:
        """Follow every committed change: who has come or left, which rooms are gone.

        Through a round everybody keeps his seat: leaving ends it. Whoever is barred and sits there all the
        same, as when nobody knew what a commit had done, goes: nobody else would come back to that.
        """
        self._seating.end_doubt(after)
        for user_id in self._seating.barred_at(after):
            self._expulsions.begin(user_id)
        if before.is_playing and after.is_playing:
            return
        self._note(before, after)
        if self._follower is not None:
            self._follower.changed(before, after)

    def _note(self, before: RoomState, after: RoomState) -> None:
        """Who sits in the room, and where its invite leads, if to anywhere."""
        self._seating.follow(before, after)
        if after.is_closed:
            self._rooms.pop(after.id, None)
            self._invites.pop(after.invite or "", None)
        elif after.invite is not None:
            self._invites[after.invite] = after.id


def _new_invite() -> str:
    return "".join(secrets.choice(INVITE_ALPHABET) for _ in range(INVITE_LENGTH))


def _summary(state: RoomState) -> RoomSummary:
    first, second = state.seats
    return RoomSummary(
        id=state.id,
        tier=state.tier,
        base_stake=state.base_stake,
        private=state.private,
        invite=state.invite,
        phase=state.phase.value,
        spectators=state.spectators,
        seats=(first.player if first else None, second.player if second else None),
    )
