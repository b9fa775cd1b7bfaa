"""Players, rooms and rounds as rows, for tests that need a past."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import Any
from zoneinfo import ZoneInfo

from sqlalchemy import Connection

from app.api.look_alikes import look_alike_key
from app.economy.postings import win_posting
from app.economy.ranks import points_after_round
from app.economy.settlement import settle_win
from app.economy.users import Name, SignIn, User
from app.rooms.ports import (
    ActionRecord,
    AnswerRecord,
    Batch,
    EventRecord,
    ResultRecord,
    RoomRecord,
    RoundRecord,
    RoundStatus,
)
from app.rooms.tiers import Clocks, Tier
from app.store import migrate
from app.store.database import Database
from app.store.room_store import SqlRoomStore
from app.store.users import SqlUsers

ZONE = ZoneInfo("Asia/Taipei")
TIER = Tier(
    id="classic64-1",
    name="雀仔場",
    ruleset="classic64",
    base_stake=10,
    entry_min=500,
    clocks=Clocks(turn_ms=7_000),
)

# whole rounds over real sockets need not wait: no floors, and other pauses just long enough to be there
NO_PAUSES = """UPDATE tiers SET clocks = '{"pause_ms": 100, "forced_ms": 50}'"""
CLOSE_A_TIER = "UPDATE tiers SET is_open = false WHERE id = 'jiule72-1'"


def migrate_in_a_hurry(url: str) -> None:
    """A new database whose tiers play without pauses."""

    async def hurry() -> None:
        await migrate.upgrade(url)
        database = Database(url)
        await execute(database, NO_PAUSES)
        await database.close()

    asyncio.run(hurry())


async def guest(database: Database, name: str, coins: int = 10_000) -> User:
    return await SqlUsers(database).create_guest(
        Name(name, look_alike_key(name)), coins, SignIn(f"hash of {name}", "csrf", 10**15), 1_000
    )


def a_room(players: Sequence[User], room_id: str = "room-1") -> RoomRecord:
    return RoomRecord(
        id=room_id,
        tier=TIER,
        base_stake=10,
        private=True,
        invite=f"invite-{room_id}",
        phase="playing",
        seats=(players[0].id, players[1].id),
        seq=0,
        state={"clocks": [1, 2], "open": {"dp": 3}, "round": None, "proposal": None},
    )


def a_round(room: RoomRecord, round_id: str = "round-1", number: int = 1) -> RoundRecord:
    first, second = room.seats
    assert first
    assert second
    return RoundRecord(
        id=round_id,
        room_id=room.id,
        number=number,
        status=RoundStatus.RUNNING,
        ruleset="classic64",
        ruleset_version=1,
        record_version=1,
        options={"open_hand": True},
        base_stake=10,
        players=(first, second),
        dealer=0,
        shuffle="erma-shuffle-1",
        secret="5e" * 32,
        nonce="0c" * 32,
        commitment="c0" * 32,
        entropy=("00" * 32, "11" * 32),
        result=None,
    )


def later(room: RoomRecord, commits: int = 1, **named: str | None) -> RoomRecord:
    """The head so many commits later; ``named`` are the ``round`` and the ``proposal`` it names then."""
    return replace(room, commits=room.commits + commits, state={**room.state, **named})


def won_batch(room: RoomRecord, record: RoundRecord, players: Sequence[User], fan: int = 26) -> Batch:
    """The batch that ends the round of a room that stands so: seat 0 wins."""
    coins = (players[0].coins, players[1].coins)
    points = (players[0].points, players[1].points)
    settlement = settle_win(fan, record.base_stake, 1, 0, coins, 500)
    after = points_after_round(points, winner=0, round_points=fan)
    return Batch(
        room=replace(later(room, round=record.id), seq=room.seq + 2),
        at_ms=5_000,
        rounds=(replace(record, status=RoundStatus.FINISHED, result={"won": {"seat": 0}}),),
        actions=(ActionRecord(record.id, 0, 0, "w", 5_000),),
        events=(
            EventRecord(room.seq + 1, 5_000, record.id, "won", {"seat": 0, "fans": ["清龍"]}),
            EventRecord(room.seq + 2, 5_000, record.id, "settled", {"amount": settlement.amount}),
        ),
        answers=(AnswerRecord(players[0].id, f"act-{record.id}", "d1", room.seq + 2),),
        postings=(win_posting(record.id, settlement, record.players, coins),),
        results=tuple(
            ResultRecord(
                round_id=record.id,
                user_id=players[seat].id,
                seat=seat,
                outcome=("won", "lost")[seat],
                coins_delta=settlement.deltas[seat],
                points_before=points[seat],
                points_after=after[seat],
                total_fan=fan,
            )
            for seat in (0, 1)
        ),
    )


async def play_a_round(database: Database, names: tuple[str, str] = ("ann", "bob")) -> Batch:
    """Two guests, a room, one round won by seat 0; the batch that ended it."""
    players = [await guest(database, name) for name in names]
    store = SqlRoomStore(database, ZONE)
    room = a_room(players)
    record = a_round(room)
    await store.create_room(room, 2_000)
    room = later(room)
    await store.commit(Batch(room=room, at_ms=3_000, rounds=(record,)))
    batch = won_batch(room, record, players)
    await store.commit(batch)
    return batch


async def execute(database: Database, *statements: str) -> list[tuple[Any, ...]]:
    """Run SQL in one writing transaction; the last statement's rows."""

    def work(connection: Connection) -> list[tuple[Any, ...]]:
        results = [connection.exec_driver_sql(statement) for statement in statements]
        return [tuple(row) for row in results[-1]] if results[-1].returns_rows else []

    return await database.write(work)
