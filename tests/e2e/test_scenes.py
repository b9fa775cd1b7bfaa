"""Every scene at every size: all that can be pressed is in sight and free, and sends what it says."""

from __future__ import annotations

import itertools
from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, ViewportSize

from tests.e2e.display_face import SHOWN, without_glyph
from tests.e2e.scenes import SCENES

SIZES: dict[str, ViewportSize] = {
    "desktop": {"width": 1280, "height": 800},
    "portrait": {"width": 390, "height": 844},
    "short": {"width": 390, "height": 664},
    "landscape": {"width": 844, "height": 390},
}

CROWDED = ("turn", "claim-all", "full", "win")

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
# What is pressed by a finger and smaller than one.
SMALL = """
() => [...document.querySelectorAll('button, a[href], input')].filter((target) => {
  const box = target.getBoundingClientRect();
  return box.width && !target.closest('.place, .own-hand') && Math.min(box.width, box.height) < 43.5;
}).map((target) => `${target.offsetWidth}×${target.offsetHeight} ${target.outerHTML.slice(0, 120)}`)
"""
CHECKS = f"() => [{COVERED}, {OUTSIDE}, {SCROLLS}, {SMALL}].map((check) => check())"
CLEAN = [[], 0, [], []]


async def show(page: Page, stage: str, scene: str) -> None:
    """Open a scene and wait until what it asks, if anything, can be answered."""
    await page.goto(f"{stage}/room/{scene}?invite=K7M2Q9")
    await page.wait_for_selector(f'body[data-conn="open"]{_settled(scene)}')


async def fit(page: Page, viewport: ViewportSize) -> None:
    """Give the window a size and wait until the page is laid out for it: transitions end a frame later."""
    await page.set_viewport_size(viewport)
    await page.wait_for_selector(f'body[data-fit="{viewport["width"]}x{viewport["height"]}"]')
    await page.evaluate("() => Promise.allSettled(document.getAnimations().map((moving) => moving.finished))")


async def change_to(page: Page, stage: str, scene: str) -> None:
    """The same, on a page that is at a table already: the server sends another view."""
    if "/room/" not in page.url or await page.locator(".dialog").count():
        await show(page, stage, scene)
    seq = await (await page.request.post(f"{stage}/stage/{scene}")).json()
    await page.wait_for_selector(f'body[data-seq="{seq}"]{_settled(scene)}')


def _settled(scene: str) -> str:
    telling = [frame["m"] for frame in SCENES[scene]() if frame["m"] != "said"]
    asked = telling[-1] == "ask"  # else an event has overtaken it
    return "[data-armed]" if asked else ':not([data-phase="connecting"])'


async def sent(page: Page, stage: str, at_least: int = 1) -> list[dict[str, Any]]:
    """What the page has said, as soon as it is so much."""
    messages: list[dict[str, Any]] = await (
        await page.request.get(f"{stage}/sent?at_least={at_least}")
    ).json()
    return messages


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def shared(browser: Browser) -> AsyncIterator[Page]:
    """One window for many scenes: each is opened anew, the files stay in its cache."""
    context = await browser.new_context(viewport=SIZES["desktop"], reduced_motion="reduce")
    page = await context.new_page()
    page.set_default_timeout(10_000)
    yield page
    await context.close()


@pytest_asyncio.fixture(loop_scope="session")
async def page(shared: Page, stage: str) -> Page:
    """The shared window at desktop size, and nothing sent so far."""
    await shared.set_viewport_size(SIZES["desktop"])
    await shared.request.delete(f"{stage}/sent")
    return shared


async def test_nothing_is_out_of_sight(page: Page, stage: str) -> None:
    """The crowded scenes at every size, the others in turn at one; the long run has all of them."""
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    faults, shown = {}, ""
    for scene, size in zip(SCENES, itertools.cycle(SIZES), strict=False):
        await change_to(page, stage, scene)
        for here in SIZES if scene in CROWDED else (size,):
            await fit(page, SIZES[here])
            found = await page.evaluate(CHECKS)
            if found != CLEAN:
                faults[scene, here] = found
        shown += await page.evaluate(SHOWN)
    assert (faults, complaints) == ({}, [])
    assert without_glyph(shown) == set()


@pytest.mark.long
@pytest.mark.parametrize("size", SIZES)
async def test_nothing_is_out_of_sight_when_it_opens_in_this_size(page: Page, stage: str, size: str) -> None:
    await page.set_viewport_size(SIZES[size])
    faults = {}
    for scene in SCENES:
        await show(page, stage, scene)
        found = await page.evaluate(CHECKS)
        if found != CLEAN:
            faults[scene] = found
    assert faults == {}


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
    page: Page, stage: str, scene: str, presses: list[str], expected: dict[str, Any]
) -> None:
    await change_to(page, stage, scene)
    for press in presses:
        await page.click(press)
    said = await sent(page, stage, at_least=2 if "force" in expected else 1)
    assert {**said[-1], "id": None} == {**expected, "id": None}
    if "force" in expected:
        await page.wait_for_url(f"{stage}/")
    elif expected["m"] == "leave":
        await page.wait_for_selector("[data-testid=leave-confirm]")


async def test_confirm_brings_entropy(page: Page, stage: str) -> None:
    await change_to(page, stage, "win")
    await page.click("[data-o=ok]")
    await page.wait_for_selector("[data-testid=confirmed]")
    (message,) = await sent(page, stage)
    assert len(bytes.fromhex(message["entropy"])) == 32


async def test_a_press_locks_until_it_is_answered(page: Page, stage: str) -> None:
    """Two quick presses are one message; the felt is nobody's button."""
    await change_to(page, stage, "claim")
    await page.mouse.click(200, 400)
    await page.evaluate(
        "() => { const button = document.querySelector('[data-o=p5m]'); button.click(); button.click(); }"
    )
    await page.wait_for_selector('body[data-ask=""]')
    assert [message["o"] for message in await sent(page, stage)] == ["p5m"]


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
async def test_keys_make_choices(page: Page, stage: str, scene: str, keys: list[str], o: str) -> None:
    await change_to(page, stage, scene)
    for key in keys:
        await page.keyboard.press(key)
    assert [message["o"] for message in await sent(page, stage)] == [o]


async def test_a_tap_selects_and_a_second_one_discards(browser: Browser, stage: str) -> None:
    context = await browser.new_context(viewport=SIZES["portrait"], has_touch=True)
    page = await context.new_page()
    await page.request.delete(f"{stage}/sent")
    await show(page, stage, "turn")
    tile = page.locator('.own-hand [data-index="2"]')
    await tile.tap()
    await page.wait_for_selector('.own-hand [data-index="2"].selected')
    assert await sent(page, stage, at_least=0) == []
    await tile.tap()
    assert [message["o"] for message in await sent(page, stage)] == ["d4m"]
    await context.close()
