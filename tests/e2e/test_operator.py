"""The operators' page in the browser, beside two players at a table."""

from __future__ import annotations

import asyncio
import json
import time
from typing import Any

from playwright.async_api import Browser, BrowserContext, Page

from app.economy.marks import Seen
from app.economy.periods import day_of
from app.store.database import Database
from app.store.marks import SqlMarks
from tests.e2e.test_company import hurry
from tests.e2e.test_duel import SIZE, sign_in
from tests.e2e.test_public_pages import SIDEWAYS
from tests.e2e.test_scenes import SMALL
from tests.integration.serving import Site, serving
from tests.integration.stories import ZONE, execute
from tests.integration.test_players import rounds_won

SECTIONS = ("tiers", "rooms", "players", "income", "suspects", "log", "ledger")
SHEET = "[data-testid=op-sheet]"


async def desk_of(context: BrowserContext, site: Site, role: str | None) -> Page:
    """The operators' page of somebody new with this role."""
    page = await context.new_page()
    page.set_default_timeout(10_000)
    answer = await context.request.post(f"{site.http}/api/guest", data={"name": "老闆"})
    user_id = (await answer.json())["user"]["id"]
    if role is not None:
        database = Database(site.database_url)
        await execute(database, f"UPDATE users SET role = '{role}' WHERE id = '{user_id}'")
        await database.close()
    await page.goto(f"{site.http}/operator")
    return page


async def change(page: Page, **fields: str) -> None:
    """Fill the open form in and send it."""
    for name, value in fields.items():
        await page.fill(f"[data-testid=op-{name}]", value)
    await page.click("[data-testid=op-send]")


async def test_an_operator_changes_a_rooms_base_while_two_play(browser: Browser, database_url: str) -> None:
    """The players see the new base at once, the next round has it, the log tells who and why."""
    await hurry(database_url)
    contexts = [await browser.new_context(viewport=SIZE, reduced_motion="reduce") for _ in range(3)]
    async with serving(database_url) as site:
        first, second = players = [await context.new_page() for context in contexts[:2]]
        for page, name in zip(players, ("聽雨", "阿梅"), strict=True):
            await page.goto(site.http)
            await sign_in(page, name)
            await page.click("[data-testid=quick-start]:not(:disabled)")
        await asyncio.gather(*(page.wait_for_url(f"{site.http}/room/*") for page in players))
        desk = await desk_of(contexts[2], site, "operator")
        await desk.click("[data-act=rebase]")
        await change(desk, base_stake="20", reason="週末加倍")
        await desk.wait_for_selector("[data-testid=rooms] td:nth-child(3):text-is('20')")
        for page in players:
            await page.wait_for_selector(".bar :text('20')")
            await page.click("[data-o=ok]:not(:disabled)")
        room_id = first.url.rpartition("/")[2].partition("?")[0]
        await second.wait_for_selector("button[data-o]:not([data-o=ok])")
        sheet = await (await contexts[2].request.get(f"{site.http}/api/admin/rooms/{room_id}")).json()
        await desk.click("[data-choice=log]")
        line = await desk.inner_text("[data-testid=log] tbody tr")
        for context in contexts:
            await context.close()
    assert (sheet["phase"], sheet["view"]["room"]["base"]) == ("playing", 20)
    assert sheet["round"] == 1
    assert all(text in line for text in ("老闆", "修改牌桌", "base_stake: 10", "base_stake: 20", "週末加倍"))
    rounds = "SELECT base_stake FROM rounds WHERE status NOT IN ('proposed', 'withdrawn')"
    database = Database(database_url)
    assert await execute(database, rounds) == [(20,)]
    await database.close()


