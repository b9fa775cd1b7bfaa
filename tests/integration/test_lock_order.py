"""Whoever writes while rooms do: nobody waits for another crosswise, on both databases.

What two transactions lock in different orders PostgreSQL ends after a second, one of them with an error, and
all rooms of its group have waited. So everything locks players, purses, standings and tallies, each by id.
"""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from datetime import date, timedelta
from functools import partial

from app.economy.accounts import StillSeated
from app.economy.ledger import purse
from app.economy.operators import By, Role
from app.economy.player_desk import Sanction
from app.economy.relief import ReliefTerms
from app.economy.users import User
from app.rooms.ports import BalanceMoved, Batch, RoundStatus
from app.store.accounts import SqlAccounts
from app.store.audit import audit
from app.store.database import Database
from app.store.operators import create_operator
from app.store.player_desk import SqlPlayerDesk
from app.store.relief import SqlReliefs
from app.store.room_store import SqlRoomStore
from tests.integration.stories import ZONE, a_room, a_round, guest, later, won_batch
from tests.integration.test_given_names import name, register, session

ON_EVERY_DATABASE = True

TIMES = 12
FROM = date(2026, 1, 1)
TERMS = ReliefTerms(below=10**9, per_day=TIMES)
_numbers = itertools.count(1)

Deed = Callable[[int], Awaitable[object]]


async def play(store: SqlRoomStore, pair: Sequence[User], _: int) -> None:
    """A proposal that goes by the purses the table knows, and a round that is won."""
    room = a_room(pair, f"room-{next(_numbers)}")
    record = a_round(room, room.id.replace("room", "round"))
    await store.create_room(room, 2_000)
    for ends in (False, True):
        while True:
            now = await store.players([user.id for user in pair])
            standing = [replace(user, coins=now[user.id].coins, points=now[user.id].points) for user in pair]
            held = {purse(user.id): user.coins for user in standing}
            proposed = replace(record, status=RoundStatus.PROPOSED)
            begun = Batch(room=later(room), at_ms=3_000, rounds=(proposed,), held=held)
            try:
                await store.commit(won_batch(later(room), record, standing, fan=8) if ends else begun)
            except BalanceMoved:
                continue
            break


def deeds(database: Database, players: Sequence[User]) -> list[Deed]:
    """What else happens to these players: each the ``n``-th time."""
    accounts, desk, reliefs = SqlAccounts(database), SqlPlayerDesk(database), SqlReliefs(database)
    clerk, boss = players[0], players[-1]
    by = By(boss.id, "because", 1_000)

    def coins(user: User) -> list[Deed]:
        return [
            lambda n: reliefs.grant_daily(user.id, 5, FROM + timedelta(days=n), 1_000),
            lambda n: reliefs.grant(user.id, TERMS, FROM, 1_000),
            lambda n: desk.adjust(user.id, 1, f"{n}", by),
        ]

    async def come_and_go(n: int) -> None:
        user = await guest(database, f"gone {n}", coins=10)
        await accounts.leave(user.id, 2_000)

    async def lose_a_name(n: int) -> None:
        await accounts.rename(players[1].id, name(f"wanted {n}"), 1_000, 0)
        await register(database, f"wanted {n}")

    async def take_it_as_a_guest(n: int) -> None:
        user = await guest(database, f"new {n}")
        await accounts.rename(players[1].id, name(f"mine {n}"), 1_000, 0)
        await accounts.upgrade(user.id, name(f"mine {n}"), "hash", session(), 1_000)

    return [
        *(deed for user in players for deed in coins(user)),
        come_and_go,
        lose_a_name,
        take_it_as_a_guest,
        lambda n: accounts.rename(clerk.id, name(f"clerk {n}"), 1_000, 0),
        lambda n: desk.set_role(clerk.id, (Role.VIEWER, Role.OWNER)[n % 2], by),
        lambda n: desk.sanction(players[2].id, Sanction.BAN, n % 2 == 0, by),
    ]


async def test_nobody_waits_for_another_crosswise(database: Database) -> None:
    clerk = await register(database, "clerk")
    players = [clerk, *[await guest(database, f"guest {n}") for n in range(4)]]
    players.append(await create_operator(database, name("boss"), "hash", None, 1_000))
    await SqlPlayerDesk(database).adjust(players[-1].id, 10_000, "first", By(clerk.id, "to play", 1_000))
    store = SqlRoomStore(database, ZONE)

    async def again_and_again(deed: Deed) -> None:
        for n in range(TIMES):
            await deed(n)

    rooms: list[Deed] = [partial(play, store, pair) for pair in zip(players[::2], players[1::2], strict=True)]
    await asyncio.gather(*map(again_and_again, rooms + deeds(database, players)))
    assert (await audit(database)).fault is None


async def test_who_leaves_while_he_sits_down_takes_nobody_with_him(database: Database) -> None:
    """One of the two comes first, and rooms that were written beside him never hear of it."""
    store, accounts = SqlRoomStore(database, ZONE), SqlAccounts(database)
    bystanders = []
    for number in range(4):
        room = a_room(
            [await guest(database, f"x{number}"), await guest(database, f"y{number}")], f"by-{number}"
        )
        await store.create_room(room, 2_000)
        bystanders.append(room)
    for number in range(2 * TIMES):
        ann, bob = await guest(database, f"ann {number}"), await guest(database, f"bob {number}")
        full = a_room([ann, bob], f"room-{number}")
        await store.create_room(replace(full, phase="waiting", seats=(ann.id, None)), 2_000)
        held = {purse(user.id): user.coins for user in (ann, bob)}
        proposed = replace(a_round(full, f"round-{number}"), status=RoundStatus.PROPOSED)
        bystanders = [later(room) for room in bystanders]
        beside = [Batch(room=room, at_ms=4_000) for room in bystanders]
        sits = Batch(room=later(full), at_ms=3_000, rounds=(proposed,), held=held)
        left, sat, *others = await asyncio.gather(
            accounts.leave(bob.id, 5),
            *map(store.commit, (sits, *beside)),
            return_exceptions=True,
        )
        assert others == [None] * len(bystanders)
        assert (isinstance(left, StillSeated), isinstance(sat, BalanceMoved)) in (
            (True, False),
            (False, True),
        )
