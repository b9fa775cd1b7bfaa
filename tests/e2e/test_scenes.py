"""Every scene at every size: all that can be pressed is in sight and free, and sends what it says."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.async_api import Browser, Page

from tests.e2e.scenes import SCENES

SIZES = {
    "desktop": (1280, 800),
    "portrait": (390, 844),
    "short": (390, 664),
    "landscape": (844, 390),
}

# Buttons whose middle is outside the window or under something else; an own tile may be hidden by nothing.
COVERED = """
() => [...document.querySelectorAll('button:not(:disabled)')].filter((button) => {
  if (!button.getClientRects().length) return false;
  const box = button.getBoundingClientRect();
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  const top = document.elementFromPoint(x, y);
  const veiled = document.querySelector('.veil') && !button.closest('.veil');
  return !veiled && !(top && (button.contains(top) || top.contains(button) && top === button));
}).map((button) => button.outerHTML.slice(0, 120))
"""

# Tiles that stick out of the window.
OUTSIDE = """
() => [...document.querySelectorAll('.table .tile')].filter((tile) => {
  const box = tile.getBoundingClientRect();
  const inside = box.left > -1 && box.right < innerWidth + 1 && box.top > -1 && box.bottom < innerHeight + 1;
  return box.width && !inside;
}).length
"""

SCROLLS = """
() => ['html', '.table', '.felt'].filter((name) => {
  const box = document.querySelector(name);
  return box.scrollWidth > box.clientWidth + 1 || box.scrollHeight > box.clientHeight + 1;
})
"""


async def show(page: Page, stage: str, scene: str) -> None:
    await page.goto(f"{stage}/room/{scene}?invite=K7M2Q9")
    await page.wait_for_selector('body[data-conn="open"]:not([data-phase="connecting"])')


async def open_scene(browser: Browser, stage: str, scene: str) -> Page:
    """A fresh page in a scene, and nothing sent so far."""
    page = await browser.new_page(viewport={"width": 1280, "height": 800}, reduced_motion="reduce")
    page.set_default_timeout(10_000)
    await page.request.delete(f"{stage}/sent")
    await show(page, stage, scene)
    return page


@pytest.mark.parametrize("size", SIZES)
async def test_nothing_is_out_of_sight(browser: Browser, stage: str, size: str) -> None:
    width, height = SIZES[size]
    page = await browser.new_page(viewport={"width": width, "height": height}, reduced_motion="reduce")
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    faults = {}
    for scene in SCENES:
        await show(page, stage, scene)
        await page.wait_for_timeout(300)  # until the buttons take presses
        found = [await page.evaluate(script) for script in (COVERED, OUTSIDE, SCROLLS)]
        if any(found):
            faults[scene] = found
    await page.close()
    assert (faults, complaints) == ({}, [])


async def sent(page: Page, stage: str, at_least: int = 0) -> list[dict[str, Any]]:
    """What the page has said, as soon as it is so much."""
    for _ in range(100):
        messages: list[dict[str, Any]] = await (await page.request.get(f"{stage}/sent")).json()
        if len(messages) >= at_least:
            break
        await page.wait_for_timeout(20)
    return messages


@pytest.mark.parametrize(
    ("scene", "presses", "expected"),
    [
        ("turn", ["[data-o=d5m] >> nth=0"], {"m": "act", "dp": 17, "o": "d5m"}),
        ("turn", ["[data-act=ready]", "[data-o=r2m]"], {"m": "act", "dp": 17, "o": "r2m"}),
        ("claim", ["[data-o=c3m]"], {"m": "act", "dp": 17, "o": "c3m"}),
        ("claim", ["[data-pick=c5m]", "[data-o=c5m]"], {"m": "act", "dp": 17, "o": "c5m"}),
        ("claim", ["[data-o=p5m]"], {"m": "act", "dp": 17, "o": "p5m"}),
        ("claim", ["[data-o=x]"], {"m": "act", "dp": 17, "o": "x"}),
        ("claim-all", ["[data-o=k5m]"], {"m": "act", "dp": 17, "o": "k5m"}),
        ("claim-all", ["[data-o=w]"], {"m": "act", "dp": 17, "o": "w"}),
        ("kongs", ["[data-o=q5m]"], {"m": "act", "dp": 17, "o": "q5m"}),
        ("kongs", ["[data-pick=a6z]", "[data-o=a6z]"], {"m": "act", "dp": 17, "o": "a6z"}),
        ("open-hand", ["[data-o=oh]"], {"m": "act", "dp": 17, "o": "oh"}),
        ("open-hand", ["[data-o=kc]"], {"m": "act", "dp": 17, "o": "kc"}),
        ("double", ["[data-o=db]"], {"m": "act", "dp": 17, "o": "db"}),
        ("double", ["[data-o=nd]"], {"m": "act", "dp": 17, "o": "nd"}),
        ("auto", ["[data-act=auto-off]"], {"m": "auto", "on": False}),
        ("turn", [".bar [data-act=auto]"], {"m": "auto", "on": True}),
        ("turn", ["[data-act=chat]", "[data-phrase=hurry]"], {"m": "say", "phrase": "hurry"}),
        ("waiting", [".bar [data-act=leave]"], {"m": "leave"}),
        (
            "turn",
            [".bar [data-act=leave]", "[data-testid=leave-confirm]"],
            {"m": "leave", "force": True, "penalty_seen": 3_200},
        ),
    ],
)
async def test_each_press_says_one_thing(
    browser: Browser, stage: str, scene: str, presses: list[str], expected: dict[str, Any]
) -> None:
    page = await open_scene(browser, stage, scene)
    for press in presses:
        await page.click(press)
    said = await sent(page, stage, at_least=2 if "force" in expected else 1)
    await page.close()
    assert {**said[-1], "id": None} == {**expected, "id": None}


async def test_confirm_brings_entropy(browser: Browser, stage: str) -> None:
    page = await open_scene(browser, stage, "win")
    await page.click("[data-o=ok]")
    await page.wait_for_selector("[data-testid=confirmed]")
    (message,) = await sent(page, stage)
    await page.close()
    assert len(bytes.fromhex(message["entropy"])) == 32


async def test_a_press_locks_until_it_is_answered(browser: Browser, stage: str) -> None:
    """Two quick presses are one message; the felt is nobody's button."""
    page = await open_scene(browser, stage, "claim")
    await page.wait_for_selector("[data-o=p5m]:not(:disabled)")
    await page.mouse.click(200, 400)
    await page.evaluate(
        "() => { const button = document.querySelector('[data-o=p5m]'); button.click(); button.click(); }"
    )
    await page.wait_for_selector('body[data-ask=""]')
    assert [message["o"] for message in await sent(page, stage)] == ["p5m"]
    await page.close()


