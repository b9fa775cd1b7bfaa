"""Operators pay, silence, shut out and promote players. Source: docs/PROTOCOL.md §2.8."""

from __future__ import annotations

import asyncio
from argparse import Namespace
from functools import partial
from typing import Any

import pytest
from fastapi import FastAPI
from httpx import AsyncClient

from app.cli import audit
from app.economy.operators import By
from app.economy.player_desk import Sanction
from app.rooms.ports import BalanceMoved, Batch
from app.store.database import Database
from app.store.player_desk import SqlPlayerDesk
from app.store.room_store import SqlRoomStore
from app.store.users import select_users
from tests.integration.fake_rooms import FakeRooms
from tests.integration.operators import WHY, operator, registered
from tests.integration.sql_tables import sql_table
from tests.integration.stories import ZONE, a_room, a_round, execute, guest, later, play_a_round, won_batch
from tests.integration.test_http import TIER, code_of, someone
from tests.integration.test_relief import at, ruin

ON_EVERY_DATABASE = True

BOARDS = "SELECT period, measure, level, prefix, n FROM tallies WHERE n <> 0 ORDER BY 1, 2, 3, 4"


async def is_proved(database_url: str) -> bool:
    return await asyncio.to_thread(audit.run, Namespace(database_url=database_url)) == 0


def adjusting(user_id: str) -> str:
    return f"/api/admin/players/{user_id}/adjust"


async def test_coins_given_and_taken_balance(
    client: AsyncClient, database: Database, database_url: str
) -> None:
    boss, ann = await operator(client, database), await someone(client)
    assert (await boss.post(adjusting(ann.id), {"coins": 500, **WHY})).json() == {"coins": 10_500}
    assert (await boss.post(adjusting(ann.id), {"coins": -10_500, **WHY})).json() == {"coins": 0}
    refused = await boss.post(adjusting(ann.id), {"coins": -1, **WHY})
    assert (code_of(refused), refused.json()["short"]) == ("insufficient_coins", 1)
    assert code_of(await boss.post(adjusting("computer"), {"coins": 1, **WHY})) == "no_such_player"
    lines = (await boss.get(f"/api/admin/audit-log?subject={ann.id}")).json()["items"]
    assert [(line["before"], line["after"]) for line in lines] == [
        ({"coins": 10_500}, {"coins": 0}),
        ({"coins": 10_000}, {"coins": 10_500}),
    ]
    assert await is_proved(database_url)


async def test_sent_again_under_its_key_it_happens_once(
    client: AsyncClient, database: Database, database_url: str
) -> None:
    boss, ann, ben = await operator(client, database), await someone(client), await someone(client)
    give = partial(boss.send, "POST", adjusting(ann.id), idempotency_key="k-1")
    answers = await asyncio.gather(*(give({"coins": 100, **WHY}) for _ in range(6)))
    assert [answer.json() for answer in answers] == [{"coins": 10_100}] * 6
    assert code_of(await give({"coins": 200, **WHY})) == "conflict"
    other = await boss.send("POST", adjusting(ben.id), {"coins": 7, **WHY}, idempotency_key="k-1")
    assert other.json() == {"coins": 10_007}
    assert code_of(await boss.send("POST", adjusting(ben.id), {"coins": 7, **WHY}, idempotency_key="")) == (
        "invalid"
    )
    assert len((await boss.get(f"/api/admin/audit-log?subject={ann.id}")).json()["items"]) == 1
    assert await is_proved(database_url)


async def test_relief_and_an_adjustment_at_once_are_both_paid(
    client: AsyncClient, app: FastAPI, database: Database, database_url: str
) -> None:
    at(app, 1_764_450_000_000)
    boss, ann = await operator(client, database), await someone(client)
    for number in range(3):
        await ruin(database, ann, left=100, key=f"ruin{number}")
        paid, helped = await asyncio.gather(
            boss.post(adjusting(ann.id), {"coins": 50, **WHY}), ann.post("/api/relief")
        )
        assert (paid.status_code, helped.status_code) == (200, 200)
        assert {3_150} == {(await ann.get("/api/me")).json()["user"]["coins"]}
    assert await is_proved(database_url)


async def test_a_settlement_computed_before_an_adjustment_is_computed_anew(
    database: Database, database_url: str
) -> None:
    players = [await guest(database, "ann"), await guest(database, "bob")]
    store, room = SqlRoomStore(database, ZONE), a_room(players)
    record = a_round(room)
    await store.create_room(room, 2_000)
    await store.commit(Batch(room=later(room), at_ms=3_000, rounds=(record,)))
    early = won_batch(later(room), record, players)
    desk, by = SqlPlayerDesk(database), By(players[0].id, "測試", 4_000)
    await desk.adjust(players[1].id, -9_900, "k", by)
    with pytest.raises(BalanceMoved):
        await store.commit(early)
    users = {user.id: user for user in await database.read(partial(select_users, user_ids=record.players))}
    anew = won_batch(later(room), record, [users[user_id] for user_id in record.players])
    await store.commit(anew)
    assert anew.results[1].coins_delta == -100  # all he had left
    assert await is_proved(database_url)


