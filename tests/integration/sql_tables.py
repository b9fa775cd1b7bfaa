"""The table of ``tests.tables`` over a real database."""

from __future__ import annotations

import itertools
import random

from app.economy.users import User
from app.rooms import commands as cmd
from app.rooms.codec import room_record
from app.rooms.commits import Sources
from app.rooms.model import RoomState
from app.rooms.ports import Player, RoomStore
from app.rooms.tiers import Tier
from app.store.database import Database
from app.store.room_store import SqlRoomStore
from tests.fakes import FakeClock
from tests.integration.stories import ZONE, guest
from tests.tables import CLASSIC, Reader, Table

COINS = 10_000


class SqlTable(Table):
    """A room of ann (seat 0) and ben (seat 1), whose ids are ``ann`` and ``ben`` of this value."""

    def __init__(self, store: RoomStore, users: tuple[User, User], tier: Tier, seed: int) -> None:
        self.users = users
        clock, numbers, rng = FakeClock(), itertools.count(1), random.Random(seed)
        sources = Sources(store, clock, lambda: f"{seed}-id-{next(numbers):06}", rng.randbytes)
        state = RoomState(f"room-{seed}", tier, tier.base_stake, private=False, invite=None)
        self.open(state, sources, clock)

    async def seated(self) -> tuple[Reader, Reader]:
        for user in self.users:
            await self.room.tell(cmd.TakeSeat(Player(user.id, user.name, user.coins, user.points)))
        return await self.connect(self.users[0].id), await self.connect(self.users[1].id)


async def sql_table(
    database: Database, tier: Tier = CLASSIC, *, seed: int = 0, store: RoomStore | None = None
) -> SqlTable:
    """A new room for two new guests."""
    users = (await guest(database, f"ann{seed}", COINS), await guest(database, f"ben{seed}", COINS))
    store = store or SqlRoomStore(database, ZONE)
    table = SqlTable(store, users, tier, seed)
    await store.create_room(room_record(table.state), table.clock.now_ms())
    return table
