"""The browser folds events into the same view as a program does, at every event."""

from __future__ import annotations

import asyncio
import random
from typing import Any

from playwright.async_api import Browser

from app.client.table import TableClient
from app.client.view import apply_event
from tests.integration.serving import Guest, serving
from tests.integration.test_two_sockets import play_until_settled

FOLD = """
async ({view, events}) => {
  const {foldEvent} = await import('/static/js/fold.js');
  const views = [];
  for (const event of events) views.push(view = foldEvent(view, event));
  return views;
}
"""


class Reader(TableClient):
    """Remembers the view it began with."""

    first: dict[str, Any] | None = None

    async def __aenter__(self) -> Reader:
        await super().__aenter__()
        return self

    def _apply(self, frame: dict[str, Any]) -> None:
        super()._apply(frame)
        if frame["m"] == "snap" and self.first is None:
            self.first = frame["view"]
            self.events.clear()


async def reader(guest: Guest, room_id: str) -> Reader:
    return Reader(f"{guest.site.ws}/ws/rooms/{room_id}", await guest.ticket(room_id))


async def test_views_agree_at_every_event(browser: Browser, database_url: str) -> None:
    async with serving(database_url) as site, site.guest("阿梅") as mei, site.guest("聽雨") as rain:
        page = await browser.new_page()
        await page.goto(site.http)
        room_id, invite = await mei.open_room()
        await rain.join(room_id, invite)
        async with await reader(mei, room_id) as first, await reader(rain, room_id) as second:
            players = (first, second)
            await asyncio.gather(
                *(play_until_settled(table, random.Random(number)) for number, table in enumerate(players))
            )
            for table in players:
                assert table.first is not None
                view, expected = table.first, []
                for event in table.events:
                    view = apply_event(view, event["k"], event["d"])
                    expected.append(view)
                folded = await page.evaluate(FOLD, {"view": table.first, "events": table.events})
                for event, here, there in zip(table.events, folded, expected, strict=True):
                    assert here == there, event
