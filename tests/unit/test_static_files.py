"""The pages keep to the content security policy: no code and no style in the markup."""

from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path

import pytest

STATIC = Path(__file__).parents[2] / "static"
PAGES = sorted(STATIC.glob("*.html"))


class Inline(HTMLParser):
    """What a strict policy would not run."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag == "style" or (tag == "script" and "src" not in given):
            self.found.append(f"<{tag}>")
        self.found += [name for name in given if name.startswith("on") or name == "style"]
        links = [value or "" for name, value in attrs if name in ("src", "href")]
        self.found += [link for link in links if "//" in link or link.startswith(("javascript:", "data:"))]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_no_page_needs_inline_code(page: Path) -> None:
    parser = Inline()
    parser.feed(page.read_text("utf-8"))
    assert parser.found == []


def test_markup_is_made_from_constants_alone() -> None:
    """One function of the pages takes markup, for drawings; nothing else parses any."""
    parsing = (
        "innerHTML",
        "outerHTML",
        "insertAdjacentHTML",
        "document.write",
        "DOMParser",
        "eval(",
        "new Function",
    )
    uses = [
        (path.name, word)
        for path in STATIC.rglob("*.js")
        for word in parsing
        if word in path.read_text("utf-8")
    ]
    assert uses == [("dom.js", "innerHTML")]
