"""The table besides its moves: coming back after a break, sounds and switches, looking for a partner."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest_asyncio
from playwright.async_api import Browser, Page

from tests.e2e.test_scenes import sent, show

MINE = "body[data-armed]"


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def shared(browser: Browser) -> AsyncIterator[Page]:
    context = await browser.new_context(viewport={"width": 1280, "height": 800}, reduced_motion="reduce")
    page = await context.new_page()
    page.set_default_timeout(10_000)
    yield page
    await context.close()


async def test_who_comes_back_is_told_what_he_missed(shared: Page, stage: str) -> None:
    await show(shared, stage, "theirs")
    assert await shared.inner_text(".their-plate .cut") == "斷線"
    await shared.request.delete(f"{stage}/tables")
    await shared.wait_for_selector("body[data-conn=lost]")
    await shared.wait_for_selector(MINE)
    lines = await shared.locator(".missed li").all_inner_texts()
    assert lines[-3:] == ["阿梅碰 北", "阿梅打出 一萬", "你摸到 二萬"]
    assert await shared.locator(".river.theirs li").count() == 10
    assert await shared.inner_text("[data-testid=back] b") == "已重連"
    await shared.click("[data-testid=back] button")
    assert await shared.locator("[data-testid=back]").count() == 0


async def test_switches_are_kept_and_hold(shared: Page, stage: str) -> None:
    await show(shared, stage, "turn")
    assert await shared.get_attribute("body", "data-sound") == "turn"
    await shared.click("[data-act=menu]")
    await shared.click("[data-act='menu.settings']")
    for name in ("keys", "corners", "effects"):
        await shared.click(f"[data-switch={name}]")
    await shared.keyboard.press("Escape")
    await shared.wait_for_selector("dialog", state="detached")
    await shared.reload()
    await shared.wait_for_selector(f"{MINE}[data-corners]")
    assert await shared.get_attribute("body", "data-sound") is None
    assert await shared.get_attribute(".bar [data-act=sound]", "aria-pressed") == "false"
    await shared.request.delete(f"{stage}/sent")
    await shared.keyboard.press("d")
    await shared.keyboard.press("Home")
    await shared.keyboard.press("Enter")
    assert [message["o"] for message in await sent(shared, stage)] == ["d2m"]
    await shared.evaluate("() => localStorage.clear()")


async def test_one_stop_in_the_hand_and_the_focus_stays_in_a_dialog(shared: Page, stage: str) -> None:
    await show(shared, stage, "turn")
    assert await shared.locator(".own-hand [tabindex='0']").count() == 1
    await shared.focus(".bar [data-act=leave]")
    await shared.keyboard.press("Enter")
    await shared.wait_for_selector("[data-testid=leave-stay]:focus")
    inside = "() => document.activeElement.closest('.dialog') !== null"
    for _ in range(3):
        await shared.keyboard.press("Tab")
        assert await shared.evaluate(inside)
    await shared.keyboard.press("Escape")
    await shared.wait_for_selector(".bar [data-act=leave]:focus")


async def test_a_lost_partner_is_replaced_while_one_waits(shared: Page, stage: str) -> None:
    waiting = {"status": "waiting", "tier": "classic64-3", "room_id": "public", "waited_ms": 900}
    script = {"GET /api/match": [(200, waiting)]}
    await shared.request.put(f"{stage}/script", data=script)
    await show(shared, stage, "public")
    await shared.wait_for_selector("[data-testid=match-left]")
    await shared.click("[data-testid=match-cancel]")
    await shared.wait_for_url(f"{stage}/")
    await shared.request.put(f"{stage}/script", data={})
