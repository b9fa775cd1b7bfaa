"""All rooms of this process: who sits where, and the way in. Source: PROTOCOL §2, §3.8."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Sequence

from app.engine.record import UnreadableRecord
from app.engine.state import Seat
from app.rooms import commands as cmd
from app.rooms.codec import room_record
from app.rooms.connection import CloseCode
from app.rooms.errors import InOtherRoom, InviteRequired, NoSuchRoom
from app.rooms.model import RoomPhase, RoomState
from app.rooms.ports import Player, RoomSummary, StoreError
from app.rooms.recovery import restore
from app.rooms.room import Room, Sources
from app.rooms.seats import require_entry
from app.rooms.tiers import Tier

log = logging.getLogger(__name__)

INVITE_ALPHABET = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"  # nothing that is misread when told aloud
INVITE_LENGTH = 8


class Rooms:
    """The registry. A player sits in one room at a time; his place is taken before anything is awaited."""

    def __init__(self, sources: Sources) -> None:
        self._sources = sources
        self._rooms: dict[str, Room] = {}
        self._invites: dict[str, str] = {}
        self._room_of: dict[str, str] = {}

    async def recover(self) -> int:
        """Rebuild every room that was open when the server last stopped; how many there are.

        A room whose record this code cannot read is left as it is, and reported: it stops nobody else.
        """
        for room_id in await self._sources.store.open_room_ids():
            try:
                await self._recover_room(room_id)
            except (UnreadableRecord, StoreError):
                log.exception("room %s cannot be rebuilt", room_id)
        return len(self._rooms)

    async def _recover_room(self, room_id: str) -> None:
        store, now_ms = self._sources.store, self._sources.clock.now_ms()
        stored = await store.load_room(room_id)
        if stored is None:
            return
        user_ids = [user_id for user_id in stored.room.seats if user_id is not None]
        state = restore(stored, await store.players(user_ids), now_ms)
        room = self._rooms[room_id] = Room(state, self._sources, self._changed, stored.events)
        self._room_of |= dict.fromkeys(user_ids, room_id)
        if state.invite is not None:
            self._invites[state.invite] = room_id
        if not user_ids:
            await room.tell(cmd.CloseRoom("empty"))
        for seat in state.taken:
            await room.tell(cmd.GoOffline(seat))

    # --- the lobby's side ---------------------------------------------------------------------------------

    async def open(self, tier: Tier, host: Player, *, private: bool) -> RoomSummary:
        """Open a room and seat its host.

        Raises:
            InOtherRoom, InsufficientCoins: the host may not sit down.
        """
        self._require_free(host.id)
        require_entry(host, tier, tier.base_stake)
        room_id = self._sources.new_id()
        invite = _new_invite() if private else None
        state = RoomState(room_id, tier, tier.base_stake, private, invite)
        self._room_of[host.id] = room_id
        try:
            await self._sources.store.create_room(room_record(state), self._sources.clock.now_ms())
            room = Room(state, self._sources, self._changed)
            self._rooms[room_id] = room
            await room.tell(cmd.TakeSeat(host))
        except BaseException:
            self._forget_if_unseated(host.id, room_id)
            raise
        if invite is not None:
            self._invites[invite] = room_id
        return _summary(room.state)

    async def join(self, room_id: str, player: Player, invite: str | None) -> Seat:
        """Seat a player; one who sits there already keeps his seat.

        Raises:
            NoSuchRoom, RoomFull, InOtherRoom, InsufficientCoins, InviteRequired: he may not sit down.
        """
        room = self._running(room_id)
        seat = room.state.seat_of(player.id)
        if seat is not None:
            return seat
        _require_invite(room.state, invite)
        self._require_free(player.id)
        self._room_of[player.id] = room_id
        try:
            state = await room.tell(cmd.TakeSeat(player))
        finally:
            self._forget_if_unseated(player.id, room_id)
        seat = state.seat_of(player.id)
        if seat is None:  # seated, and freed again within the same step: the purses were checked anew
            require_entry(player, state.tier, state.base_stake)
            raise NoSuchRoom(room_id)
        return seat

    def public_rooms(self) -> Sequence[RoomSummary]:
        """Open rooms with a free seat, oldest first."""
        return [
            _summary(room.state)
            for room in self._rooms.values()
            if room.state.phase is RoomPhase.WAITING and not room.state.private and room.state.taken
        ]

    def by_invite(self, invite: str) -> RoomSummary | None:
        return self.summary(self._invites.get(invite.upper(), ""))

    def summary(self, room_id: str) -> RoomSummary | None:
        room = self._rooms.get(room_id)
        return None if room is None or room.state.is_closed else _summary(room.state)

    def room_of(self, user_id: str) -> str | None:
        """Where the player sits."""
        return self._room_of.get(user_id)

    def online(self, tier_id: str) -> int:
        """How many players sit at tables of a tier."""
        return sum(len(room.state.taken) for room in self._rooms.values() if room.state.tier.id == tier_id)

    # --- the socket's side --------------------------------------------------------------------------------

    def find(self, room_id: str) -> Room | None:
        """The running room, None when it does not exist or is closed."""
        room = self._rooms.get(room_id)
        return None if room is None or room.state.is_closed else room

    async def stop(self) -> None:
        """Stop every room; what is committed stays, clients are told to come back."""
        await asyncio.gather(*(room.stop(CloseCode.RESTART) for room in self._rooms.values()))
        self._rooms.clear()

    # --- keeping the books --------------------------------------------------------------------------------

    def _running(self, room_id: str) -> Room:
        room = self.find(room_id)
        if room is None:
            raise NoSuchRoom(room_id)
        return room

    def _require_free(self, user_id: str) -> None:
        room_id = self._room_of.get(user_id)
        if room_id is not None:
            raise InOtherRoom(room_id)

    def _forget_if_unseated(self, user_id: str, room_id: str) -> None:
        room = self._rooms.get(room_id)
        if room is None or room.state.seat_of(user_id) is None:
            self._room_of.pop(user_id, None)

    def _changed(self, before: RoomState, after: RoomState) -> None:
        """Follow every committed change: who has left, which rooms are gone."""
        for seat in before.taken:
            user_id = before.at(seat).player.id
            if after.seat_of(user_id) is None and self._room_of.get(user_id) == after.id:
                del self._room_of[user_id]
        if after.is_closed:
            self._rooms.pop(after.id, None)
            if after.invite is not None:
                self._invites.pop(after.invite, None)


def _require_invite(state: RoomState, invite: str | None) -> None:
    if state.invite is not None and not secrets.compare_digest(
        (invite or "").upper().encode(), state.invite.encode()
    ):
        raise InviteRequired


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
        seats=(first.player if first else None, second.player if second else None),
    )
