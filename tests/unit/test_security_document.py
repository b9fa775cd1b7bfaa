"""Every test that docs/SECURITY.md names exists, and every threat names one."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
NAMED = re.compile(r"`(tests/[\w/]+\.py)(?:::(\w+))?`")


def threats() -> list[str]:
    text = (ROOT / "docs" / "SECURITY.md").read_text("utf-8")
    table = text[text.index("## The table") : text.index("## What is not covered")]
    return [line for line in table.splitlines() if line.startswith("| ")][1:]


def test_every_threat_names_tests_that_exist() -> None:
    assert len(threats()) > 20
    for line in threats():
        named = NAMED.findall(line.rsplit("|", 2)[1])
        assert named, line
        for path, test in named:
            code = (ROOT / path).read_text("utf-8")
            assert not test or re.search(rf"^(async )?def {test}\(", code, re.MULTILINE), f"{path}::{test}"
