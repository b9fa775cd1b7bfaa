"""What a session has let in ends with it, on a real server. Source: PROTOCOL §2.7."""

from __future__ import annotations

import asyncio
import json
import random

import httpx

from app.client.table import TableClient
from app.rooms.connection import CloseCode
from app.store.database import Database
from app.store.models import Base
from tests.integration.serving import Guest, Site, serving
from tests.integration.stories import execute
from tests.integration.test_two_sockets import play_while

ON_EVERY_DATABASE = True

PASSWORD = "four tiles and a pair"


async def register(guest: Guest, name: str) -> None:
    """The guest goes on as a registered player, under his new token."""
    answer = await guest.http.post("/api/register", json={"name": name, "password": PASSWORD})
    token = answer.raise_for_status().json()["token"]
    guest.http.headers["Authorization"] = f"Bearer {token}"


async def unused(site: Site, room_id: str, ticket: str) -> int | None:
    """How a socket with this ticket ends, when nothing keeps it open."""
    async with TableClient(f"{site.ws}/ws/rooms/{room_id}", ticket) as table:
        return await table.until_closed()


async def test_registering_at_a_running_table_keeps_seat_and_socket(database_url: str) -> None:
    async with serving(database_url) as site, site.guest("阿梅") as mei, site.guest("聽雨") as rain:
        room_id, invite = await mei.open_room()
        await rain.join(room_id, invite)
        async with await mei.table(room_id) as first, await rain.table(room_id) as second:
            await begin(first, second)
            await register(mei, "梅子")
            await first.send({"m": "ping", "n": 7, "t": 0})
            while (await first.receive())["m"] != "pong":
                pass
            me = (await mei.http.get("/api/me")).json()
            assert (me["user"]["id"], me["user"]["guest"], me["room_id"]) == (mei.user_id, False, room_id)
            refused = await mei.http.request("DELETE", "/api/me", json={"password": PASSWORD})
            assert refused.json()["code"] == "in_round"
            assert (await mei.http.post("/api/logout")).status_code == 204
            assert await first.until_closed() == CloseCode.TICKET  # the socket went over to the new session


def has_begun(table: TableClient) -> bool:
    return "round_started" in [event["k"] for event in table.events]


async def begin(*tables: TableClient) -> None:
    """Both confirm; a round runs."""
    await asyncio.gather(*(play_while(table, has_begun, random.Random(1)) for table in tables))


async def test_logging_out_ends_tickets_and_sockets_of_that_session_alone(database_url: str) -> None:
    async with serving(database_url) as site, site.guest("阿梅") as mei, site.guest("聽雨") as rain:
        await register(mei, "梅子")
        room_id, invite = await mei.open_room(spectators=True)
        await rain.join(room_id, invite)
        login = await mei.http.post("/api/login", json={"name": "梅子", "password": PASSWORD})
        bearer = {"Authorization": f"Bearer {login.json()['token']}"}
        async with httpx.AsyncClient(base_url=site.http, headers=bearer) as http:
            elsewhere = Guest(site, http, mei.user_id)
            kept, void = await mei.ticket(room_id), await elsewhere.ticket(room_id)
            async with await rain.table(room_id) as other, await elsewhere.table(room_id) as table:
                await table.receive()
                assert (await http.post("/api/logout")).status_code == 204
                assert await table.until_closed() == CloseCode.TICKET
                assert await unused(site, room_id, void) == CloseCode.TICKET
                async with TableClient(f"{site.ws}/ws/rooms/{room_id}", kept) as again:
                    await again.until(lambda: again.view is not None)
                    await other.until(lambda: other.view is not None)
                    void = await mei.ticket(room_id)
                    assert (await mei.http.post("/api/logout-everywhere")).status_code == 204
                    assert await again.until_closed() == CloseCode.TICKET
                    assert await unused(site, room_id, void) == CloseCode.TICKET
                await other.send({"m": "sync"})
                await other.until(lambda: other.seq > 0)


async def test_nowhere_in_the_database_stands_who_has_left(database_url: str, database: Database) -> None:
    async with serving(database_url) as site, site.guest("旅人甲") as mei, site.guest("聽雨") as rain:
        await register(mei, "旅人乙")
        room_id, invite = await rain.open_room()
        await mei.join(room_id, invite)
        async with await mei.table(room_id) as table:
            await table.until(lambda: table.view is not None)
            await table.send({"m": "leave", "id": "go"})
            await table.until_closed()
        assert await mentions(database, "旅人") > 0  # in the log of the room
        left = await mei.http.request("DELETE", "/api/me", json={"password": PASSWORD})
        assert left.status_code == 204
    assert await mentions(database, "旅人") == 0
    assert await mentions(database, "聽雨") > 0


async def mentions(database: Database, name: str) -> int:
    """Rows of any table that hold this text, or its JSON form, in any column."""
    found = 0
    for table in Base.metadata.sorted_tables:
        rows = await execute(database, f"SELECT * FROM {table.name}")
        found += sum(name in str(row) or json.dumps(name)[1:-1] in str(row) for row in rows)
    return found


async def test_another_password_closes_the_other_devices_sockets(database_url: str) -> None:
    async with serving(database_url) as site, site.guest("阿梅") as mei, site.guest("聽雨") as rain:
        await register(mei, "梅子")
        room_id, invite = await mei.open_room()
        await rain.join(room_id, invite)
        login = await mei.http.post("/api/login", json={"name": "梅子", "password": PASSWORD})
        bearer = {"Authorization": f"Bearer {login.json()['token']}"}
        async with (
            httpx.AsyncClient(base_url=site.http, headers=bearer) as http,
            await Guest(site, http, mei.user_id).table(room_id) as table,
        ):
            await table.receive()
            new = {"old": PASSWORD, "new": "thirteen orphans at dawn"}
            assert (await mei.http.post("/api/me/password", json=new)).status_code == 200
            assert await table.until_closed() == CloseCode.TICKET


async def test_whose_forwarded_address_is_believed(database_url: str) -> None:
    """Calls come from this machine: as a trusted proxy it speaks for others, else it is nobody."""
    for trusted, refused in ((["127.0.0.1"], 1), ([], 0)):
        async with (
            serving(database_url, trusted_proxies=trusted, newcomers_per_hour=1) as site,
            httpx.AsyncClient(base_url=site.http) as http,
        ):
            answers = [
                await http.post(
                    "/api/guest",
                    json={"name": "ann"},
                    headers={"X-Forwarded-For": f"198.51.100.9, {host}"},  # only the last is the proxy's own
                )
                for host in ("203.0.113.5", "203.0.113.5", "203.0.113.6")
            ]
            assert [answer.status_code for answer in answers].count(429) == refused
