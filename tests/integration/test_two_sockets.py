"""Two real sockets play whole rounds on a migrated database. Source: PROTOCOL §3."""

from __future__ import annotations

import asyncio
import random
from argparse import Namespace
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import httpx
import pytest

from app.cli import audit
from app.cli.verify import verify
from app.client.table import TableClient
from app.rules.ruleset import RULESET_IDS
from app.store.database import Database
from tests.integration.serving import serving
from tests.integration.stories import execute

ON_EVERY_DATABASE = True

FLOORS = """UPDATE tiers SET clocks = '{"floor_min_ms": 700, "floor_max_ms": 1200}'"""
PREFERRED = ("win", "double", "no_double", "keep_closed", "confirm", "discard", "pass")


def choose(question: dict[str, Any], rng: random.Random) -> str:
    """Take a win, otherwise mostly discard: rounds end either way."""
    options = question["opts"]
    for kind in PREFERRED:
        found = [option for option in options if option["kind"] == kind]
        if found and not (kind == "pass" and rng.random() < 0.5):
            return str(rng.choice(found)["o"])
    return str(rng.choice(options)["o"])


async def play_while(table: TableClient, enough: Callable[[TableClient], bool], rng: random.Random) -> None:
    """Answer everything that is asked until there is enough."""
    while not enough(table):
        if table.question is not None:
            await table.act(choose(table.question, rng))
        else:
            await table.receive()


def four_discards(table: TableClient) -> bool:
    return [event["k"] for event in table.events].count("discarded") >= 4


async def play_until_settled(table: TableClient, rng: random.Random) -> dict[str, Any]:
    """Answer everything that is asked until a round is settled; its ``settled`` data."""
    while True:
        ended = {event["k"]: event["d"] for event in table.events if event["k"] in ("settled", "revealed")}
        if len(ended) == 2:
            return dict(ended["settled"])
        if table.question is not None:
            entropy = rng.randbytes(32).hex() if table.question["q"] == "confirm" else None
            await table.act(choose(table.question, rng), entropy=entropy)
        else:
            await table.receive()


@pytest.mark.parametrize("ruleset", RULESET_IDS)
async def test_two_players_play_a_round_and_agree(database_url: str, ruleset: str) -> None:
    async with serving(database_url) as site, site.guest("阿梅") as mei, site.guest("聽雨") as rain:
        room_id, invite = await mei.open_room(f"{ruleset}-1")
        assert await rain.join(room_id, invite) == 1
        async with await mei.table(room_id) as first, await rain.table(room_id) as second:
            results = await asyncio.gather(
                play_until_settled(first, random.Random(ruleset)),
                play_until_settled(second, random.Random(ruleset + "2")),
            )
            assert results[0] == results[1]
            assert first.view is not None
            assert second.view is not None
            assert first.view["seats"] == second.view["seats"]
            revealed = first.view["round"]["result"]["revealed"]
            assert revealed == second.view["round"]["result"]["revealed"]
            await check_record(mei.http, revealed, results[0])
        me = (await mei.http.get("/api/me")).json()["user"]
        assert me["coins"] == results[0]["coins"]["after"][0]
        assert me["points"] == results[0]["points"]["after"][0]
    assert await asyncio.to_thread(audit.run, Namespace(database_url=database_url)) == 0


async def check_record(http: httpx.AsyncClient, revealed: dict[str, Any], settled: dict[str, Any]) -> None:
    """The public record of the round is what the players saw."""
    answer = (await http.get(f"/api/rounds/{revealed['round_id']}")).raise_for_status()
    assert answer.json()["result"]["settled"] == settled
    assert verify(answer.content)["round_id"] == revealed["round_id"]
    proof = (await http.get(f"/api/rounds/{revealed['round_id']}/proof")).raise_for_status().json()
    assert proof["secret"] == revealed["secret"]
    assert proof["commitment"] == revealed["commitment"]


async def test_what_follows_a_discard_shows_after_the_floor(database_url: str, database: Database) -> None:
    """A tier as it is seeded: each discard is followed by nothing for 0.7 s to 1.2 s."""
    await execute(database, FLOORS)
    async with serving(database_url) as site, site.guest("阿梅") as mei, site.guest("聽雨") as rain:
        room_id, invite = await mei.open_room()
        await rain.join(room_id, invite)
        async with await mei.table(room_id) as first, await rain.table(room_id) as second:
            rng = random.Random(1)
            await asyncio.gather(*(play_while(table, four_discards, rng) for table in (first, second)))
            events = first.events
    waits = [after["t"] - event["t"] for event, after in pairwise(events) if event["k"] == "discarded"]
    assert len(waits) >= 3
    assert all(wait >= 700 for wait in waits)
    assert min(waits) < 2_000
