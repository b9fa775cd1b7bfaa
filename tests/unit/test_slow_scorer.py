"""The engine against the slow scorer, on random won hands of every rule set."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest

from app.engine.scoring.wire import answer_score, answer_waits
from app.rules.ruleset import RULESET_IDS, load_ruleset
from tests.random_wins import random_win
from tests.slow_scorer import numbers, slow_score, slow_waits

WINS, MANY_WINS = 500, 25_000


def assert_agreed(request: dict[str, Any]) -> None:
    answer = answer_score(request)
    assert "error" not in answer, (request, answer)
    fans = [(fan["id"], fan["count"]) for fan in answer["fans"]]
    assert (answer["total"], fans) == slow_score(request), request
    hand, used = numbers(request["hand"]), Counter(numbers(tiles_of(request)))
    waits = [wait for wait in slow_waits(hand, len(request["melds"])) if used[wait] < 4]
    assert [numbers(name)[0] for name in answer_waits(request)["waits"]] == waits, request


def tiles_of(request: dict[str, Any]) -> str:
    """The player's own tiles before the winning one."""
    return str(request["hand"]) + "".join(meld["tiles"] for meld in request["melds"])


@pytest.mark.parametrize("ruleset", RULESET_IDS)
def test_agrees_on_random_wins(ruleset: str) -> None:
    random = Random(f"wins of {ruleset}")
    flowers = load_ruleset(ruleset).flowers
    for _ in range(WINS):
        assert_agreed(random_win(random, ruleset, flowers))


@pytest.mark.long
@pytest.mark.parametrize("ruleset", RULESET_IDS)
def test_agrees_on_many_random_wins(ruleset: str) -> None:
    random = Random(f"many wins of {ruleset}")
    flowers = load_ruleset(ruleset).flowers
    for _ in range(MANY_WINS):
        assert_agreed(random_win(random, ruleset, flowers))
