"""Whatever a page writes in the display face, the shipped subset has the glyphs for it."""

from __future__ import annotations

from fontTools.ttLib import TTFont
from playwright.async_api import Browser

from tests.e2e.scenes import SCENES
from tools.build_display_font import FONT

# Letters of every text node whose first font is the display face.
SHOWN = """
() => {
  const letters = new Set();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const font = getComputedStyle(walker.currentNode.parentElement).fontFamily;
    if (font.startsWith('"Kai Display"')) for (const letter of walker.currentNode.data) letters.add(letter);
  }
  return [...letters].join('');
}
"""
PAGES = {
    "/": ["[data-act=settings]", ".place"],
    "/leaderboard": [".place"],
    "/players/u-聽雨": [".played"],
    "/replay/round-3": ["[data-testid=verdict]"],
}


async def test_every_page_keeps_to_the_display_face(browser: Browser, stage: str) -> None:
    context = await browser.new_context(viewport={"width": 1280, "height": 800})
    page = await context.new_page()
    await page.request.put(f"{stage}/script", data={})
    shown = ""
    for path, marks in PAGES.items():
        await page.goto(stage + path)
        for mark in marks:
            await page.wait_for_selector(mark)
        shown += await page.evaluate(SHOWN)
    await page.goto(f"{stage}/room/turn")
    await page.wait_for_selector("body[data-armed]")
    for scene in SCENES:
        seq = await (await page.request.post(f"{stage}/stage/{scene}")).json()
        await page.wait_for_selector(f'body[data-seq="{seq}"]')
        shown += await page.evaluate(SHOWN)
    await context.close()
    missing = {ord(letter) for letter in shown if letter.strip()} - set(TTFont(FONT).getBestCmap())
    assert {chr(code) for code in missing} == set()
