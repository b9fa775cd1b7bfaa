"""docs/RULES.md tells what the data says."""

from __future__ import annotations

import re
from pathlib import Path

from app.economy.ranks import RANKS
from app.economy.settlement import ESCAPE_FACTOR
from tools.rules_tables import DOCUMENT, with_tables

TEXT = DOCUMENT.read_text("utf-8")
APP = Path(__file__).parents[2] / "app"


def test_the_fan_tables_are_those_of_the_data() -> None:
    assert with_tables(TEXT) == TEXT, "run python -m tools.rules_tables"


def test_ranks_and_penalty_are_those_of_the_code() -> None:
    numbers = TEXT.replace("\u202f", " ")
    for rank in RANKS:
        assert f"{rank.name} {rank.points:,}".replace(",", " ") in numbers, rank
    assert f"base × {ESCAPE_FACTOR}" in TEXT


def test_every_section_the_code_cites_exists() -> None:
    sections = set(re.findall(r"^## §(\d+)", TEXT, re.MULTILINE))
    for path in APP.rglob("*.py"):
        for cited in re.findall(r"RULES §(\d+)", path.read_text("utf-8")):
            assert cited in sections, f"{path.name} cites §{cited}"
