"""The rule book over HTTP; its calculator answers what the command line does. Source: PROTOCOL §1.1."""

from __future__ import annotations

from typing import Any

import pytest
from httpx import AsyncClient

from app.engine.scoring.wire import answer_score
from app.rules.ruleset import RULESET_IDS, load_ruleset

HAND = {"hand": "1112345678999m", "win_tile": "9m", "self_drawn": True}


async def test_every_rule_set_is_listed_and_told_whole(client: AsyncClient) -> None:
    listed = (await client.get("/api/rules")).json()["items"]
    assert [item["id"] for item in listed] == list(RULESET_IDS)
    for ruleset in RULESET_IDS:
        book = (await client.get(f"/api/rules/{ruleset}")).json()
        rules = load_ruleset(ruleset)
        assert [fan["id"] for fan in book["fans"]] == [fan.id for fan in rules.fans]
        assert book["multipliers"]["open_hand"] == rules.open_hand_multiplier
        assert len(book["ranks"]) == 16


@pytest.mark.parametrize("ruleset", RULESET_IDS)
async def test_a_score_is_the_command_lines(client: AsyncClient, ruleset: str) -> None:
    answer = await client.post(f"/api/rules/{ruleset}/score", json=HAND | {"ruleset": "ignored"})
    assert answer.status_code == 200
    assert answer.json() == answer_score(HAND | {"ruleset": ruleset})


@pytest.mark.parametrize(
    "change", [{"hand": "1m"}, {"win_tile": "1z"}, {"self_drawn": 1}, {"robbing_kong": True}, {"hand": None}]
)
async def test_what_cannot_be_scored_is_a_problem_with_the_commands_error(
    client: AsyncClient, change: dict[str, Any]
) -> None:
    answer = await client.post("/api/rules/classic64/score", json=HAND | change)
    assert answer.status_code == 422
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json()["code"] == "cannot_score"
    assert answer.json()["error"] == answer_score(HAND | change | {"ruleset": "classic64"})["error"]


async def test_unknown_rule_sets(client: AsyncClient) -> None:
    assert (await client.get("/api/rules/riichi")).json()["code"] == "no_such_ruleset"
    assert (await client.post("/api/rules/riichi/score", json=HAND)).json()["code"] == "no_such_ruleset"
    assert (await client.post("/api/rules/classic64/score", json=[1])).json()["code"] == "invalid"
