"""Every fan has a sentence in the catalogue, and every row that cannot be formed has its reason."""

from __future__ import annotations

import re
from pathlib import Path

from app.rules.ruleset import RULESET_IDS, load_ruleset

CATALOGUE = Path(__file__).parents[2] / "static" / "js" / "messages" / "zh-Hant" / "fans.js"
KEYS = set(re.findall(r"^  '(fan\.[\w.]+)':", CATALOGUE.read_text("utf-8"), re.MULTILINE))


def test_every_fan_is_told_and_nothing_else() -> None:
    fans = [fan for ruleset in RULESET_IDS for fan in load_ruleset(ruleset).fans]
    told = {f"fan.{fan.id}" for fan in fans if not fan.unreachable}
    reasons = {f"fan.never.{fan.id}" for fan in fans if fan.unreachable}
    assert told | reasons == KEYS
