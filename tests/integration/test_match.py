"""Quick match and coming back, over HTTP and real sockets. Source: PROTOCOL §2, docs/PROTOCOL.md §2.2."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from typing import Any

import httpx
import pytest

from app.client.table import TableClient
from tests.integration.serving import Guest, Site, serving
from tests.integration.test_restart import answer_offers

TIER = "classic64-1"


@pytest.fixture
async def site(database_url: str) -> AsyncIterator[Site]:
    async with serving(database_url) as site:
        yield site


async def match(guest: Guest, method: str = "GET", tier: str | None = None) -> dict[str, Any]:
    body = None if tier is None else {"tier": tier}
    answer = await guest.http.request(method, "/api/match", json=body)
    status: dict[str, Any] = answer.raise_for_status().json()
    return status


async def room_of(guest: Guest) -> str | None:
    room_id: str | None = (await guest.http.get("/api/me")).json()["room_id"]
    return room_id


def last_kind(table: TableClient) -> str | None:
    """The last event the table told of."""
    return table.events[-1]["k"] if table.events else None


async def test_two_find_each_other_and_play(site: Site) -> None:
    async with site.guest("阿梅") as mei, site.guest("聽雨") as rain:
        assert await match(mei) == {"status": "none"}
        waiting = await match(mei, "POST", TIER)
        assert (waiting["status"], waiting["tier"]) == ("waiting", TIER)
        assert set(waiting) == {"status", "tier", "waited_ms"}
        matched = await match(rain, "POST", TIER)
        assert matched == {"status": "matched", "tier": TIER, "room_id": await room_of(rain)}
        assert await match(mei) == await match(mei, "POST", TIER) == matched
        assert (await mei.http.get("/api/rooms")).json()["items"] == []
        async with (
            await mei.table(matched["room_id"]) as first,
            await rain.table(matched["room_id"]) as other,
        ):
            await asyncio.gather(answer_offers(first), answer_offers(other))
            assert await match(mei, "DELETE") == matched
            assert first.view is not None
            assert first.view["room"]["phase"] == "playing"
            refused = await mei.http.post("/api/relief")
            assert refused.json()["code"] == "in_round"
        refused = await mei.http.post("/api/match", json={"tier": "classic64-2"})
        assert (refused.status_code, refused.json()["code"]) == (409, "in_other_room")
        assert refused.json()["room_id"] == matched["room_id"]


async def test_cancelling_leaves_the_other_a_seat_that_is_filled(site: Site) -> None:
    async with site.guest("阿梅") as mei, site.guest("聽雨") as rain, site.guest("竹君") as bamboo:
        await match(mei, "POST", TIER)
        room_id = (await match(rain, "POST", TIER))["room_id"]
        async with await rain.table(room_id) as table:
            await table.until(lambda: table.question is not None)
            assert await match(mei, "DELETE") == {"status": "none"}
            assert await room_of(mei) is None
            await table.until(lambda: last_kind(table) == "seat_left")
            status = await match(rain)
            assert (status["status"], status["room_id"]) == ("waiting", room_id)
            listed = (await mei.http.get("/api/rooms")).json()["items"]
            assert [room["id"] for room in listed] == [room_id]
            assert (await match(bamboo, "POST", TIER))["room_id"] == room_id
            await table.until(lambda: last_kind(table) == "seat_taken")
            assert (await match(rain))["status"] == "matched"


async def test_two_devices_of_one_account_are_one_entry(site: Site) -> None:
    async with site.guest("阿梅") as mei, httpx.AsyncClient(base_url=site.http) as http:
        http.headers["Authorization"] = mei.http.headers["Authorization"]
        phone = Guest(site, http, mei.user_id)
        for status in await asyncio.gather(*(match(device, "POST", TIER) for device in (mei, phone) * 4)):
            assert status["status"] == "waiting"
        assert await match(phone, "DELETE") == {"status": "none"}
        assert await match(mei) == {"status": "none"}


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"tier": "classic64-6"}, 409, "insufficient_coins"),
        ({"tier": "classic64-9"}, 404, "no_such_tier"),
        ({"tier": "jiule72-1"}, 409, "tier_closed"),
        ({"tier": 1}, 422, "invalid"),
        ({"tier": TIER, "with": "ann"}, 422, "invalid"),
        ([], 422, "invalid"),
        (None, 422, "invalid"),
    ],
)
async def test_why_there_is_no_match(site: Site, body: Any, status: int, code: str) -> None:
    async with site.guest("阿梅") as mei:
        answer = await mei.http.post("/api/match", json=body)
        assert (answer.status_code, answer.json()["code"]) == (status, code)
        assert await match(mei) == {"status": "none"}


async def test_a_stranger_does_not_match(site: Site) -> None:
    async with httpx.AsyncClient(base_url=site.http) as http:
        for method in ("GET", "POST", "DELETE"):
            answer = await http.request(method, "/api/match", json={"tier": TIER})
            assert answer.json()["code"] == "unauthorized"


async def test_back_at_the_table_after_closing_the_browser(site: Site) -> None:
    async with AsyncExitStack() as stack:
        mei = await stack.enter_async_context(site.guest("阿梅"))
        rain = await stack.enter_async_context(site.guest("聽雨"))
        room_id, invite = await mei.open_room()
        await rain.join(room_id, invite)
        async with await mei.table(room_id) as first, await rain.table(room_id) as other:
            await asyncio.gather(answer_offers(first), answer_offers(other))
            await first.socket.close()  # the browser is gone
            await other.until(lambda: last_kind(other) == "offline")
            assert first.view is not None
            before = first.view["round"]["id"]
        assert await room_of(mei) == room_id
        refused = await mei.http.post("/api/rooms", json={"tier": TIER})
        assert refused.json()["room_id"] == room_id  # one room at a time, and told which
        async with await mei.table(room_id) as again:
            await again.until(lambda: again.view is not None)
            assert again.view is not None
            assert again.view["round"]["id"] == before
            assert again.view["seats"][again.view["you"]]["online"]


async def test_a_match_outlives_the_server(database_url: str) -> None:
    async with AsyncExitStack() as stack:
        async with serving(database_url) as site:
            mei = await stack.enter_async_context(site.guest("阿梅"))
            rain = await stack.enter_async_context(site.guest("聽雨"))
            await match(mei, "POST", TIER)
            matched = await match(rain, "POST", TIER)
        async with serving(database_url) as site:
            mei.http.base_url = rain.http.base_url = site.http
            assert await match(rain) == await match(mei) == matched
            await match(mei, "DELETE")
            assert (await match(rain))["room_id"] == matched["room_id"]
            assert await match(mei, "POST", TIER) == matched


async def test_a_freed_seat_is_no_room(site: Site) -> None:
    async with site.guest("阿梅") as mei, site.guest("聽雨") as rain:
        room_id, invite = await mei.open_room()
        await rain.join(room_id, invite)
        async with await mei.table(room_id) as table:
            await table.until(lambda: table.view is not None)
            assert (await table.request({"m": "leave"}))["m"] == "ack"
        assert await room_of(mei) is None
        ticket = await mei.http.post("/api/ws-tickets", json={"room_id": room_id, "purpose": "play"})
        assert ticket.json()["code"] == "not_seated"
        assert await room_of(rain) == room_id
        assert (await match(mei, "POST", TIER))["status"] == "waiting"
