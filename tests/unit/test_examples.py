"""The rule book's example hands have the fan they stand for, in every rule set."""

from __future__ import annotations

import pytest

from app.engine.scoring.wire import answer_score
from app.rules.examples import load_examples
from app.rules.ruleset import RULESET_IDS, load_ruleset

ROWS = [
    (ruleset, fan.id) for ruleset in RULESET_IDS for fan in load_ruleset(ruleset).fans if not fan.unreachable
]


@pytest.mark.parametrize(("ruleset", "fan_id"), ROWS)
def test_an_example_has_its_fan(ruleset: str, fan_id: str) -> None:
    answer = answer_score({**load_examples()[fan_id], "ruleset": ruleset})
    assert fan_id in [fan["id"] for fan in answer["fans"]]


def test_no_example_stands_for_nothing() -> None:
    assert set(load_examples()) == {fan_id for _, fan_id in ROWS}