@pytest.mark.parametrize(
    ("scene", "keys", "o"),
    [
        ("claim", ["2"], "p5m"),
        ("claim", ["Escape"], "x"),
        ("claim-all", ["h"], "w"),
        ("turn", ["Home", "ArrowRight", "Enter"], "d3m"),
        ("turn", ["d"], "d4z"),
        ("turn", ["r", "d"], "r4z"),
        ("double", ["1"], "db"),
    ],
)
async def test_keys_make_choices(browser: Browser, stage: str, scene: str, keys: list[str], o: str) -> None:
    page = await open_scene(browser, stage, scene)
    await page.wait_for_selector("[data-o]:not(:disabled)")
    for key in keys:
        await page.keyboard.press(key)
    assert [message["o"] for message in await sent(page, stage, at_least=1)] == [o]
    await page.close()


async def test_a_tap_selects_and_a_second_one_discards(browser: Browser, stage: str) -> None:
    context = await browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True)
    page = await context.new_page()
    await page.request.delete(f"{stage}/sent")
    await show(page, stage, "turn")
    tile = page.locator('.own-hand [data-index="2"]:not(:disabled)')
    await tile.tap()
    await page.wait_for_selector('.own-hand [data-index="2"].selected')
    assert await sent(page, stage) == []
    await tile.tap()
    assert [message["o"] for message in await sent(page, stage, at_least=1)] == ["d4m"]
    await context.close()