async def test_adjustments_while_rounds_are_played(database: Database, database_url: str) -> None:
    table = await sql_table(database)
    readers = await table.seated()
    desk, by = SqlPlayerDesk(database), By(table.users[0].id, "測試", 4_000)
    for number in range(12):
        await asyncio.gather(
            *(desk.adjust(user.id, 3, f"k{number}", by) for user in table.users), table.pass_time(60_000)
        )
        for reader in readers:
            if (decision := table.decision_of(reader)) is not None:
                await table.act(reader, decision.options[0].o)
    await table.close()
    rows = await execute(database, "SELECT count(*) FROM postings WHERE kind = 'adjustment'")
    assert rows == [(24,)]
    assert await is_proved(database_url)


async def test_a_banned_player_is_on_no_board_and_signs_in_nowhere(
    client: AsyncClient, database: Database, rooms: FakeRooms, database_url: str
) -> None:
    boss, ann = await operator(client, database), await someone(client, "ann")
    await boss.post(adjusting(ann.id), {"coins": 90_000, **WHY})
    before = await execute(database, BOARDS)
    shut = (await boss.post(f"/api/admin/players/{ann.id}/ban", WHY)).json()
    assert shut["banned_ms"] is not None
    assert rooms.barred == {ann.id}
    assert code_of(await ann.get("/api/me")) == "unauthorized"
    assert code_of(await ann.post("/api/rooms", {"tier": "classic64-1"})) == "unauthorized"
    board = (await boss.get("/api/leaderboard?by=coins")).json()["items"]
    assert [(place["rank"], place["player"]["id"]) for place in board] == [(1, boss.id)]
    await boss.post(adjusting(ann.id), {"coins": 5, **WHY})
    await boss.post(adjusting(ann.id), {"coins": -5, **WHY})
    assert (await boss.get("/api/leaderboard/around-me?by=coins")).json()["me"]["rank"] == 1
    await boss.post(f"/api/admin/players/{ann.id}/unban", WHY)
    assert rooms.barred == set()
    assert await execute(database, BOARDS) == before
    assert (await ann.get("/api/me")).status_code == 200
    board = (await boss.get("/api/leaderboard?by=coins")).json()["items"]
    assert [place["player"]["id"] for place in board] == [ann.id, boss.id]
    assert await is_proved(database_url)


async def test_what_ends_while_he_is_banned_counts_when_he_is_back(database: Database) -> None:
    """A round that auto-play ends for a banned player moves his standings, and no tally."""
    players = [await guest(database, "ann"), await guest(database, "bob")]
    store, room = SqlRoomStore(database, ZONE), a_room(players)
    record = a_round(room)
    await store.create_room(room, 2_000)
    await store.commit(Batch(room=later(room), at_ms=3_000, rounds=(record,)))
    desk, by = SqlPlayerDesk(database), By(players[1].id, "測試", 4_000)
    await desk.sanction(players[0].id, Sanction.BAN, True, by)
    await store.commit(won_batch(later(room), record, players))
    assert await _counted(database) == [("all", 0, 1), ("day:1970-01-01", 0, 1), ("week:1969-12-29", 0, 1)]
    await desk.sanction(players[0].id, Sanction.BAN, False, by)
    assert await _counted(database) == sorted(
        (period, points, 1) for period in ("all", "day:1970-01-01", "week:1969-12-29") for points in (0, 26)
    )


async def _counted(database: Database) -> list[tuple[str, int, int]]:
    """How many stand at which points in each period, by the tallies."""
    counted = "SELECT period, prefix, n FROM tallies WHERE measure = 'points' AND level = 0 AND n <> 0"
    return sorted((period, points, n) for period, points, n in await execute(database, counted))


async def test_a_search_is_paged_and_finds_parts_of_names(client: AsyncClient, database: Database) -> None:
    boss = await operator(client, database)
    people = [await someone(client, f"聽雨{number}") for number in range(3)]
    await someone(client, "100%_a")
    first = (await boss.get("/api/admin/players?q=聽雨&limit=2")).json()
    assert [item["id"] for item in first["items"]] == sorted(person.id for person in people)[:2]
    rest = (await boss.get(f"/api/admin/players?q=聽雨&limit=2&cursor={first['next']}")).json()
    assert ([item["id"] for item in rest["items"]], rest["next"]) == ([max(p.id for p in people)], None)
    for text, count in (("%", 1), ("_A", 1), (people[0].id, 1), ("nobody", 0), ("", 5)):
        found = await client.get("/api/admin/players", params={"q": text}, headers=boss.headers)
        assert len(found.json()["items"]) == count, text


