"""Every text stands in the message catalogue, and the display face has a glyph for what it shows."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from fontTools.ttLib import TTFont

from app.api.errors import PROBLEMS
from tools.build_display_font import FONT, catalogue, display_text

STATIC = Path(__file__).parents[2] / "static"
CJK = re.compile(r"[\u3000-\u9fff\uf900-\ufaff\uff00-\uffef]")
COMMENT = re.compile(r"/\*.*?\*/|(?<![:'\"])//[^\n]*|<!--.*?-->", re.DOTALL)
SOURCES = [
    path
    for pattern in ("js/**/*.js", "css/*.css", "*.html")
    for path in sorted(STATIC.glob(pattern))
    if "messages" not in path.parts
]
ASKED = re.compile(r"\bt\(\s*'([\w.]+)'")


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(STATIC)))
def test_no_text_outside_the_catalogue(path: Path) -> None:
    assert CJK.findall(COMMENT.sub("", path.read_text())) == []


def test_every_text_that_is_asked_for_is_there() -> None:
    known = catalogue()
    asked = {key for path in SOURCES for key in ASKED.findall(path.read_text())}
    assert asked - known.keys() == set()


def test_the_display_face_has_every_letter_it_shows() -> None:
    missing = {ord(letter) for letter in display_text()} - set(TTFont(FONT).getBestCmap())
    assert {chr(code) for code in missing} == set(), "run tools/build_display_font.py"


def test_every_refusal_has_words() -> None:
    known = catalogue()
    for_programs = {"method_not_allowed", "cannot_score"}  # no page makes these calls
    assert {code for code in PROBLEMS if f"err.{code}" not in known} <= for_programs
