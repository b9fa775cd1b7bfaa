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

WINS = 600
CHUNK, CHUNKS = 5_000, 20  # per rule set; small enough for the workers to share evenly


def assert_agreed(request: dict[str, Any]) -> set[str]:
    """The fans of a request on which both agree, its waits too."""
    answer = answer_score(request)
    assert "error" not in answer, (request, answer)
    fans = [(fan["id"], fan["count"]) for fan in answer["fans"]]
    assert (answer["total"], fans) == slow_score(request), request
    hand, used = numbers(request["hand"]), Counter(numbers(tiles_of(request)))
    waits = [wait for wait in slow_waits(hand, len(request["melds"])) if used[wait] < 4]
    assert [numbers(name)[0] for name in answer_waits(request)["waits"]] == waits, request
    return {fan_id for fan_id, _ in fans}


def tiles_of(request: dict[str, Any]) -> str:
    """The player's own tiles before the winning one."""
    return str(request["hand"]) + "".join(meld["tiles"] for meld in request["melds"])


def compare(ruleset: str, sample: str, wins: int) -> None:
    """Random wins, among them every fan that the rule set can count."""
    random, rules = Random(f"{sample} of {ruleset}"), load_ruleset(ruleset)
    seen: set[str] = set()
    for _ in range(wins):
        seen |= assert_agreed(random_win(random, ruleset, rules.flowers))
    assert seen == {fan.id for fan in rules.fans if not fan.unreachable}


@pytest.mark.parametrize("ruleset", RULESET_IDS)
def test_agrees_on_random_wins(ruleset: str) -> None:
    compare(ruleset, "wins", WINS)


@pytest.mark.long
@pytest.mark.parametrize("chunk", range(CHUNKS))
@pytest.mark.parametrize("ruleset", RULESET_IDS)
def test_agrees_on_many_random_wins(ruleset: str, chunk: int) -> None:
    """CHUNK × CHUNKS = 100 000 won hands of each rule set."""
    compare(ruleset, f"chunk {chunk}", CHUNK)