async def test_whoever_was_slower_sees_what_the_other_did(browser: Browser, database_url: str) -> None:
    """Nothing is overwritten unseen, and only what was changed is sent."""
    context = await browser.new_context(viewport=SIZE, reduced_motion="reduce")
    async with serving(database_url) as site:
        desk = await desk_of(context, site, "operator")
        csrf = (await (await context.request.get(f"{site.http}/api/me")).json())["csrf"]
        await desk.click("[data-choice=tiers]")
        await desk.click("[data-tier=classic64-1]")
        other = {"version": 1, "base": 30, "name": "新雀場", "reason": "先到"}
        headers = {"X-Erma-CSRF": csrf, "content-type": "application/json"}
        tier = f"{site.http}/api/admin/tiers/classic64-1"
        faster = await context.request.patch(tier, data=json.dumps(other), headers=headers)
        assert faster.ok
        await change(desk, base="40", reason="後到")
        await desk.wait_for_selector(".op-problem:not(:empty)")
        now = [note for note in await desk.locator(".op-now").all_inner_texts() if note]
        await desk.click("[data-testid=op-send]")
        await desk.wait_for_selector("dialog", state="detached")
        changed: dict[str, Any] = await (await context.request.get(tier)).json()
        await context.close()
    assert now == ["現在是 新雀場", "現在是 30"]
    assert (changed["name"], changed["base"], changed["version"]) == ("新雀場", 40, 3)


async def test_a_pair_at_one_address_is_listed(browser: Browser, database_url: str) -> None:
    now_ms = time.time_ns() // 1_000_000
    database = Database(database_url)
    players = await rounds_won(database, 2)
    await execute(database, f"UPDATE round_results SET at_ms = {now_ms}")
    seen = {Seen(player.id, "203.0.113.5") for player in players}
    await SqlMarks(database).note(seen, day_of(now_ms, ZONE))
    await database.close()
    context = await browser.new_context(viewport=SIZE, reduced_motion="reduce")
    async with serving(database_url) as site:
        desk = await desk_of(context, site, "viewer")
        await desk.click("[data-choice=suspects]")
        await desk.wait_for_selector("[data-testid=neighbours]")
        cells = await desk.locator("[data-testid=neighbours] tbody td").all_inner_texts()
        await context.close()
    assert cells == ["ann", "bob", "1", "494"]


async def test_every_section_opens_and_a_viewer_has_no_buttons(browser: Browser, database_url: str) -> None:
    context = await browser.new_context(viewport=SIZE, reduced_motion="reduce")
    complaints: list[str] = []
    async with serving(database_url) as site:
        desk = await desk_of(context, site, "viewer")
        await desk.goto(site.http)
        await desk.click("[data-testid=to-desk]")
        desk.on("pageerror", lambda error: complaints.append(str(error)))
        for section in SECTIONS:
            await desk.click(f"[data-choice={section}]")
            await desk.wait_for_selector(f"{SHEET}[data-section={section}] .op-section > *")
            await desk.wait_for_function("() => !document.querySelector('.op-sheet [role=status].empty')")
            assert await desk.locator("[role=alert]:not(:empty)").count() == 0, section
            assert (await desk.evaluate(SMALL), await desk.evaluate(SIDEWAYS)) == ([], False), section
            assert await desk.locator("[data-act=edit], [data-act=new-tier]").count() == 0
        await desk.click("[data-act=prove]")
        await desk.wait_for_selector("[data-testid=proof].ok")
        await desk.click("[data-choice=players]")
        await desk.fill("[data-testid=op-search]", "老")
        await desk.keyboard.press("Enter")
        await desk.click("[data-player]")
        await desk.wait_for_selector("[data-testid=dossier]")
        assert await desk.locator("[data-testid=dossier] button").count() == 0
        await context.close()
    assert complaints == []


async def test_players_and_strangers_are_turned_away(browser: Browser, database_url: str) -> None:
    context = await browser.new_context(viewport=SIZE)
    async with serving(database_url) as site:
        page = await context.new_page()
        await page.goto(f"{site.http}/operator")
        await page.wait_for_selector("[data-testid=refused]")
        page = await desk_of(context, site, None)
        assert await page.inner_text("[data-testid=refused]") == "這一頁只給管理員"
        await page.goto(site.http)
        await page.wait_for_selector("[data-testid=account]")
        assert await page.locator("[data-testid=to-desk]").count() == 0
        await context.close()
