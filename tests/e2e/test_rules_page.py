"""The rule book: every fan of every rule set, and a calculator that says what the scorer says."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page

from app.engine.scoring.wire import answer_score
from app.rules.examples import load_examples
from app.rules.ruleset import RULESET_IDS, load_ruleset

TOTAL = "[data-testid=calc-total]"
EXAMPLES = ("nine_gates", "four_kongs", "heavenly_hand", "seven_pairs", "last_tile_draw")


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def rules(browser: Browser, stage: str) -> AsyncIterator[Page]:
    context = await browser.new_context(viewport={"width": 1280, "height": 800}, reduced_motion="reduce")
    page = await context.new_page()
    page.set_default_timeout(10_000)
    await page.goto(f"{stage}/rules")
    yield page
    await context.close()


@pytest.mark.parametrize("ruleset", RULESET_IDS)
async def test_a_rule_set_is_shown_whole_and_its_examples_are_worth_what_the_scorer_says(
    rules: Page, ruleset: str
) -> None:
    fans = load_ruleset(ruleset).fans
    await rules.click(f"[data-choice={ruleset}]")
    await rules.wait_for_function(
        "ids => [...document.querySelectorAll('.fan')].map((fan) => fan.dataset.fan).sort().join() === ids",
        arg=",".join(sorted(fan.id for fan in fans)),
    )
    assert await rules.locator(".fan.never").count() == sum(fan.unreachable for fan in fans)
    assert "fan." not in await rules.inner_text(".book")  # no key without a text
    for fan_id in [fan.id for fan in fans if fan.id in EXAMPLES]:
        total = answer_score({**load_examples()[fan_id], "ruleset": ruleset})["total"]
        await rules.click("[data-act=clear]")
        await rules.click(f"[data-fan={fan_id}] .try")
        await rules.wait_for_selector(f"{TOTAL}[data-total='{total}']")


async def test_a_hand_put_together_by_mouse(rules: Page) -> None:
    await rules.click("[data-choice=classic64]")
    await rules.click("[data-act=clear]")
    await rules.click("[data-choice=chow]")
    await rules.click("[data-add='1m']")
    await rules.click("[data-choice=hand]")
    for tile in ("4m", "5m", "6m", "7m", "8m", "5z", "5z", "5z", "2z", "2z"):
        await rules.click(f"[data-add='{tile}']")
    assert await rules.locator("[data-add='3z']:disabled").count() == 1  # thirteen are thirteen
    await rules.click("[data-choice=win]")
    assert await rules.locator("[data-add='5z']").is_enabled()
    await rules.click("[data-add='9m']")
    request = {
        "ruleset": "classic64",
        "hand": "45678m55522z",
        "melds": [{"type": "chow", "tiles": "123m"}],
        "win_tile": "9m",
    }
    for drawn in (False, True):
        total = answer_score(request | {"self_drawn": drawn})["total"]
        await rules.wait_for_selector(f"{TOTAL}[data-total='{total}']")
        await rules.click("[data-key=self_drawn]")
    await rules.click("[data-add='1z']")
    await rules.wait_for_selector(".problem")
    assert await rules.locator(TOTAL).count() == 0
