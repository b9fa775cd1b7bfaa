"""Browser tests: Debian's chromium through Playwright; they skip, and say so, where it is missing."""

from __future__ import annotations

import asyncio
import shutil
import socket
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
import uvicorn
from playwright.async_api import Browser, async_playwright

from tests.e2e.stage import create_stage
from tests.integration.stories import migrate_in_a_hurry

CHROMIUM = shutil.which("chromium")
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.browser)
            item.add_marker(pytest.mark.asyncio(loop_scope="session"), append=False)
            item.add_marker(pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed"))


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def browser() -> AsyncIterator[Browser]:
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        await browser.close()


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def stage() -> AsyncIterator[str]:
    """The address of a stage: the pages, with scenes instead of a game."""
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    app = create_stage(cached=True)
    server = uvicorn.Server(
        uvicorn.Config(app, log_level="warning", access_log=False, ws="websockets-sansio")
    )
    task = asyncio.create_task(server.serve(sockets=[listener]))
    yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    server.should_exit = True
    await task


@pytest.fixture
def database_url(tmp_path: Path) -> str:
    url = f"sqlite:///{tmp_path / 'erma.sqlite3'}"
    migrate_in_a_hurry(url)
    return url
