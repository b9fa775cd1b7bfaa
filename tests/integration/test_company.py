"""Who else is at a table: the computer, watchers, words. Real sockets, every database."""

from __future__ import annotations

import asyncio
import random
import re

import httpx

from app.client.table import TableClient
from app.store.audit import audit as prove
from app.store.database import Database
from tests.integration.serving import Site, serving
from tests.integration.stories import execute
from tests.integration.test_two_sockets import play_until_settled, play_while

ON_EVERY_DATABASE = True

QUICK = """UPDATE tiers SET clocks = '{"forced_ms": 1, "pause_ms": 1}'"""


async def gauges(site: Site) -> dict[str, float]:
    """What ``/metrics`` tells about rooms."""
    async with httpx.AsyncClient(base_url=site.http) as http:
        text = (await http.get("/metrics")).raise_for_status().text
    return {name: float(value) for name, value in re.findall(r"^(erma_\S+) (\S+)$", text, re.MULTILINE)}


async def next_frame(table: TableClient, name: str) -> dict[str, object]:
    while True:
        frame = await table.receive()
        if frame["m"] == name:
            return frame


async def test_a_player_practises_and_nothing_of_his_moves(database: Database, database_url: str) -> None:
    await execute(database, QUICK)
    async with serving(database_url) as site, site.guest("阿梅") as mei:
        room_id, _ = await mei.open_room(private=True, bot=True)
        async with await mei.table(room_id) as table:
            settled = await play_until_settled(table, random.Random(3))
            assert table.view is not None
            assert table.view["seats"][0]["user"] == {"id": "computer", "name": "電腦"}
            round_id = table.view["round"]["id"]
        me = (await mei.http.get("/api/me")).json()["user"]
        assert (me["coins"], me["points"]) == (10_000, 0)
        assert settled["points"]["before"] == settled["points"]["after"]
        record = (await mei.http.get(f"/api/rounds/{round_id}")).json()
        assert record["players"][0]["id"] == "computer"
        board = (await mei.http.get("/api/leaderboard?by=points&period=all")).json()["items"]
        assert [place["player"]["name"] for place in board] == ["阿梅"]
        assert (await mei.http.get("/api/players/computer")).status_code == 404
    report = await prove(database)
    assert report.fault is None
    assert (report.issued, report.users) == (10_000, 1)
    moved = await execute(database, "SELECT DISTINCT account_id FROM entries WHERE amount <> 0")
    assert any(account.startswith("practice:user:") for (account,) in moved)


async def test_watching_needs_leave_and_the_invite(database_url: str) -> None:
    async with serving(database_url) as site, site.guest("阿梅") as mei, site.guest("觀棋") as wei:
        closed, _ = await mei.open_room(private=False)
        wanted = {"room_id": closed, "purpose": "watch"}
        assert (await wei.http.post("/api/ws-tickets", json=wanted)).json()["code"] == "forbidden"
    async with serving(database_url) as site, site.guest("聽雨") as rain, site.guest("觀棋") as wei:
        room_id, invite = await rain.open_room(private=True, spectators=True)
        wanted = {"room_id": room_id, "purpose": "watch"}
        assert (await wei.http.post("/api/ws-tickets", json=wanted)).json()["code"] == "forbidden"
        async with await wei.watch(room_id, invite) as watcher:
            await next_frame(watcher, "snap")
            assert watcher.welcome is not None
            assert (watcher.welcome["mode"], watcher.welcome["seat"]) == ("watch", None)


async def test_a_watched_round_is_seen_to_its_end(database_url: str) -> None:
    async with (
        serving(database_url) as site,
        site.guest("阿梅") as mei,
        site.guest("聽雨") as rain,
        site.guest("觀棋") as wei,
    ):
        room_id, _ = await mei.open_room(private=False, spectators=True)
        await rain.join(room_id, None)
        async with await mei.table(room_id) as first, await rain.table(room_id) as second:
            players = asyncio.gather(
                play_until_settled(first, random.Random(1)), play_until_settled(second, random.Random(2))
            )
            async with await wei.watch(room_id) as watcher:
                await play_while(
                    watcher, lambda t: [e["k"] for e in t.events].count("revealed") > 0, random.Random()
                )
                await players
                assert watcher.question is None
                assert watcher.view is not None
                assert first.view is not None
                for each in (watcher.view, first.view):
                    each.pop("you")
                assert watcher.view["round"]["result"] == first.view["round"]["result"]


async def test_rooms_to_watch_are_listed_while_they_play(database_url: str) -> None:
    async with serving(database_url) as site, site.guest("阿梅") as mei, site.guest("聽雨") as rain:
        room_id, _ = await mei.open_room(private=False, spectators=True)
        await rain.join(room_id, None)
        assert (await mei.http.get("/api/rooms?show=watch")).json()["items"] == []
        async with await mei.table(room_id) as first, await rain.table(room_id) as second:
            started = [
                play_while(each, lambda t: any(e["k"] == "round_started" for e in t.events), random.Random(1))
                for each in (first, second)
            ]
            await asyncio.gather(*started)
            (listed,) = (await mei.http.get("/api/rooms?show=watch")).json()["items"]
            assert listed["id"] == room_id
            assert [seat["name"] for seat in listed["seats"]] == ["阿梅", "聽雨"]


async def test_texts_are_for_houses_that_allow_them(database_url: str) -> None:
    for allowed in (False, True):
        async with serving(database_url, free_text=allowed) as site, site.guest("阿梅") as mei:
            assert (await mei.http.get("/api/me")).json()["free_text"] is allowed
            room_id, _ = await mei.open_room()
            async with await mei.table(room_id) as table:
                await next_frame(table, "snap")
                await table.send({"m": "say", "text": " 好牌！ "})
                if allowed:
                    assert (await next_frame(table, "said"))["text"] == "好牌!"
                else:
                    assert (await next_frame(table, "err"))["code"] == "bad_schema"


async def test_gauges_go_back_to_nothing(database_url: str) -> None:
    async with serving(database_url) as site:
        async with site.guest("阿梅") as mei, site.guest("聽雨") as rain:
            room_id, invite = await mei.open_room()
            await rain.join(room_id, invite)
            async with await mei.table(room_id) as first, await rain.table(room_id) as second:
                await asyncio.gather(first.receive(), second.receive())
                there = await gauges(site)
                assert there['erma_rooms{phase="confirm"}'] == 1
                assert (there["erma_players"], there["erma_sockets"], there["erma_room_tasks"]) == (2, 2, 1)
                assert there["erma_room_timers"] >= 1
                for table in (first, second):
                    await table.send({"m": "leave", "id": "away"})
                    await next_frame(table, "ack")
        gone = await gauges(site)
        while any(gone.values()):
            gone = await gauges(site)
        assert set(gone.values()) == {0}
