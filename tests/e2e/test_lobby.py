"""The lobby: quick match and its ends, relief, the table one has left, the week's best."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest_asyncio
from playwright.async_api import Browser, Page

from tests.e2e.house import me

START = "[data-testid=quick-start]:not(:disabled)"
WAITING = {"status": "waiting", "tier": "classic64-1", "waited_ms": 65_000}


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def shared(browser: Browser) -> AsyncIterator[Page]:
    context = await browser.new_context(viewport={"width": 1280, "height": 800}, reduced_motion="reduce")
    page = await context.new_page()
    page.set_default_timeout(10_000)
    await page.clock.install()
    yield page
    await context.close()


async def lobby(page: Page, stage: str, script: dict[str, Any] | None = None) -> None:
    """The lobby of a house that answers as scripted."""
    await page.request.put(f"{stage}/script", data=script or {})
    await page.goto(stage)
    await page.wait_for_selector(".place")


async def calls(page: Page, stage: str) -> dict[str, int]:
    told: dict[str, int] = await (await page.request.get(f"{stage}/calls")).json()
    return told


def ok(*bodies: Any) -> list[tuple[int, Any]]:
    return [(200, body) for body in bodies]


async def test_a_search_waits_tells_of_a_lost_partner_and_goes_to_the_table(shared: Page, stage: str) -> None:
    left = WAITING | {"room_id": "turn", "waited_ms": 1_000}
    matched = {"status": "matched", "tier": "classic64-1", "room_id": "turn"}
    script = {
        "POST /api/match": ok(WAITING),
        "GET /api/match": ok({"status": "none"}, WAITING, left, matched),
    }
    await lobby(shared, stage, script)
    await shared.evaluate(f"() => {{ const b = document.querySelector('{START}'); b.click(); b.click(); }}")
    await shared.wait_for_selector("[data-testid=search][data-status=waiting]")
    assert await shared.inner_text("[data-tick=elapsed]") == "已等 1:05"
    words = shared.locator("[data-testid=search-words]")
    assert await words.inner_text() == ""
    await shared.clock.run_for(2_100)
    await shared.wait_for_function("() => !document.querySelector('[data-testid=search-words]').textContent")
    assert (await calls(shared, stage))["POST /api/match"] == 1
    await shared.clock.run_for(2_100)
    await shared.wait_for_selector("[data-testid=search-words]:not(:empty)")
    assert "對手離開了" in await words.inner_text()
    await shared.clock.run_for(2_100)
    await shared.wait_for_url(f"{stage}/room/turn")


async def test_a_search_is_cancelled_by_key_and_gives_the_focus_back(shared: Page, stage: str) -> None:
    script = {"POST /api/match": ok(WAITING), "DELETE /api/match": ok({"status": "none"})}
    await lobby(shared, stage, script)
    await shared.focus(START)
    await shared.keyboard.press("Enter")
    await shared.wait_for_selector("[data-status=waiting]")
    await shared.keyboard.press("Tab")
    await shared.keyboard.press("Enter")
    await shared.wait_for_selector("[data-testid=search]", state="detached")
    assert await shared.evaluate("() => document.activeElement.dataset.testid") == "quick-start"
    assert (await calls(shared, stage))["DELETE /api/match"] == 1


async def test_a_lapsed_search_offers_another(shared: Page, stage: str) -> None:
    script = {"POST /api/match": ok(WAITING, WAITING), "GET /api/match": ok({"status": "none"})}
    await lobby(shared, stage, script)
    await shared.click(START)
    await shared.wait_for_selector("[data-status=waiting]")
    await shared.clock.run_for(2_100)
    await shared.wait_for_selector("[data-status=lapsed]")
    await shared.click("[data-testid=search-again]")
    await shared.wait_for_selector("[data-status=waiting]")
    assert (await calls(shared, stage))["POST /api/match"] == 2


async def test_refusals_say_why_and_where_to_go(shared: Page, stage: str) -> None:
    elsewhere = {"code": "in_other_room", "room_id": "claim"}
    script = {"POST /api/match": [(409, {"code": "insufficient_coins", "short": 300}), (409, elsewhere)]}
    await lobby(shared, stage, script)
    await shared.click(START)
    await shared.wait_for_selector("[data-status=refused]")
    assert "300" in await shared.inner_text("[data-testid=search-words]")
    await shared.click("[data-testid=search-again]")
    await shared.click("[data-testid=search-back]")
    await shared.wait_for_url(f"{stage}/room/claim")


async def test_a_search_from_before_is_taken_up_again(shared: Page, stage: str) -> None:
    await lobby(shared, stage, {"GET /api/match": ok(WAITING)})
    await shared.wait_for_selector("[data-status=waiting]")


async def test_relief_and_the_way_back(shared: Page, stage: str) -> None:
    poor = me()
    poor["user"]["coins"] = 120
    again = (409, {"code": "relief_used_up", "again_ms": 1_764_518_400_000})
    granted = (200, {"granted": 3_000, "coins": 620, "left": 0})
    script = {
        "GET /api/me": ok(poor | {"room_id": "claim"}),
        "POST /api/relief": [granted, again],
    }
    await lobby(shared, stage, script)
    await shared.click("[data-testid=relief]")
    await shared.wait_for_selector("[data-testid=news]:not(:empty)")
    assert "3,000" in await shared.inner_text("[data-testid=news]")
    assert await shared.inner_text(".face .coins") == "620"
    await shared.click("[data-testid=relief]")
    await shared.wait_for_selector("[data-testid=lobby-problem]:not(:empty)")
    assert await shared.locator(START).count() == 0
    await shared.click("[data-testid=back-to-table]")
    await shared.wait_for_url(f"{stage}/room/claim")


async def test_lists_the_week_and_the_rounds(shared: Page, stage: str) -> None:
    await lobby(shared, stage)
    assert await shared.locator(".place").count() == 10
    assert await shared.locator(".place.own").inner_text() == "1,204\n聽雨\n銅雀\n你\n−104"
    await shared.click("[data-list=played]")
    assert await shared.get_attribute(".played a >> nth=0", "href") == "/replay/round-0"
    await shared.click("[data-act=titles]")
    assert await shared.locator("dialog .ranks li").count() == 16
    await shared.keyboard.press("Escape")
    await shared.wait_for_selector("dialog", state="detached")
