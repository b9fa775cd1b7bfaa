"""Operators and running rooms, over HTTP and real sockets. Source: docs/PROTOCOL.md §2.8."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import httpx
import pytest

from app.client.table import TableClient
from app.rooms.connection import CloseCode
from app.store.database import Database
from tests.integration.operators import WHY
from tests.integration.serving import Guest, Site, serving
from tests.integration.stories import execute
from tests.integration.test_two_sockets import play_until_settled, play_while

QUICK = """UPDATE tiers SET clocks = '{"forced_ms": 1, "pause_ms": 1, "absent_confirm_ms": 1}'"""


@dataclass(frozen=True)
class Scene:
    """Two players at a table, and an operator beside it."""

    room_id: str
    boss: Guest
    guests: tuple[Guest, Guest]
    tables: tuple[TableClient, TableClient]

    async def ask(self, method: str, what: str = "", body: Any = None) -> httpx.Response:
        return await self.boss.http.request(method, f"/api/admin/rooms/{self.room_id}{what}", json=body)

    async def sheet(self) -> dict[str, Any]:
        sheet: dict[str, Any] = (await self.ask("GET")).raise_for_status().json()
        return sheet


@pytest.fixture
async def site(database_url: str) -> AsyncIterator[Site]:
    database = Database(database_url)
    await execute(database, QUICK)
    await database.close()
    async with serving(database_url) as site:
        yield site


@asynccontextmanager
async def scene(site: Site) -> AsyncIterator[Scene]:
    async with site.guest("老闆") as boss, site.guest("阿梅") as mei, site.guest("聽雨") as rain:
        await appoint(site, boss)
        room_id, invite = await mei.open_room()
        await rain.join(room_id, invite)
        async with await mei.table(room_id) as first, await rain.table(room_id) as second:
            yield Scene(room_id, boss, (mei, rain), (first, second))


async def appoint(site: Site, person: Guest) -> None:
    database = Database(site.database_url)
    await execute(database, f"UPDATE users SET role = 'operator' WHERE id = '{person.user_id}'")
    await database.close()


def kinds(table: TableClient) -> list[str]:
    return [event["k"] for event in table.events]


async def told(table: TableClient, kind: str) -> dict[str, Any]:
    """The data of the first event of this kind, when it has come."""
    await table.until(lambda: kind in kinds(table))
    data: dict[str, Any] = next(event["d"] for event in table.events if event["k"] == kind)
    return data


async def heard(table: TableClient, name: str) -> dict[str, Any]:
    """The next frame of this name."""
    while (frame := await table.receive())["m"] != name:
        pass
    return frame


MEEK = ("confirm", "keep_closed", "no_double", "pass", "discard")


async def discards(table: TableClient, count: int) -> None:
    """Play on, never winning, until so many tiles have been discarded."""
    while kinds(table).count("discarded") < count:
        if table.question is None:
            await table.receive()
        else:
            by_kind = {option["kind"]: option["o"] for option in table.question["opts"]}
            await table.act(next(by_kind[kind] for kind in MEEK if kind in by_kind))


async def begin(scene: Scene) -> None:
    """Both confirm, and play until something lies in a river."""
    await asyncio.gather(
        *(play_while(t, lambda t: "discarded" in kinds(t), random.Random(3)) for t in scene.tables)
    )


async def test_a_new_base_is_told_at_once_and_holds_from_the_next_round(site: Site) -> None:
    async with scene(site) as at:
        await begin(at)
        sheet = await at.sheet()
        assert (sheet["phase"], sheet["round"], sheet["base"], sheet["version"]) == ("playing", 1, 10, 1)
        body = {"version": 1, "base_stake": 20, **WHY}
        changed = (await at.ask("PATCH", body=body)).json()
        assert (changed["base"], changed["version"]) == (20, 2)
        settled = await asyncio.gather(*(play_until_settled(table, random.Random(5)) for table in at.tables))
        assert [one["base"] for one in settled] == [10, 10]
        first = at.tables[0]
        assert kinds(first).index("base_changed") < kinds(first).index("settled")
        await first.until(lambda: first.question is not None)
        assert first.question is not None
        assert (first.question["q"], first.question["base"]) == ("confirm", 20)
        lines = (await at.boss.http.get(f"/api/admin/audit-log?subject={at.room_id}")).json()["items"]
        assert [(line["action"], line["after"]["base_stake"]) for line in lines] == [("room.change", 20)]


async def test_of_two_changes_at_once_one_is_told_of_the_other(site: Site) -> None:
    async with scene(site) as at:
        bodies = [{"version": 1, "base_stake": base, **WHY} for base in (20, 30)]
        answers = await asyncio.gather(*(at.ask("PATCH", body=body) for body in bodies))
        done, refused = sorted(answers, key=lambda answer: answer.status_code)
        assert (done.status_code, refused.status_code, refused.json()["code"]) == (200, 409, "conflict")
        assert refused.json()["present"]["base"] == done.json()["base"] == (await at.sheet())["base"]


async def test_a_paused_room_goes_on_when_it_may(site: Site) -> None:
    async with scene(site) as at:
        paused = (await at.ask("PATCH", body={"version": 1, "paused": "維護", **WHY})).json()
        assert (paused["paused"], paused["base"]) == ("維護", 10)
        assert await told(at.tables[0], "paused") == {"reason": "維護"}
        assert (await at.ask("PATCH", body={"version": 2, "paused": None, **WHY})).json()["paused"] is None
        assert (await at.ask("PATCH", body={"version": 3, **WHY})).status_code == 422
        await begin(at)


async def test_a_voided_round_moves_nothing_and_another_begins(site: Site) -> None:
    async with scene(site) as at:
        assert (await at.ask("POST", "/void", WHY)).json()["code"] == "no_round"
        await begin(at)
        assert (await at.ask("POST", "/void", WHY)).status_code == 200
        for table in at.tables:
            assert (await told(table, "voided"))["reason"] == WHY["reason"]
        for guest in at.guests:
            assert (await guest.http.get("/api/me")).json()["user"]["coins"] == 10_000
        assert (await at.sheet())["phase"] == "confirm"


async def test_a_closed_room_is_gone(site: Site) -> None:
    async with scene(site) as at:
        await begin(at)
        assert (await at.ask("POST", "/close", WHY)).json()["phase"] == "closed"
        assert (await at.ask("GET")).json()["code"] == "no_such_room"
        assert (await at.boss.http.get("/api/admin/rooms")).json()["items"] == []
        for guest in at.guests:
            assert (await guest.http.get("/api/me")).json()["room_id"] is None
        lines = (await at.boss.http.get(f"/api/admin/audit-log?subject={at.room_id}")).json()["items"]
        assert [(line["action"], line["after"]["phase"]) for line in lines] == [("room.close", "closed")]


async def test_an_operator_sees_no_hidden_tile_of_a_running_round(site: Site) -> None:
    """Of a private room without watchers, too: he has the view watchers would have."""
    async with scene(site) as at:
        await asyncio.gather(*(discards(table, 10) for table in at.tables))
        view = (await at.sheet())["view"]
        assert view["you"] is None
        assert view["room"]["private"]
        assert view["round"] is not None
        hands = view["round"]["hands"]
        assert [hand["tiles"] for hand in hands] == [None, None]
        assert {hand["drawn"] for hand in hands} <= {None, "?"}


async def test_whoever_is_banned_in_a_round_is_played_for_and_then_gone(site: Site) -> None:
    async with scene(site) as at:
        await begin(at)
        mei, rain = at.guests
        await at.boss.http.post(f"/api/admin/players/{rain.user_id}/ban", json=WHY)
        assert await at.tables[1].until_closed() == CloseCode.REMOVED
        settled = await play_until_settled(at.tables[0], random.Random(5))
        assert await told(at.tables[0], "seat_left") == {"seat": 1, "reason": "removed"}
        assert sum(settled["deltas"]) + settled["rake"] == 0
        assert (await rain.http.get("/api/me")).status_code == 401
        assert (await at.sheet())["phase"] == "waiting"
        assert (await mei.http.get("/api/me")).json()["room_id"] == at.room_id


async def test_a_ban_outlives_a_restart_and_ends_when_lifted(site: Site) -> None:
    async with site.guest("老闆") as boss, site.guest("聽雨") as rain:
        await appoint(site, boss)
        await boss.http.post(f"/api/admin/players/{rain.user_id}/ban", json=WHY)
        async with serving(site.database_url) as again:
            token = {"Authorization": rain.http.headers["Authorization"]}
            async with httpx.AsyncClient(base_url=again.http, headers=token) as http:
                assert (await http.get("/api/me")).status_code == 401
        await boss.http.post(f"/api/admin/players/{rain.user_id}/unban", json=WHY)
        await rain.open_room()


async def test_a_muted_player_says_nothing(site: Site) -> None:
    async with scene(site) as at:
        speaker = at.tables[0]
        muting = f"/api/admin/players/{at.guests[0].user_id}"
        await at.boss.http.post(f"{muting}/mute", json=WHY)
        await speaker.send({"m": "say", "phrase": "hurry"})
        assert (await heard(speaker, "err"))["code"] == "muted"
        await at.boss.http.post(f"{muting}/unmute", json=WHY)
        await speaker.send({"m": "say", "phrase": "hurry"})
        assert (await heard(at.tables[1], "said"))["phrase"] == "hurry"
