"""Rooms that keep only who sits where: enough for the lobby."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from app.rooms.errors import InOtherRoom, InsufficientCoins, InviteRequired, NoSuchRoom, RoomFull
from app.rooms.ports import Player, RoomSummary
from app.rooms.room import Room
from app.rooms.tiers import Tier


@dataclass
class FakeRooms:
    summaries: dict[str, RoomSummary] = field(default_factory=dict)
    barred: set[str] = field(default_factory=set)
    doubtful: set[str] = field(default_factory=set)  # nobody knows whether they sit where they seem to

    async def open(
        self, tier: Tier, host: Player, *, private: bool, bot: bool, spectators: bool
    ) -> RoomSummary:
        self._check(tier, host)
        number = len(self.summaries) + 1
        room = RoomSummary(
            id=f"room-{number:02}",
            tier=tier,
            base_stake=tier.base_stake,
            private=private,
            invite=f"invite-{number}" if private else None,
            phase="waiting",
            spectators=spectators,
            seats=(host, None),
        )
        self.summaries[room.id] = room
        return room

    async def join(self, room_id: str, player: Player, invite: str | None) -> int:
        room = self.summaries.get(room_id)
        if room is None:
            raise NoSuchRoom(room_id)
        self._check(room.tier, player)
        if room.private and invite != room.invite:
            raise InviteRequired(room_id)
        if None not in room.seats:
            raise RoomFull(room_id)
        self.summaries[room_id] = replace(room, seats=(room.seats[0], player), phase="confirm")
        return 1

    def public_rooms(self) -> Sequence[RoomSummary]:
        return [room for room in self.summaries.values() if not room.private]

    def watchable_rooms(self) -> Sequence[RoomSummary]:
        return [room for room in self.public_rooms() if room.spectators and room.phase == "playing"]

    def by_invite(self, invite: str) -> RoomSummary | None:
        return next((room for room in self.summaries.values() if room.invite == invite), None)

    def room_of(self, user_id: str) -> str | None:
        return next(
            (room.id for room in self.summaries.values() if any(p and p.id == user_id for p in room.seats)),
            None,
        )

    def table_of(self, user_id: str) -> str | None:
        return None if user_id in self.doubtful else self.room_of(user_id)

    def is_playing(self, user_id: str) -> bool:
        room = self.summary(self.room_of(user_id) or "")
        return room is not None and room.phase == "playing"

    def online(self, tier_id: str) -> int:
        return sum(room.seats_taken for room in self.summaries.values() if room.tier.id == tier_id)

    def summary(self, room_id: str) -> RoomSummary | None:
        return self.summaries.get(room_id)

    def _check(self, tier: Tier, player: Player) -> None:
        if other := self.room_of(player.id):
            raise InOtherRoom(other)
        if player.coins < tier.entry_min:
            raise InsufficientCoins(tier.entry_min - player.coins)

    def find(self, room_id: str) -> Room | None:
        """No sockets here."""
        return None

    @property
    def running(self) -> Sequence[Room]:
        return []

    async def bar(self, user_id: str) -> None:
        self.barred.add(user_id)

    def keep_out(self, user_id: str) -> None:
        """These rooms have no way to a seat that takes time."""

    def unbar(self, user_id: str) -> None:
        self.barred.discard(user_id)
