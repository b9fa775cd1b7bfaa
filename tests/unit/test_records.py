"""Stored rounds replay to what they came to when they were stored, and simulate keeps its digest."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

from app.bots.policies import POLICIES
from app.bots.self_play import play_rounds, tally
from app.engine.record import replay
from app.rules.ruleset import RULESET_IDS, load_ruleset
from tests.records import FOLDER, WON, decode, encode, outcome_of

FILES = sorted(FOLDER.glob("*.json"))

# Of 100 rounds of the random policy from seed 0; another digest is another game.
DIGESTS = {
    "classic64": "7b1f92b50dab068f8b9fb517ce1fe4f10a59c88e6d7836aefe4267babafb55d2",
    "jiule72": "a7154d29080ef28d0c806e57912486ccf19909afefdf0c8e8eb5dbd73fde11e4",
    "dazhong72": "1327274b39f77f6281e6349884998c3bc93bff9bb94c182b7765e1a2fd2be33b",
    "baiwan64": "915a6441c4af947ecccd33034cb7675c26cc6c5ec0e50d08c294df46c3354678",
}


def rounds_of(path: Path) -> list[dict[str, Any]]:
    stored: list[dict[str, Any]] = json.loads(path.read_text("utf-8"))
    return stored


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_stored_rounds_come_out_the_same(path: Path) -> None:
    stored = rounds_of(path)
    assert sum(each["outcome"]["kind"] == "won" for each in stored) >= WON
    for each in stored:
        record = decode(each["record"])
        assert encode(record) == each["record"]
        assert outcome_of(replay(record)) == each["outcome"]


def test_every_rule_set_has_its_rounds() -> None:
    versions = {f"{ruleset}-{load_ruleset(ruleset).version}" for ruleset in RULESET_IDS}
    assert versions <= {path.stem for path in FILES}


@pytest.mark.parametrize("ruleset", RULESET_IDS)
def test_random_play_keeps_its_digest(ruleset: str) -> None:
    rng = Random(0)
    policies = [POLICIES["random"](rng)] * 2
    assert tally(play_rounds(load_ruleset(ruleset), 100, rng, policies)).digest == DIGESTS[ruleset]