async def test_a_dossier_tells_where_somebody_sits_when_it_is_known(
    client: AsyncClient, database: Database, rooms: FakeRooms
) -> None:
    boss, ann = await operator(client, database), await someone(client)
    await ann.post("/api/rooms", {"tier": TIER})
    for doubtful, told in ({ann.id}, None), (set(), "room-01"):
        rooms.doubtful = doubtful
        assert (await boss.get(f"/api/admin/players/{ann.id}")).json()["room_id"] == told


async def test_a_dossier(client: AsyncClient, database: Database) -> None:
    boss = await operator(client, database)
    batch = await play_a_round(database)
    winner = batch.results[0].user_id
    dossier = (await boss.get(f"/api/admin/players/{winner}")).json()
    assert (dossier["career"]["wins"], dossier["points"], dossier["sessions"]) == (1, 26, 1)
    assert (dossier["role"], dossier["muted_ms"], dossier["banned_ms"], dossier["room_id"]) == (None,) * 4
    await boss.post(f"/api/admin/players/{winner}/mute", WHY)
    assert (await boss.get(f"/api/admin/players/{winner}")).json()["muted_ms"] is not None
    await boss.post(f"/api/admin/players/{winner}/unmute", WHY)
    assert (await boss.get(f"/api/admin/players/{winner}")).json()["muted_ms"] is None
    lines = (await boss.get(f"/api/admin/audit-log?subject={winner}&operator={boss.id}")).json()["items"]
    assert [line["action"] for line in lines] == ["player.lift_mute", "player.mute"]


async def test_owners_give_and_take_roles(client: AsyncClient, database: Database) -> None:
    owner, plain = await operator(client, database, "owner"), await registered(client, database)

    async def give(user_id: str, role: str | None) -> Any:
        return await owner.post(f"/api/admin/players/{user_id}/role", {"role": role, **WHY})

    assert code_of(await plain.get("/api/admin/tiers")) == "forbidden"
    assert (await give(plain.id, "viewer")).json()["role"] == "viewer"
    assert (await plain.get("/api/me")).json()["role"] == "viewer"
    assert (await plain.get("/api/admin/tiers")).status_code == 200
    assert code_of(await give((await someone(client)).id, "viewer")) == "not_registered"
    assert code_of(await give(owner.id, "operator")) == "last_owner"
    await give(plain.id, "owner")
    assert (await give(owner.id, None)).json()["role"] is None
    assert code_of(await give(plain.id, None)) == "forbidden"


async def test_an_operator_touches_no_operator(client: AsyncClient, database: Database) -> None:
    boss, other = await operator(client, database), await operator(client, database, "viewer")
    for what, body in (("adjust", {"coins": 1}), ("ban", {}), ("mute", {}), ("unban", {})):
        for target in (boss.id, other.id):
            answer = await boss.post(f"/api/admin/players/{target}/{what}", {**WHY, **body})
            assert code_of(answer) == "forbidden"
    owner = await operator(client, database, "owner")
    assert (await owner.post(f"/api/admin/players/{boss.id}/ban", WHY)).status_code == 200
    assert code_of(await boss.get("/api/admin/tiers")) == "unauthorized"


async def test_who_has_left_is_nobody_to_operators(client: AsyncClient, database: Database) -> None:
    boss = await operator(client, database, "owner")
    gone = await someone(client)
    assert (await gone.client.delete("/api/me", headers=gone.headers)).status_code == 204
    for what, body in (("adjust", {"coins": 5}), ("mute", {}), ("ban", {}), ("role", {"role": "owner"})):
        refused = await boss.post(f"/api/admin/players/{gone.id}/{what}", body | {"reason": "x"})
        assert code_of(refused) == "no_such_player", what


async def test_the_last_owner_is_neither_banned_nor_gone(client: AsyncClient, database: Database) -> None:
    boss = await operator(client, database, "owner")
    banned = await boss.post(f"/api/admin/players/{boss.id}/ban", {"reason": "x"})
    assert code_of(banned) == "last_owner"
    other = await operator(client, database, "owner")
    assert (await boss.post(f"/api/admin/players/{other.id}/ban", {"reason": "x"})).status_code == 200
    taken = await boss.post(f"/api/admin/players/{boss.id}/role", {"role": None, "reason": "x"})
    assert code_of(taken) == "last_owner"  # the other cannot act
