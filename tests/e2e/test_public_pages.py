"""Leaderboard, profile and record: what they show page by page, and what they say when something fails."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest_asyncio
from playwright.async_api import Browser, Page, ViewportSize

from tests.e2e.test_scenes import SMALL

SIZES: tuple[ViewportSize, ...] = (
    {"width": 1280, "height": 800},
    {"width": 844, "height": 390},
    {"width": 390, "height": 844},
)
MARKS = {
    "/": ".place",
    "/leaderboard": ".place",
    "/players/u-聽雨": ".played",
    "/replay/round-3": "[data-testid=verdict]",
}
SIDEWAYS = "() => document.documentElement.scrollWidth > innerWidth + 1"
PLACES = "[data-testid=places] .place"


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def shared(browser: Browser) -> AsyncIterator[Page]:
    context = await browser.new_context(viewport={"width": 390, "height": 844}, reduced_motion="reduce")
    page = await context.new_page()
    page.set_default_timeout(10_000)
    yield page
    await context.close()


async def visit(page: Page, stage: str, path: str, script: dict[str, Any] | None = None) -> None:
    await page.request.put(f"{stage}/script", data=script or {})
    await page.goto(f"{stage}{path}")


async def test_a_leaderboard_by_measure_and_period_page_by_page(shared: Page, stage: str) -> None:
    await visit(shared, stage, "/leaderboard")
    await shared.wait_for_selector(PLACES)
    assert await shared.locator(PLACES).count() == 50
    ranks = await shared.locator(f"{PLACES} .nth").all_inner_texts()
    assert ranks[:6] == ["1", "1", "3", "3", "3", "6"]
    own = shared.locator(".own-place .place")
    assert await own.get_attribute("aria-current") == "true"
    box, height = await own.bounding_box(), await shared.evaluate("() => innerHeight")
    assert box is not None
    assert box["y"] + box["height"] < height
    await shared.click("[data-testid=more]")
    await shared.wait_for_selector(f"{PLACES} >> nth=99")
    await shared.click("[data-choice=wins]")
    await shared.click("[data-choice=all]")
    await shared.wait_for_function("() => document.querySelector('.place .value')?.textContent === '60'")
    assert shared.url.endswith("?by=wins&period=all")


async def test_a_leaderboard_that_fails_is_asked_again_and_an_empty_one_says_so(
    shared: Page, stage: str
) -> None:
    nobody = {"by": "points", "period": "day", "since_ms": 1_764_450_000_000, "items": [], "next": None}
    script = {
        "GET /api/leaderboard": [(500, {"code": "internal"}), (200, nobody)],
        "GET /api/leaderboard/around-me": [(200, nobody | {"me": None})],
    }
    await visit(shared, stage, "/leaderboard?period=day", script)
    await shared.click("[role=alert] button")
    await shared.wait_for_selector("[data-testid=places] .empty:not([role])")
    assert await shared.locator(".unlisted").count() == 1


async def test_a_profile_with_its_rounds(shared: Page, stage: str) -> None:
    await visit(shared, stage, "/players/u-阿川")
    await shared.wait_for_selector(".played li")
    assert await shared.inner_text("[data-testid=player-name]") == "阿川"
    endings = await shared.locator(".endings:not(.rates) dd").all_inner_texts()
    assert endings == ["117", "74", "22", "1", "2"]
    assert await shared.locator(".rates dd").all_inner_texts() == ["10%", "15%"]
    await shared.wait_for_selector("[data-testid=points-chart]")
    assert await shared.locator("[data-testid=best] a").count() == 2
    await shared.click("[data-testid=more]")
    await shared.wait_for_selector(".played li >> nth=29")
    await shared.click(".played a >> nth=0")
    await shared.wait_for_url(f"{stage}/replay/round-0")
    await visit(shared, stage, "/players/nobody")
    await shared.wait_for_selector("[data-testid=refused]")


async def test_a_record_is_checked_in_the_browser(shared: Page, stage: str) -> None:
    await visit(shared, stage, "/replay/round-3")
    verdict = shared.locator("[data-testid=verdict]")
    assert await verdict.get_attribute("data-verdict") == "kept"
    assert "13 番" in await shared.inner_text("[data-testid=outcome]")
    moves = await shared.locator(".move").all_inner_texts()
    assert moves[0] == "聽雨 加倍"
    assert "聽雨 吃 七萬 八萬 九萬" in moves
    assert await shared.locator(".hand-of >> nth=1 >> .meld").count() == 2
    await visit(shared, stage, "/replay/round-forged")
    assert await verdict.get_attribute("data-verdict") == "broken"
    await visit(shared, stage, "/replay/none")
    await shared.wait_for_selector("[data-testid=refused]")


async def test_every_page_fits_every_size(shared: Page, stage: str) -> None:
    for path, mark in MARKS.items():
        await visit(shared, stage, path)
        await shared.wait_for_selector(mark)
        for size in SIZES:
            await shared.set_viewport_size(size)
            await shared.wait_for_selector(f'body[data-fit="{size["width"]}x{size["height"]}"]')
            assert (await shared.evaluate(SMALL), await shared.evaluate(SIDEWAYS)) == ([], False), (
                path,
                size,
            )


async def test_arrows_go_through_a_group_of_choices(shared: Page, stage: str) -> None:
    await visit(shared, stage, "/leaderboard")
    await shared.wait_for_selector(PLACES)
    await shared.focus("[data-choice=points]")
    await shared.keyboard.press("ArrowRight")
    await shared.wait_for_selector("[data-choice=coins][aria-checked=true]:focus")
    assert await shared.locator("[data-choice][tabindex='0']").count() == 2
