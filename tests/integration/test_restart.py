"""A server that stops in the middle of a round goes on where it was. Source: PROTOCOL §3.3, §3.5, §3.7."""

from __future__ import annotations

import asyncio
import random
from contextlib import AsyncExitStack

from app.client.table import TableClient
from tests.integration.serving import Guest, Site, serving
from tests.integration.test_two_sockets import play_until_settled

ON_EVERY_DATABASE = True

REFUSALS = {"confirm": "ok", "open_hand": "kc", "double": "nd"}


async def answer_offers(table: TableClient) -> None:
    """Confirm, keep closed, do not double: until play begins."""
    while not any(
        event["d"].get("offer") == "double" for event in table.events if event["k"] == "offer_closed"
    ):
        if table.question is not None:
            await table.act(REFUSALS[table.question["q"]])
        else:
            await table.receive()


async def test_a_round_outlives_the_server(database_url: str) -> None:
    async with AsyncExitStack() as stack:
        async with serving(database_url) as site:
            mei = await stack.enter_async_context(site.guest("阿梅"))
            rain = await stack.enter_async_context(site.guest("聽雨"))
            room_id, invite = await mei.open_room()
            await rain.join(room_id, invite)
            async with await mei.table(room_id) as first, await rain.table(room_id) as second:
                await asyncio.gather(answer_offers(first), answer_offers(second))
                assert first.view is not None
                mover = (first, second)[first.view["round"]["dealer"]]
                await mover.until(lambda: mover.question is not None)
                question, before = mover.question, mover.view
                assert question is not None
        async with serving(database_url) as site:
            again = await table_at(site, mei if mover is first else rain, room_id)
            other = await table_at(site, rain if mover is first else mei, room_id)
            async with again, other:
                await again.until(lambda: again.question is not None)
                assert again.question is not None
                assert again.question["dp"] == question["dp"]
                assert again.question["opts"] == question["opts"]
                assert again.question["deadline_ms"] >= question["deadline_ms"] + 10_000
                assert again.view is not None
                assert before is not None
                assert again.view["round"]["hands"] == before["round"]["hands"]
                results = await asyncio.gather(
                    play_until_settled(again, random.Random(1)), play_until_settled(other, random.Random(2))
                )
                assert results[0] == results[1]
                assert again.view is not None
                shown = again.view["round"]
        async with serving(database_url) as site:  # between two rounds: the last one is still shown
            once_more = await table_at(site, mei, room_id)
            async with once_more:
                await once_more.until(lambda: once_more.question is not None)
                assert once_more.view is not None
                assert once_more.view["round"]["result"] == shown["result"]
                assert once_more.view["round"]["id"] == shown["id"]


async def table_at(site: Site, guest: Guest, room_id: str) -> TableClient:
    """The same guest, at the server that runs now."""
    guest.http.base_url = site.http
    return await Guest(site, guest.http, guest.user_id).table(room_id)
