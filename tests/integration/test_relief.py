"""Relief: below the limit, a few times a day, once for a double click. Source: RULES §12."""

from __future__ import annotations

import asyncio
from argparse import Namespace
from dataclasses import replace
from datetime import date

import pytest
from fastapi import FastAPI
from httpx import AsyncClient

from app.cli import audit
from app.economy.ledger import HOUSE_FEES, Posting, PostingKind, purse
from app.economy.periods import next_day_ms
from app.economy.relief import DuringRound, ReliefTerms
from app.rooms import commands as cmd
from app.rooms.ports import Batch, Player, RoundStatus
from app.store import audit as proof
from app.store.database import Database
from app.store.relief import SqlReliefs
from app.store.room_store import SqlRoomStore
from app.store.settlement import write_postings
from tests.integration.fake_rooms import FakeRooms
from tests.integration.sql_tables import sql_table
from tests.integration.stories import ZONE, a_room, a_round, guest, later
from tests.integration.test_http import Someone, code_of, someone

ON_EVERY_DATABASE = True

NOW = 1_764_450_000_000


async def ruin(database: Database, person: Someone, left: int = 0, key: str = "ruin") -> None:
    """Take all but ``left`` coins."""
    held = (await person.get("/api/me")).json()["user"]["coins"]
    entries = {purse(person.id): left - held, HOUSE_FEES: held - left}
    posting = Posting(f"{key}:{person.id}", PostingKind.FEE, entries)
    await database.write(lambda connection: write_postings(connection, [(posting, 1)]))


def at(app: FastAPI, now_ms: int) -> None:
    app.state.house = replace(app.state.house, now_ms=lambda: now_ms)


async def test_relief_up_to_three_times_a_day(client: AsyncClient, app: FastAPI, database: Database) -> None:
    at(app, NOW)
    ann = await someone(client)
    refused = await ann.post("/api/relief")
    assert (code_of(refused), refused.json()["below"]) == ("relief_not_needed", 1_000)
    for number, left in enumerate((2, 1, 0)):
        await ruin(database, ann, 999 if number else 120, key=f"ruin{number}")
        body = (await ann.post("/api/relief")).json()
        assert body == {"granted": 3_000, "coins": 3_999 if number else 3_120, "left": left}
    await ruin(database, ann, key="ruin3")
    refused = await ann.post("/api/relief")
    assert code_of(refused) == "relief_used_up"
    assert refused.json()["again_ms"] == next_day_ms(NOW, ZONE)
    at(app, next_day_ms(NOW, ZONE) - 1)
    assert code_of(await ann.post("/api/relief")) == "relief_used_up"
    at(app, next_day_ms(NOW, ZONE))
    assert (await ann.post("/api/relief")).json() == {"granted": 3_000, "coins": 3_000, "left": 2}
    assert (await ann.get("/api/me")).json()["user"]["coins"] == 3_000


async def test_clicks_that_come_together_are_granted_once(
    client: AsyncClient, database: Database, database_url: str
) -> None:
    ann = await someone(client)
    await ruin(database, ann)
    answers = await asyncio.gather(*(ann.post("/api/relief") for _ in range(8)))
    assert sorted(answer.status_code for answer in answers) == [200] + [409] * 7
    assert {code_of(answer) for answer in answers if answer.status_code == 409} == {"relief_not_needed"}
    assert (await ann.get("/api/me")).json()["user"]["coins"] == 3_000
    assert await asyncio.to_thread(audit.run, Namespace(database_url=database_url)) == 0


async def test_not_during_a_round(client: AsyncClient, database: Database, rooms: FakeRooms) -> None:
    ann = await someone(client)
    room_id = (await ann.post("/api/rooms", {"tier": "classic64-1"})).json()["room_id"]
    await ruin(database, ann)
    rooms.summaries[room_id] = replace(rooms.summaries[room_id], phase="playing")
    assert code_of(await ann.post("/api/relief")) == "in_round"
    rooms.summaries[room_id] = replace(rooms.summaries[room_id], phase="waiting")
    assert (await ann.post("/api/relief")).status_code == 200
    assert code_of(await client.post("/api/relief")) == "unauthorized"


