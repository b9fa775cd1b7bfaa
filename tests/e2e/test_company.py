"""Who else is at a table, in the browser: the computer, watchers, words, and nobody."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest_asyncio
from playwright.async_api import Browser, Dialog, Page

from app.store.database import Database
from tests.e2e.house import me
from tests.e2e.scenes import WORDS
from tests.e2e.test_duel import PANEL, SIZE, play, sign_in
from tests.e2e.test_scenes import change_to, sent, show
from tests.integration.serving import serving
from tests.integration.stories import execute

# Auto-play and the computer answer at once, but nobody is taken into another round unasked.
QUICK = """UPDATE tiers SET clocks = '{"forced_ms": 1, "pause_ms": 1, "absent_confirm_ms": 600000}'"""
POINTS = "積分"
PRACTICE = "練習幣"
TEXT = "<img src=x onerror=alert(1)>"
NAMES = ("<b>聽雨</b>", '"><img src>')
WATCHING = "[data-testid=watching]"


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def shared(browser: Browser) -> AsyncIterator[Page]:
    context = await browser.new_context(viewport=SIZE, reduced_motion="reduce")
    page = await context.new_page()
    page.set_default_timeout(10_000)
    yield page
    await context.close()


async def hurry(database_url: str) -> None:
    """Nobody but the player takes his time."""
    database = Database(database_url)
    await execute(database, QUICK)
    await database.close()


async def test_practice_at_a_tier_beyond_reach(browser: Browser, database_url: str) -> None:
    """A round with the computer from the lobby to its record: practice coins throughout, and no points."""
    await hurry(database_url)
    context = await browser.new_context(viewport=SIZE, reduced_motion="reduce")
    async with serving(database_url) as site:
        page = await context.new_page()
        await page.goto(site.http)
        await sign_in(page, "聽雨")
        await page.click("[data-tier=classic64-6]")
        assert await page.locator("[data-testid=quick-start]").is_disabled()
        await page.click("[data-testid=practise]")
        await page.wait_for_url(f"{site.http}/room/*")
        await play(page, presses=8)
        await page.click(".bar [data-act=auto]")
        await page.wait_for_selector(PANEL)
        assert await page.locator(".plate .coins.practice").count() == 2
        assert await page.get_attribute(".their-plate .computer", "aria-label") == "電腦"
        panel = await page.inner_text(PANEL)
        assert PRACTICE in panel
        assert POINTS not in panel
        record = site.http + str(await page.get_attribute("[data-act=settle-record]", "href"))
        await page.click("[data-key=again]")
        await page.wait_for_selector(PANEL, state="detached")
        await page.click(".bar [data-act=leave]")
        words = await page.inner_text("[data-testid=dialog-leave]")
        assert PRACTICE in words
        assert "不扣實力積分" in words
        await page.click("[data-testid=leave-confirm]")
        await page.wait_for_url(f"{site.http}/")
        user = (await (await page.request.get(f"{site.http}/api/me")).json())["user"]
        await page.goto(record)
        await page.wait_for_selector("[data-testid=verdict][data-verdict=kept]")
        kept = await page.inner_text("main")
        await context.close()
    assert (user["coins"], user["points"]) == (10_000, 0)
    assert PRACTICE in kept
    assert POINTS not in kept


async def test_a_third_window_watches_and_no_word_is_markup(browser: Browser, database_url: str) -> None:
    contexts = [await browser.new_context(viewport=SIZE, reduced_motion="reduce") for _ in range(3)]
    ran: list[str] = []

    async def note(dialog: Dialog) -> None:
        ran.append(dialog.message)
        await dialog.dismiss()

    async with serving(database_url, free_text=True) as site:
        first, second, third = pages = [await context.new_page() for context in contexts]
        for page, name in zip(pages, (*NAMES, "觀棋"), strict=True):
            page.on("dialog", note)
            page.on("pageerror", lambda error: ran.append(str(error)))
            await page.goto(site.http)
            await sign_in(page, name)
            await page.wait_for_selector("[data-testid=practise]:not(:disabled)")
        await first.click("[data-testid=create-public]")
        await first.click("[data-switch=spectators]")
        await first.click("[data-testid=opening-go]")
        await first.wait_for_selector("[data-testid=waiting]")
        await second.click(".refresh")
        await second.click("[data-testid=join-room]")
        for page in (first, second):
            await page.click("[data-o=ok]:not(:disabled)")
        for page in (first, second):
            await page.wait_for_selector("body[data-phase=open_hand]")

        await third.click("[data-list=watched]")
        assert (await third.inner_text(".open-rooms li")).startswith(" 對 ".join(NAMES))
        await third.click("[data-testid=watch-room]")
        await third.wait_for_selector(WATCHING)
        assert "畫面稍有延遲" in await third.inner_text(WATCHING)
        seen = [await third.inner_text(f".{side}-plate .who b") for side in ("own", "their")]
        assert seen == list(NAMES)
        assert await third.locator("[data-o], [data-act=auto], [data-act=chat]").count() == 0

        await second.click("[data-act=chat]")
        await second.fill("[data-testid=chat-text]", TEXT)
        await second.keyboard.press("Enter")
        for page in pages:
            await page.wait_for_selector(".bubble")
            assert await page.inner_text(".bubble") == TEXT
            assert await page.locator("img").count() == 0

        await third.reload()
        await third.wait_for_selector(WATCHING)
        await third.click("[data-act=watch-leave]")
        await third.wait_for_url(f"{site.http}/")
        rooms = await (await third.request.get(f"{site.http}/api/rooms?show=watch")).json()
        for context in contexts:
            await context.close()
    assert len(rooms["items"]) == 1
    assert ran == []


async def test_a_watcher_comes_back_as_a_watcher(shared: Page, stage: str) -> None:
    await shared.goto(f"{stage}/room/watch?watch=1")
    await shared.wait_for_selector(WATCHING)
    assert await shared.locator(".own-hand .back").count() == 11
    await shared.request.delete(f"{stage}/tables")
    await shared.wait_for_selector("body[data-conn=lost]")
    await shared.wait_for_selector(f"body[data-conn=open][data-mode=watch] {WATCHING}")


async def test_a_watcher_is_told_why_he_may_not(shared: Page, stage: str) -> None:
    refusal = {"POST /api/ws-tickets": [(403, {"code": "forbidden"})]}
    for room, script, why, ways in (
        ("watch", refusal, "end.unwatched", 1),
        ("watch-crowded", {}, "end.crowded", 2),
    ):
        await shared.request.put(f"{stage}/script", data=script)
        await shared.goto(f"{stage}/room/{room}?watch=1")
        await shared.wait_for_selector(f"[data-testid=ended][data-why='{why}']")
        assert await shared.locator("[data-testid=ended] button").count() == ways
    await shared.request.put(f"{stage}/script", data={})
    await shared.click("[data-testid=ended] button >> nth=0")
    await shared.wait_for_url(f"{stage}/")


async def test_words_are_counted_sent_and_muted(shared: Page, stage: str) -> None:
    await show(shared, stage, "turn")
    await shared.request.delete(f"{stage}/sent")
    await shared.click("[data-act=chat]")
    send = shared.locator("[data-testid=chat-send]")
    assert await send.is_disabled()
    await shared.fill("[data-testid=chat-text]", WORDS + "多")
    assert await shared.inner_text(".length.over") == "61/60 字"
    assert await send.is_disabled()
    await shared.fill("[data-testid=chat-text]", WORDS)
    await shared.click("[data-switch=mute]")
    await send.click()
    assert await sent(shared, stage) == [{"m": "say", "text": WORDS}]
    # Whatever was said has been heard by the time the next view is here.
    for scene, bubbles in (("said", 0), ("said-own", 1)):
        await change_to(shared, stage, scene)
        await change_to(shared, stage, "turn")
        assert await shared.locator(".bubble").count() == bubbles
    await shared.evaluate("() => sessionStorage.clear()")


async def test_where_the_house_wants_no_texts_there_are_phrases(shared: Page, stage: str) -> None:
    await shared.request.put(f"{stage}/script", data={"GET /api/me": [(200, me() | {"free_text": False})]})
    await show(shared, stage, "turn")
    await shared.click("[data-act=chat]")
    assert await shared.locator("[data-phrase]").count() == 8
    assert await shared.locator("[data-testid=chat-text]").count() == 0
    await shared.request.put(f"{stage}/script", data={})


async def test_leaving_states_what_it_costs(shared: Page, stage: str) -> None:
    for scene, words in (
        ("turn", "3,200 金幣，並扣 32 實力積分"),
        ("practice", "3,200 練習幣，不扣實力積分"),
    ):
        await show(shared, stage, scene)
        await shared.click(".bar [data-act=leave]")
        assert words in await shared.inner_text("[data-testid=dialog-leave]")


async def test_going_on_tells_who_has_said_yes(shared: Page, stage: str) -> None:
    await show(shared, stage, "win")
    asked, here = await shared.locator(".chip").all_inner_texts()
    assert (asked, here) == ("聽雨 還沒按", "阿梅 在桌上")
    await shared.click("[data-key=again]")
    await shared.wait_for_selector(".chip[data-state=deciding]")
    ready, deciding = await shared.locator(".chip").all_inner_texts()
    assert ready.startswith("聽雨 已準備")
    assert deciding.startswith("阿梅 等待中 剩")


async def test_who_is_left_alone_may_stay_or_go(shared: Page, stage: str) -> None:
    await show(shared, stage, "forsaken")
    assert await shared.inner_text(f"{PANEL} [data-testid=parted-stay]") == "等新對手"
    await shared.click("[data-testid=parted-stay]")
    await shared.wait_for_selector("[data-testid=invite-code]")
    assert await shared.locator(PANEL).count() == 0
    searching = {"status": "waiting", "tier": "classic64-3", "room_id": "r", "waited_ms": 900}
    await shared.request.put(f"{stage}/script", data={"GET /api/match": [(200, searching)]})
    await show(shared, stage, "forsaken-public")
    await shared.wait_for_selector("[data-testid=parted-stay]:has-text('繼續配對')")
    await shared.request.delete(f"{stage}/sent")
    await shared.click("[data-testid=parted-leave]")
    assert [message["m"] for message in await sent(shared, stage)] == ["leave"]
    await shared.request.put(f"{stage}/script", data={})


async def test_a_new_partner_is_no_rematch(shared: Page, stage: str) -> None:
    await show(shared, stage, "succeeded")
    assert await shared.locator(PANEL).count() == 0
    assert (await shared.inner_text("[data-o=ok]")).startswith("開始")
    assert await asyncio.gather(
        *(shared.inner_text(f".{side}-plate .who b") for side in ("own", "their"))
    ) == [
        "聽雨",
        "雨巷",
    ]
