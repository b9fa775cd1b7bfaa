"""An account in the browser, from the first visit to the last. Source: PROTOCOL §2.7."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from playwright.async_api import Browser, Page

from app.store.database import Database
from tests.integration.serving import serving
from tests.integration.stories import execute

PASSWORD = "four tiles and a pair"
RICH = (
    "UPDATE users SET points = 8000 WHERE name = '聽雨'",
    "UPDATE accounts SET balance = 54321 WHERE id LIKE 'user:%'",
)


@asynccontextmanager
async def device(browser: Browser, address: str) -> AsyncIterator[Page]:
    """A browser that has not been here before, at the door."""
    context = await browser.new_context(viewport={"width": 1280, "height": 800})
    page = await context.new_page()
    page.set_default_timeout(10_000)
    await page.goto(address)
    await page.wait_for_selector("[data-testid=nickname]")
    yield page
    await context.close()


async def fill(page: Page, form: str, **fields: str) -> None:
    """Fill in a dialog and send it off."""
    for name, value in fields.items():
        await page.fill(f"[data-testid=dialog-{form}] [data-testid=field-{name}]", value)
    await page.click(f"[data-testid={form}-go]")


async def holdings(page: Page) -> list[str]:
    """Name, coins and title, as the lobby shows them."""
    await page.wait_for_selector(".title-button")
    shown = ("[data-testid=me-name]", ".face .coins", ".title-button")
    return [await page.inner_text(selector) for selector in shown]


async def choose(page: Page, item: str) -> None:
    await page.click("[data-testid=account]")
    await page.click(f"[data-testid=account-{item}]")


async def test_a_guest_registers_and_finds_all_he_had_on_another_device(
    browser: Browser, database_url: str
) -> None:
    async with serving(database_url) as site, device(browser, site.http) as page:
        await page.fill("[data-testid=nickname]", "聽雨")
        await page.click("[data-testid=sign-in]")
        await page.wait_for_selector("[data-testid=keep]")
        database = Database(database_url)
        await execute(database, *RICH)
        await database.close()
        await page.reload()
        before = await holdings(page)
        assert before == ["聽雨", "54,321", "銀雀"]

        await page.click("[data-testid=keep]")
        await fill(page, "register", password="12345678")
        await page.wait_for_selector("[data-testid=form-problem]:not(:empty)")
        assert "太多人用" in await page.inner_text("[data-testid=form-problem]")
        await fill(page, "register", name="夜雨", password=PASSWORD)
        await page.wait_for_selector("[data-testid=news]:not(:empty)")
        await page.wait_for_selector("[data-testid=keep]", state="detached")
        after = ["夜雨", *before[1:]]
        assert await holdings(page) == after

        await choose(page, "logout")
        await page.click("[data-testid=to-login]")
        await fill(page, "login", name="夜雨", password="wrong")
        await page.wait_for_selector("[data-testid=form-problem]:not(:empty)")
        await fill(page, "login", name="夜雨", password=PASSWORD)
        assert await holdings(page) == after

        async with device(browser, site.http) as other:
            await other.click("[data-testid=to-login]")
            await fill(other, "login", name="夜雨", password=PASSWORD)
            assert await holdings(other) == after
            await choose(other, "devices")
            await other.wait_for_selector(".devices li")
            assert await other.locator(".devices li").count() == 2
            await other.click("[data-testid=everywhere-go]")
            await other.wait_for_selector("[data-testid=nickname]")
        await page.reload()
        await page.wait_for_selector("[data-testid=nickname]")


async def test_leaving_takes_the_name_typed_and_the_password(browser: Browser, database_url: str) -> None:
    async with serving(database_url) as site, device(browser, site.http) as page:
        await page.click("[data-testid=to-register]")
        await fill(page, "register", name="夜雨", password=PASSWORD)
        await choose(page, "rename")
        await fill(page, "rename", name="電腦")
        await page.wait_for_selector("[data-testid=form-problem]:not(:empty)")
        await page.keyboard.press("Escape")
        await choose(page, "password")
        await fill(page, "password", old=PASSWORD, fresh=f"{PASSWORD}, please")
        await page.wait_for_selector("[data-testid=news]:not(:empty)")
        await choose(page, "leave")
        go = page.locator("[data-testid=leave-go]")
        await page.fill("[data-testid=field-confirm]", "夜")
        assert await go.is_disabled()
        await fill(page, "leave", confirm="夜雨", password=f"{PASSWORD}, please")
        await page.wait_for_selector("[data-testid=to-login]")
        await page.click("[data-testid=to-login]")
        await fill(page, "login", name="夜雨", password=f"{PASSWORD}, please")
        await page.wait_for_selector("[data-testid=form-problem]:not(:empty)")
