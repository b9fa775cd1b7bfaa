"""The command itself, as a process: it migrates, answers, and leaves when told."""

from __future__ import annotations

import asyncio
import signal
import sys
from pathlib import Path

from httpx import AsyncClient, HTTPError

from app.chaos.server import free_port
from app.cli.registry import main

PATIENCE = 300  # tenths of a second


async def is_up(client: AsyncClient) -> bool:
    for _ in range(PATIENCE):
        try:
            return (await client.get("/readyz")).status_code == 200
        except HTTPError:
            await asyncio.sleep(0.1)
    return False


async def test_serve_migrates_answers_and_stops(tmp_path: Path) -> None:
    port, url = free_port(), f"sqlite:///{tmp_path}/new/erma.sqlite3"
    command = ["-m", "app", "serve", "--port", str(port), "--database-url", url]
    server = await asyncio.create_subprocess_exec(sys.executable, "-W", "error", *command)
    try:
        async with AsyncClient(base_url=f"http://127.0.0.1:{port}") as client:
            assert await is_up(client)
            assert (await client.post("/api/guest", json={"name": "聽雨"})).status_code == 200
    finally:
        server.send_signal(signal.SIGTERM)
        status = await asyncio.wait_for(server.wait(), 10)
    assert status in {0, -signal.SIGTERM}
    assert await asyncio.to_thread(main, ["audit", "--database-url", url]) == 0


def test_several_workers_are_refused() -> None:
    assert main(["serve", "--workers", "2"]) == 2
