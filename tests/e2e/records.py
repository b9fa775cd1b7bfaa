"""A finished round as ``GET /api/rounds/{id}`` tells it."""

from __future__ import annotations

from functools import cache
from typing import Any

from app.engine.shuffle import SHUFFLE_VERSION, commitment
from tests.e2e.scenes import Json, now_ms, settled_scene, spread

SECRET, NONCE = bytes(range(32)), bytes(range(32, 64))
ENTROPY = (b"\x01" * 32, b"\x02" * 32)
ACTIONS = [
    (1, "kc"), (0, "kc"), (0, "db"), (1, "nd"), (1, "d4z"), (0, "x"), (0, "d1z"), (1, "p1z"), (1, "d9m"),
    (0, "c7m"), (0, "d3z"), (1, "q2m"), (1, "d5m"), (0, "k5m"), (0, "r2m"), (1, "a1z"), (1, "d6z"), (0, "w"),
]  # fmt: skip
WALL = [*spread("123456789m" * 4), *spread("1234567z" * 4)]


@cache
def _result() -> dict[str, Any]:
    result: dict[str, Any] = settled_scene(0, self_drawn=False)[0]["view"]["round"]["result"]
    return result


def record(round_id: str, *, forged: bool = False) -> Json:
    """``forged``: with a commitment that the secret does not give."""
    proof = {
        "round_id": round_id,
        "status": "finished",
        "shuffle": SHUFFLE_VERSION,
        "secret": SECRET.hex(),
        "nonce": NONCE.hex(),
        "entropy": [part.hex() for part in ENTROPY],
        "commitment": "0" * 64 if forged else commitment(SECRET, NONCE, round_id),
    }
    result = _result()
    return {
        "id": round_id,
        "room_id": "r",
        "number": 3,
        "tier": {"id": "classic64-3", "name": "銅雀場"},
        "rake_bp": 500,
        "ruleset": "classic64",
        "ruleset_version": 1,
        "record_version": 1,
        "options": {},
        "base": 100,
        "players": [{"id": "u-聽雨", "name": "聽雨"}, {"id": "u-阿川", "name": "阿川"}],
        "dealer": 1,
        "proof": proof,
        "actions": ACTIONS,
        "result": result | {"revealed": result["revealed"] | {"wall": WALL}},
        "proposed_ms": now_ms() - 400_000,
        "ended_ms": now_ms() - 60_000,
    }
