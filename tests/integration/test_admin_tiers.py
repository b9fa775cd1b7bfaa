"""Operators make and change tiers; two at once do not overwrite each other. Source: docs/PROTOCOL.md §2.8."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from httpx import AsyncClient

from app.rooms.tiers import Clocks
from app.store.database import Database
from tests.integration.fake_rooms import FakeRooms
from tests.integration.operators import WHY, operator
from tests.integration.test_http import code_of, someone

ON_EVERY_DATABASE = True

TIER = "/api/admin/tiers/classic64-1"
NEW = {"id": "spring-1", "ruleset": "jiule72", "name": "春場", "base": 30, "entry_min": 900, **WHY}


async def test_a_change_is_counted_logged_and_seen_in_the_lobby(
    client: AsyncClient, database: Database
) -> None:
    boss = await operator(client, database)
    before = (await boss.get(TIER)).json()
    wanted = {"version": 1, "base": 20, "entry_max": 9_000, "clocks": {"turn_ms": 9_000}, "reason": "加倍"}
    after = (await boss.send("PATCH", TIER, wanted)).json()
    clocks = before["clocks"] | {"turn_ms": 9_000}
    assert after == before | {"base": 20, "entry_max": 9_000, "clocks": clocks, "version": 2}
    assert (await boss.get(TIER)).json() == after
    lobby = {tier["id"]: tier for tier in (await client.get("/api/tiers")).json()["items"]}
    assert (lobby["classic64-1"]["base"], lobby["classic64-1"]["entry_max"]) == (20, 9_000)
    line = (await boss.get("/api/admin/audit-log")).json()["items"][0]
    assert (line["action"], line["subject"], line["reason"]) == ("tier.change", "classic64-1", "加倍")
    assert line["operator"] == {"id": boss.id, "name": "operator"}
    assert line["before"] == {"base_stake": 10, "entry_max": None, "clocks": before["clocks"]}
    assert line["after"] == {"base_stake": 20, "entry_max": 9_000, "clocks": clocks}


async def test_of_two_at_once_one_is_told_what_the_other_did(client: AsyncClient, database: Database) -> None:
    bosses = [await operator(client, database), await operator(client, database, "owner")]
    wanted = [{"version": 1, "base": base, **WHY} for base in (20, 30)]
    answers = await asyncio.gather(
        *(boss.send("PATCH", TIER, body) for boss, body in zip(bosses, wanted, strict=True))
    )
    done, refused = sorted(answers, key=lambda answer: answer.status_code)
    assert (done.status_code, code_of(refused)) == (200, "conflict")
    assert refused.json()["present"] == done.json()
    lines = (await bosses[0].get("/api/admin/audit-log?subject=classic64-1")).json()["items"]
    assert [line["after"] for line in lines] == [{"base_stake": done.json()["base"]}]


async def test_the_version_may_stand_in_if_match(client: AsyncClient, database: Database) -> None:
    boss = await operator(client, database)
    assert code_of(await boss.send("PATCH", TIER, {"base": 20, **WHY})) == "invalid"
    assert code_of(await boss.send("PATCH", TIER, {"base": 20, **WHY}, if_match='"2"')) == "conflict"
    assert (await boss.send("PATCH", TIER, {"base": 20, **WHY}, if_match='"1"')).json()["version"] == 2


async def test_changing_nothing_is_no_change(client: AsyncClient, database: Database) -> None:
    boss = await operator(client, database)
    assert (await boss.send("PATCH", TIER, {"version": 1, "base": 10, **WHY})).json()["version"] == 1
    assert (await boss.get("/api/admin/audit-log")).json()["items"] == []


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"base": 0}, "base"),
        ({"base": 10**12}, "base"),
        ({"base": None}, "base"),
        ({"entry_min": 500, "entry_max": 499}, "entry_max"),
        ({"rake_bp": 10_001}, "rake_bp"),
        ({"table_fee": -1}, "table_fee"),
        ({"min_fan": 1_001}, "min_fan"),
        ({"clocks": {"turn_ms": 0}}, "clocks"),
        ({"clocks": {"turn_ms": 600_001}}, "clocks"),
        ({"clocks": {"floor_min_ms": 9, "floor_max_ms": 8}}, "clocks"),
        ({"clocks": {"tea_ms": 8}}, "clocks"),
        ({"name": ""}, "name"),
        ({"reason": "  "}, "reason"),
    ],
)
async def test_what_cannot_be(
    client: AsyncClient, database: Database, wrong: dict[str, Any], field: str
) -> None:
    boss = await operator(client, database)
    refused = await boss.send("PATCH", TIER, {"version": 1, **WHY, **wrong})
    assert code_of(refused) == "invalid"
    assert refused.json()["faults"][0]["where"][:2] == ["body", field]
    assert (await boss.get(TIER)).json()["version"] == 1


async def test_a_new_tier_is_the_last_of_its_rule_set(client: AsyncClient, database: Database) -> None:
    boss = await operator(client, database)
    made = (await boss.post("/api/admin/tiers", NEW | {"is_open": False})).json()
    assert made["clocks"]["turn_ms"] == Clocks().turn_ms
    assert (made["version"], made["rake_bp"], made["is_open"]) == (1, 500, False)
    ids = [tier["id"] for tier in (await boss.get("/api/admin/tiers")).json()["items"]]
    assert ids[ids.index("jiule72-6") + 1] == "spring-1"
    assert code_of(await boss.post("/api/admin/tiers", NEW)) == "tier_exists"
    assert code_of(await boss.post("/api/admin/tiers", NEW | {"id": "x-1", "ruleset": "x"})) == "invalid"
    line = (await boss.get("/api/admin/audit-log?subject=spring-1")).json()["items"][0]
    assert (line["action"], line["before"], line["after"]["name"]) == ("tier.create", None, "春場")


async def test_an_open_room_keeps_its_tier(client: AsyncClient, database: Database, rooms: FakeRooms) -> None:
    boss, ann = await operator(client, database), await someone(client)
    room_id = (await ann.post("/api/rooms", {"tier": "classic64-1"})).json()["room_id"]
    await boss.send("PATCH", TIER, {"version": 1, "base": 20, "is_open": False, **WHY})
    assert rooms.summaries[room_id].tier.base_stake == 10
    ben = await someone(client)
    assert code_of(await ben.post("/api/rooms", {"tier": "classic64-1"})) == "tier_closed"
