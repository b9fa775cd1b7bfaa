"""Two windows play a round to its settlement on a real server, by mouse, and agree on it."""

from __future__ import annotations

import asyncio
from argparse import Namespace
from collections import Counter
from contextlib import suppress

import pytest
from playwright.async_api import Browser, Page, ViewportSize
from playwright.async_api import TimeoutError as PlaywrightTimeout

from app.cli import audit
from app.rules.ruleset import RULESET_IDS
from tests.integration.serving import serving

SIZE: ViewportSize = {"width": 1280, "height": 800}
PANEL = "[data-testid=settlement]"
OFFERED = "button[data-o]:not(:disabled)"
FIRST_OF = ("w", "ok", "db", "kc")  # taken whenever they are offered
SECONDS = 150


def loneliness(tile: str, hand: list[str]) -> tuple[int, bool]:
    """How little a tile has to do with the others: lonely tiles are thrown first, honours before 萬."""
    held = Counter(hand)
    if tile[1] == "z":
        return held[tile] - 1, False
    rank = int(tile[0])
    near = sum(held[f"{rank + step}m"] * (3 - abs(step)) for step in (-2, -1, 1, 2))
    return near + 3 * (held[tile] - 1), True


async def choose(page: Page) -> str | None:
    """What the page lets one press now, and a fair idea which."""
    offered: list[str] = await page.eval_on_selector_all(
        OFFERED, "found => found.map((button) => button.dataset.o)"
    )
    for o in FIRST_OF:
        if o in offered:
            return o
    thrown = [o for o in offered if o.startswith("d")]
    if thrown:
        hand = [o[1:] for o in thrown]
        return min(thrown, key=lambda o: loneliness(o[1:], hand))
    return offered[-1] if offered else None


async def play(page: Page, presses: int = 1_000) -> None:
    """Answer by mouse whatever is asked until the round is settled, or so often."""
    async with asyncio.timeout(SECONDS):
        for _ in range(presses):
            await page.wait_for_selector(f"{PANEL}, {OFFERED}", timeout=SECONDS * 1_000)
            if await page.locator(PANEL).count():
                return
            o = await choose(page)
            if o is not None:
                with suppress(PlaywrightTimeout):  # overtaken by the clock: look again
                    await page.locator(f'button[data-o="{o}"]:not(:disabled)').first.click(timeout=2_000)


async def sign_in(page: Page, name: str) -> None:
    await page.fill("[data-testid=nickname]", name)
    await page.click("[data-testid=sign-in]")


@pytest.mark.parametrize(
    "ruleset",
    [RULESET_IDS[0], *(pytest.param(ruleset, marks=pytest.mark.long) for ruleset in RULESET_IDS[1:])],
)
async def test_two_windows_meet_and_agree_on_a_round(
    browser: Browser, database_url: str, ruleset: str
) -> None:
    """Both press the same button in the lobby; what they saw in the end is what everybody can read."""
    contexts = [await browser.new_context(viewport=SIZE, reduced_motion="reduce") for _ in range(2)]
    async with serving(database_url) as site:
        first, second = pages = [await context.new_page() for context in contexts]
        complaints: list[str] = []
        for page, name in zip(pages, ("聽雨", "阿梅"), strict=True):
            page.on("pageerror", lambda error: complaints.append(str(error)))
            await page.goto(site.http)
            await sign_in(page, name)
            await page.click(f"[data-ruleset={ruleset}]")
            await page.click("[data-testid=quick-start]:not(:disabled)")
        await asyncio.gather(*(page.wait_for_url(f"{site.http}/room/*") for page in pages))
        await asyncio.gather(play(first), play(second))
        mine, theirs = [await page.locator(PANEL).evaluate("panel => ({...panel.dataset})") for page in pages]
        me = (await (await first.request.get(f"{site.http}/api/me")).json())["user"]
        await second.goto(site.http + str(await second.get_attribute("[data-act=settle-record]", "href")))
        verdict = await second.get_attribute("[data-testid=verdict]", "data-verdict")
        await second.goto(f"{site.http}/leaderboard?by=points&period=all")
        await second.wait_for_selector(".own-place .place")
        listed = await second.locator("[data-testid=places] .place").count()
        await second.goto(f"{site.http}/players/{me['id']}")
        await second.wait_for_selector(".played li")
        for context in contexts:
            await context.close()
    for name in ("outcome", "total", "amount", "rake", "multiplier"):
        assert mine[name] == theirs[name]
    assert int(mine["delta"]) + int(theirs["delta"]) == -int(mine["rake"])
    assert (int(mine["coins"]), int(mine["points"])) == (me["coins"], me["points"])
    assert (verdict, listed, complaints) == ("kept", 2, [])
    assert await asyncio.to_thread(audit.run, Namespace(database_url=database_url)) == 0


@pytest.mark.long
async def test_an_invite_leads_to_the_private_table(browser: Browser, database_url: str) -> None:
    contexts = [
        await browser.new_context(
            viewport=SIZE, reduced_motion="reduce", permissions=["clipboard-read", "clipboard-write"]
        )
        for _ in range(3)
    ]
    async with serving(database_url) as site:
        first, second, third = [await context.new_page() for context in contexts]
        await first.goto(site.http)
        await sign_in(first, "聽雨")
        await first.click("[data-testid=create-private]:not(:disabled)")
        await first.click("[data-switch=spectators]")
        await first.click("[data-testid=opening-go]")
        await first.wait_for_selector("[data-testid=invite-code]")
        await first.click("[data-testid=copy-watch]")
        await first.wait_for_selector(".toast")
        await third.goto(await first.evaluate("() => navigator.clipboard.readText()"))
        await sign_in(third, "觀棋")
        await third.wait_for_selector("[data-testid=watching]")
        await second.goto(first.url)
        await sign_in(second, "阿梅")
        for page in (first, second):
            await page.wait_for_selector("[data-o=ok]")
        await third.wait_for_selector(".their-plate .who b:text-is('阿梅')")
        for context in contexts:
            await context.close()
