"""While a round runs no page, metric, error or log line tells what is not shown. Source: PROTOCOL §3.1."""

from __future__ import annotations

import asyncio
import json
import logging
import random
import re
from typing import Any

import httpx
import pytest

from app.store.database import Database
from tests.integration.serving import Guest, serving
from tests.integration.stories import execute
from tests.integration.test_two_sockets import four_discards, play_while

PATIENT = """UPDATE tiers SET clocks = '{"turn_ms": 3600000, "claim_ms": 3600000, "opening_ms": 3600000}'"""
TILE = re.compile(r"\b[1-9][mz]\b|\b[1-8]f\b")
FIXED = ("/api/rules", "/openapi.json", "/rules")  # about all tiles, not these


def routes(document: dict[str, Any], **ids: str) -> list[str]:
    """Every page and every address that can be read, with these ids in it."""
    found = ["/", f"/room/{ids['room_id']}", "/leaderboard", f"/replay/{ids['round_id']}", "/operator"]
    for path, methods in document["paths"].items():
        if "get" in methods:
            found.append(re.sub(r"{(\w+)}", lambda name: ids.get(name[1], ids["round_id"]), path))
    return [path for path in found if not path.startswith(FIXED)]


async def read_everything(guest: Guest, paths: list[str]) -> str:
    bodies = []
    for path in paths:
        answer = await guest.http.get(path)
        assert answer.status_code < 500, path
        if "text/html" not in answer.headers.get("content-type", ""):
            bodies.append(answer.text)
    return "\n".join(bodies)


async def test_nothing_tells_a_tile_or_a_secret(
    database: Database, database_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    await execute(database, PATIENT)
    caplog.set_level(logging.DEBUG)
    for name in ("aiosqlite", "websockets.client"):  # not the server's words, but the test's own
        caplog.set_level(logging.INFO, name)
    async with (
        serving(database_url) as site,
        site.guest("阿梅") as mei,
        site.guest("聽雨") as rain,
        httpx.AsyncClient(base_url=site.http) as stranger,
    ):
        room_id, invite = await mei.open_room()
        await rain.join(room_id, invite)
        async with await mei.table(room_id) as first, await rain.table(room_id) as second:
            rng = random.Random(4)
            await asyncio.gather(*(play_while(each, four_discards, rng) for each in (first, second)))
            assert first.view is not None
            round_id = first.view["round"]["id"]
            document = (await stranger.get("/openapi.json")).json()
            paths = routes(document, room_id=room_id, round_id=round_id, player_id=mei.user_id)
            told = "\n".join([await read_everything(guest, paths) for guest in (mei, rain)])
            for frame in ({"m": "leave", "id": "1"}, {"m": "act", "id": "2", "dp": 1, "o": "w"}):
                await first.send(frame)
                while (answer := await first.receive())["m"] != "err":
                    pass
                told += json.dumps(answer)
            ((secret, nonce),) = await execute(
                database, f"SELECT secret, nonce FROM rounds WHERE id = '{round_id}'"
            )
        told += caplog.text
    assert not TILE.search(told)
    for hidden in (secret, nonce):
        assert hidden not in told
