"""Stored rounds replay to what they came to when they were stored, and simulate keeps its digest."""

from __future__ import annotations

import json
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

import pytest

from app.bots.policies import POLICIES
from app.bots.self_play import play_rounds, tally
from app.cli.verify import verify_lines
from app.engine.record import UnreadableRecord, replay
from app.rules import ruleset
from app.rules.ruleset import RULESET_IDS, load_ruleset
from tests.records import FOLDER, PUBLIC_ROUNDS, WON, decode, encode, name_of, outcome_of, sums

FILES = sorted(FOLDER.glob("*.json"))
PUBLIC = sorted(FOLDER.glob("*.jsonl"))

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


@pytest.mark.parametrize("path", PUBLIC, ids=lambda path: path.stem)
def test_public_records_hold(path: Path) -> None:
    content = path.read_bytes()
    assert verify_lines(content) == {"rounds": PUBLIC_ROUNDS, "unplayed": 0}
    assert {json.loads(line)["options"]["pauses"] for line in content.splitlines()} == {False, True}


def test_every_version_has_its_rounds() -> None:
    """Those of today, and all there ever were: a file is neither changed nor taken away."""
    names = {f"{name_of(ruleset)}{suffix}" for ruleset in RULESET_IDS for suffix in (".json", ".jsonl")}
    assert names <= sums().keys()
    assert sums() == {path.name: sha256(path.read_bytes()).hexdigest() for path in [*FILES, *PUBLIC]}


def test_an_older_version_of_the_rules_is_played_by_its_own_data(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As when classic64 comes to version 2: its data of today is kept beside the new."""
    today = ruleset._DATA.joinpath("classic64.toml").read_text("utf-8")
    assert "version = 1\n" in today
    changed = today.replace("version = 1\n", "version = 2\n")
    (tmp_path / "classic64.toml").write_text(changed, "utf-8")
    (tmp_path / "classic64-1.toml").write_text(today, "utf-8")
    stored = rounds_of(next(path for path in FILES if path.stem.startswith("classic64-1-")))
    monkeypatch.setattr(ruleset, "_DATA", tmp_path)
    load_ruleset.cache_clear()
    try:
        assert load_ruleset("classic64").version == 2
        state = replay(decode(stored[0]["record"]))
        assert (state.rules.version, outcome_of(state)) == (1, stored[0]["outcome"])
        with pytest.raises(UnreadableRecord):
            replay(replace(decode(stored[0]["record"]), ruleset_version=3))
    finally:
        load_ruleset.cache_clear()


@pytest.mark.parametrize("ruleset", RULESET_IDS)
def test_random_play_keeps_its_digest(ruleset: str) -> None:
    rng = Random(0)
    policies = [POLICIES["random"](rng)] * 2
    assert tally(play_rounds(load_ruleset(ruleset), 100, rng, policies)).digest == DIGESTS[ruleset]
