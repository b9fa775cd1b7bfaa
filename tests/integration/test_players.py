"""Profiles and histories over HTTP. Source: docs/PROTOCOL.md §2.4."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import pytest
from httpx import AsyncClient

from app.api.cursors import cursor_of
from app.economy.users import User
from app.rooms.ports import Batch
from app.store import migrate
from app.store.database import Database
from app.store.room_store import SqlRoomStore
from app.store.users import select_users
from tests.integration.stories import ZONE, a_room, a_round, execute, guest, later, won_batch
from tests.integration.test_http import code_of

ON_EVERY_DATABASE = True

WON = {
    "won": {
        "seat": 0,
        "from": 1,
        "fans": [
            {"id": "pure_straight", "zh": "清龍", "value": 16, "count": 1},
            {"id": "tile_hog", "zh": "四歸一", "value": 2, "count": 2},
        ],
    },
    "settled": {"multiplier": 1},
}


async def rounds_won(database: Database, count: int) -> list[User]:
    """Ann wins ``count`` rounds of 26 fan against bob, one a second; the last is only running."""
    players = [await guest(database, "ann"), await guest(database, "bob")]
    store, room = SqlRoomStore(database, ZONE), a_room(players)
    await store.create_room(room, 2_000)
    for number in range(1, count + 2):
        record = a_round(room, f"round-{number}", number)
        room = later(room)
        await store.commit(Batch(room=room, at_ms=3_000, rounds=(record,)))
        if number > count:
            break
        ids = [player.id for player in players]
        users = await database.read(partial(select_users, user_ids=ids))
        now = {user.id: user for user in users}
        batch = won_batch(room, record, [now[user_id] for user_id in ids])
        ended = tuple(replace(one, result=WON) for one in batch.rounds)
        room = batch.room
        await store.commit(replace(batch, at_ms=number * 1_000, rounds=ended))
    return players


async def test_a_profile(client: AsyncClient, database: Database) -> None:
    ann, bob = await rounds_won(database, 2)
    assert (await client.get(f"/api/players/{ann.id}")).json() == {
        "id": ann.id,
        "name": "ann",
        "guest": True,
        "registered": False,
        "coins": 10_494,
        "points": 52,
        "rank": "雀蛋",
        "next_rank": {"name": "雀仔", "points": 400},
        "rounds": 2,
        "wins": 2,
        "draws": 0,
        "losses": 0,
        "escapes": 0,
        "deserted": 0,
        "best_fan": 26,
        "dealt_in": 0,
    }
    other = (await client.get(f"/api/players/{bob.id}")).json()
    assert (other["wins"], other["losses"], other["best_fan"], other["points"]) == (0, 2, 0, 0)


async def test_points_over_time_and_the_best_hands(client: AsyncClient, database: Database) -> None:
    ann, bob = await rounds_won(database, 3)
    points = (await client.get(f"/api/players/{ann.id}/points?limit=2")).json()["items"]
    assert points == [{"at_ms": 2_000, "points": 52}, {"at_ms": 3_000, "points": 78}]
    best = (await client.get(f"/api/players/{ann.id}/best?limit=2")).json()["items"]
    assert [(one["id"], one["total_fan"], one["outcome"]) for one in best] == [
        ("round-3", 26, "won"),
        ("round-2", 26, "won"),
    ]
    assert (await client.get(f"/api/players/{bob.id}/best")).json() == {"items": []}
    for what in ("points", "best"):
        assert code_of(await client.get(f"/api/players/nobody/{what}")) == "no_such_player"
        assert code_of(await client.get(f"/api/players/{ann.id}/{what}?limit=0")) == "invalid"


async def test_tiles_dealt_in_are_counted_from_the_rounds_there_are(
    database: Database, database_url: str
) -> None:
    _, bob = await rounds_won(database, 3)
    await database.close()
    await migrate.downgrade(database_url, "20261129_11")
    await migrate.upgrade(database_url)
    again = Database(database_url)
    counted = f"SELECT dealt_in FROM standings WHERE period = 'all' AND user_id = '{bob.id}'"
    assert await execute(again, counted) == [(3,)]
    lost = await execute(again, "SELECT outcome FROM round_results WHERE dealt_in")
    assert lost == [("lost",)] * 3
    await again.close()


async def test_a_history_is_paged_newest_first(client: AsyncClient, database: Database) -> None:
    ann, bob = await rounds_won(database, 5)
    path: str = f"/api/players/{bob.id}/rounds"
    first = (await client.get(path, params={"limit": 2})).json()
    assert first["items"][0] == {
        "id": "round-5",
        "tier": "classic64-1",
        "tier_name": "雀仔場",
        "ruleset": "classic64",
        "base": 10,
        "opponent": {"id": ann.id, "name": "ann"},
        "outcome": "lost",
        "total_fan": 26,
        "multiplier": 1,
        "fans": ["清龍", "四歸一×2"],
        "coins_delta": -260,
        "points_delta": 0,
        "at_ms": 5_000,
    }
    seen: list[dict[str, Any]] = first["items"]
    cursor = first["next"]
    while cursor is not None:
        page = (await client.get(path, params={"limit": 2, "cursor": cursor})).json()
        seen, cursor = seen + page["items"], page["next"]
    assert [one["id"] for one in seen] == [f"round-{n}" for n in (5, 4, 3, 2, 1)]
    mine = (await client.get(f"/api/players/{ann.id}/rounds")).json()["items"]
    assert [(one["outcome"], one["points_delta"], one["coins_delta"]) for one in mine] == [
        ("won", 26, 247)
    ] * 5


@pytest.mark.parametrize("user_id", ["nobody", "%00", "x" * 300, "%F0%9F%80%84"])
async def test_nobody(client: AsyncClient, user_id: str) -> None:
    assert code_of(await client.get(f"/api/players/{user_id}")) == "no_such_player"
    assert code_of(await client.get(f"/api/players/{user_id}/rounds")) == "no_such_player"


async def test_bad_pages(client: AsyncClient, database: Database) -> None:
    ann = await guest(database, "ann")
    path = f"/api/players/{ann.id}/rounds"
    assert (await client.get(path)).json() == {"items": [], "next": None}
    for params in (
        {"limit": 0},
        {"limit": 101},
        {"limit": 1.5},
        {"cursor": "x"},
        {"cursor": cursor_of("round-1", 5)},
        {"cursor": cursor_of(2**63, "round-1")},
        {"cursor": cursor_of(1)},
        {"cursor": cursor_of(1, "\x00")},
    ):
        assert code_of(await client.get(path, params=params)) == "invalid", params
