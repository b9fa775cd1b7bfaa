"""Records kept as fixtures: rounds that must come out the same for ever; run as a module to add new ones.

``<rule set>-<its version>-<record version>.json`` holds rounds of the engine alone and what they came to,
``….jsonl`` of the same name public records of rounds played in rooms. A file is never written anew: what a
stored round came to under a version of the rules is settled. SHA256SUMS says what the files were made as.
"""

from __future__ import annotations

import asyncio
import json
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

from app.bots.policies import POLICIES
from app.bots.self_play import play_round
from app.engine.melds import Meld
from app.engine.record import RECORD_VERSION, Record, replay
from app.engine.state import OutcomeKind, State
from app.rooms.tiers import Clocks, Tier
from app.rules.ruleset import RULESET_IDS, load_ruleset
from app.rules.tiles import TILE_NAMES, format_tiles, from_counts
from tests.public_records import public_record

FOLDER = Path(__file__).parent / "fixtures" / "records"
ROUNDS = 12  # per rule set, half of them of each policy
WON = 9  # at least so many of them
PUBLIC_ROUNDS = 6
SUMS = FOLDER / "SHA256SUMS"


def encode(record: Record) -> dict[str, Any]:
    """A record of the rule set's own options as JSON."""
    return {
        "version": record.version,
        "ruleset": record.ruleset,
        "ruleset_version": record.ruleset_version,
        "seed": record.seed.hex(),
        "actions": " ".join(f"{seat}{code}" for seat, code in record.actions),
    }


def decode(data: dict[str, Any]) -> Record:
    actions = tuple((int(each[0]), each[1:]) for each in data["actions"].split())
    return Record(
        ruleset=data["ruleset"],
        ruleset_version=data["ruleset_version"],
        seed=bytes.fromhex(data["seed"]),
        dealer=None,
        actions=actions,
        version=data["version"],
    )


def outcome_of(state: State) -> dict[str, Any]:
    """What a finished round came to: the win with all its fans, the hands, the rivers."""
    outcome = state.outcome
    assert outcome is not None
    won = None
    if outcome.score is not None:
        fans = [f"{fan.id} {fan.value}x{fan.count}" for fan in outcome.score.fans]
        won = {"total": outcome.score.total, "fans": fans, "tile": TILE_NAMES[outcome.tile]}
    return {
        "kind": outcome.kind.value,
        "seat": outcome.seat,
        "source": outcome.source,
        "won": won,
        "dealer": state.dealer,
        "wall_left": state.wall_left,
        "hands": [format_tiles(from_counts(hand.counts)) for hand in state.hands],
        "melds": [
            [f"{meld.kind.value} {TILE_NAMES[meld.tile]}" for meld in hand.melds] for hand in state.hands
        ],
        "flowers": [format_tiles(hand.flowers) for hand in state.hands],
        "rivers": ["".join(TILE_NAMES[thrown.tile] for thrown in hand.discards) for hand in state.hands],
        "ready": [hand.ready and hand.ready.value for hand in state.hands],
    }


def _meld_text(meld: Meld) -> str:
    return f"{meld.kind.value} {TILE_NAMES[meld.tile]}"


def name_of(ruleset: str) -> str:
    """What the files of a rule set are called now."""
    return f"{ruleset}-{load_ruleset(ruleset).version}-{RECORD_VERSION}"


def sums() -> dict[str, str]:
    """The SHA-256 each file was made with, by name."""
    lines = SUMS.read_text("utf-8").splitlines() if SUMS.exists() else []
    return {name: digest for digest, name in map(str.split, lines)}


def add(name: str, text: str) -> None:
    """A new file of the corpus."""
    (FOLDER / name).write_text(text, "utf-8")
    with SUMS.open("a", encoding="utf-8") as file:
        file.write(f"{sha256(text.encode()).hexdigest()}  {name}\n")


def write(ruleset: str) -> None:
    """New rounds of a rule set; a file that is there stays."""
    rules, name = load_ruleset(ruleset), f"{name_of(ruleset)}.json"
    if name in sums():
        return
    rng, drawn = Random(f"records of {ruleset}"), 0
    kept: list[dict[str, Any]] = []
    policies = [POLICIES[name](rng) for name in ("random", "auto_play")]
    while len(kept) < ROUNDS:
        policy = policies[len(kept) % 2]
        played = play_round(rules, rng.randbytes(32), [policy, policy])
        assert played.state.outcome is not None
        is_won = played.state.outcome.kind is OutcomeKind.WON
        if is_won or drawn < ROUNDS - WON:
            drawn += not is_won
            kept.append({"record": encode(played.record), "outcome": outcome_of(replay(played.record))})
    add(name, json.dumps(kept, ensure_ascii=False, indent=1) + "\n")


async def write_public(ruleset: str) -> None:
    """Rounds as rooms play them: with and without pauses, some left before their end."""
    name = f"{name_of(ruleset)}.jsonl"
    if name in sums():
        return
    bodies = []
    for seed in range(PUBLIC_ROUNDS):
        clocks = Clocks(floor_min_ms=700, floor_max_ms=1_200) if seed % 2 else Clocks()
        tier = Tier(f"{ruleset}-1", "雀仔場", ruleset, base_stake=10, entry_min=500, clocks=clocks)
        bodies.append(await public_record(seed, tier, forfeit=seed == PUBLIC_ROUNDS - 1))
    add(name, "".join(json.dumps(body, ensure_ascii=False) + "\n" for body in bodies))


if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    for each in RULESET_IDS:
        write(each)
        asyncio.run(write_public(each))