async def test_a_round_that_starts_at_that_moment_comes_first(database: Database) -> None:
    """The house has looked before, and the store looks again: on every database, for both kinds of coins."""
    store, reliefs, day = SqlRoomStore(database, ZONE), SqlReliefs(database), date(2026, 1, 1)
    pair = [await guest(database, name) for name in ("ann", "bob")]
    idle = await guest(database, "zoe")
    room = a_room(pair)
    record = a_round(room)
    await store.create_room(room, 1)
    terms = ReliefTerms(below=10**9, per_day=9)
    for status, may_have in (
        (RoundStatus.PROPOSED, True),
        (RoundStatus.RUNNING, False),
        (RoundStatus.VOIDED, True),
    ):
        room = later(room)
        await store.commit(Batch(room=room, at_ms=2, rounds=(replace(record, status=status),)))
        for user in pair:
            if may_have:
                await reliefs.grant(user.id, terms, day, 3)
                continue
            with pytest.raises(DuringRound):
                await reliefs.grant(user.id, terms, day, 3)
            with pytest.raises(DuringRound):
                await reliefs.grant_daily(user.id, 5, day, 3)
        await reliefs.grant(idle.id, terms, day, 3)
    assert (await proof.audit(database)).fault is None


async def test_the_days_coins_come_once_a_day(client: AsyncClient, app: FastAPI, database_url: str) -> None:
    at(app, NOW)
    ann = await someone(client)
    assert (await ann.get("/api/me")).json()["daily"] is True
    answers = await asyncio.gather(*(ann.post("/api/daily") for _ in range(8)))
    assert sorted(answer.status_code for answer in answers) == [200] + [409] * 7
    granted = next(answer.json() for answer in answers if answer.status_code == 200)
    assert granted == {"granted": 500, "coins": 10_500}
    refused = next(answer for answer in answers if answer.status_code == 409)
    assert (code_of(refused), refused.json()["again_ms"]) == ("daily_taken", next_day_ms(NOW, ZONE))
    assert (await ann.get("/api/me")).json()["daily"] is False
    at(app, next_day_ms(NOW, ZONE))
    assert (await ann.post("/api/daily")).json() == {"granted": 500, "coins": 11_000}
    assert await asyncio.to_thread(audit.run, Namespace(database_url=database_url)) == 0


async def test_no_coins_of_the_day_during_a_round_or_where_there_are_none(
    client: AsyncClient, app: FastAPI, rooms: FakeRooms
) -> None:
    ann = await someone(client)
    room_id = (await ann.post("/api/rooms", {"tier": "classic64-1"})).json()["room_id"]
    rooms.summaries[room_id] = replace(rooms.summaries[room_id], phase="playing")
    assert code_of(await ann.post("/api/daily")) == "in_round"
    rooms.summaries.clear()
    app.state.house = replace(app.state.house, policy=replace(app.state.house.policy, daily_coins=0))
    assert code_of(await ann.post("/api/daily")) == "daily_taken"
    assert (await ann.get("/api/me")).json()["daily"] is False


async def test_coins_taken_while_waiting_for_a_partner_keep_none_away(database: Database) -> None:
    table = await sql_table(database)
    ann, ben = (Player(user.id, user.name, user.coins, user.points) for user in table.users)
    await table.room.tell(cmd.TakeSeat(ann))
    held = await SqlReliefs(database).grant_daily(ann.id, 70, date(2026, 1, 1), 1)
    await table.room.tell(cmd.TakeSeat(ben))
    readers = [await table.connect(player.id) for player in (ann, ben)]
    for reader in readers:
        await table.act(reader, "ok")
    started = next(frame["d"] for frame in readers[0].of("ev") if frame["k"] == "round_started")
    assert started["coins"] == [held, ben.coins]
    await table.close()
