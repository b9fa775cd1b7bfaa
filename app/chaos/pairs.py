"""Two players at a table, and the next two when one of them has lost his seat."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from random import Random

from app.chaos.journal import Journal
from app.chaos.player import RETRY_SECONDS, Player
from app.client.load import Api


async def play_pairs(url: str, tier: str, rng: Random, journal: Journal, over: asyncio.Event) -> None:
    """Keep one table busy until it is over."""
    while not over.is_set():
        seated = await _seated(url, tier, rng, journal, over)
        if seated is not None:
            await _play_together(*seated, over)


async def _play_together(room_id: str, pair: Sequence[Player], over: asyncio.Event) -> None:
    """Until it is over, or one has lost his seat: the other then finishes what he has begun, and goes too."""
    enough = asyncio.Event()

    async def play(player: Player) -> None:
        await player.play(room_id, enough)
        enough.set()

    ending = asyncio.create_task(_pass_on(over, enough))
    try:
        await asyncio.gather(*map(play, pair))
    finally:
        ending.cancel()


async def _pass_on(over: asyncio.Event, enough: asyncio.Event) -> None:
    await over.wait()
    enough.set()


async def _seated(
    url: str, tier: str, rng: Random, journal: Journal, over: asyncio.Event
) -> tuple[str, Sequence[Player]] | None:
    """Two new guests at a table of their own, however often it takes; None once it is over."""
    while not over.is_set():
        try:
            host, guest = [await asyncio.to_thread(Api, url, name) for name in ("host", "guest")]
            room = await asyncio.to_thread(host.post, "/api/rooms", tier=tier, private=True)
            path = f"/api/rooms/{room['room_id']}/join"
            await asyncio.to_thread(guest.post, path, invite=room["invite"])
        except OSError:
            await asyncio.sleep(RETRY_SECONDS)
            continue
        journal.counts["tables"] += 1
        return room["room_id"], [Player(api, url, rng, journal) for api in (host, guest)]
    return None
