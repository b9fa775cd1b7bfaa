"""Random won hands as requests, rich in what is rare: one suit, kongs, pairs, odd circumstances."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

NAMES = [f"{rank}m" for rank in range(1, 10)] + [f"{rank}z" for rank in range(1, 8)]
KONGS = ("exposed_kong", "added_kong", "concealed_kong")
FLAGS = ("last_wall_tile", "kong_replacement", "robbing_kong", "last_of_kind", "ready", "heavenly_ready")


def random_win(random: Random, ruleset: str, flowers: bool) -> dict[str, Any]:
    """A request that a validator accepts; ``flowers`` if the rule set has them."""
    while True:
        blocks, melds = _random_hand(random)
        counts = Counter(tile for tiles in blocks for tile in tiles)
        counts.update(tile for _, tiles in melds for tile in tiles)
        if max(counts.values()) <= 4:
            break
    concealed = [tile for tiles in blocks for tile in tiles]
    win = random.choice(concealed)
    concealed.remove(win)
    random.shuffle(concealed)
    request: dict[str, Any] = {
        "ruleset": ruleset,
        "hand": "".join(NAMES[tile] for tile in concealed),
        "melds": [{"type": kind, "tiles": "".join(NAMES[tile] for tile in tiles)} for kind, tiles in melds],
        "win_tile": NAMES[win],
        "self_drawn": random.random() < 0.5,
        "seat_wind": random.choice(("1z", "2z")),
        "prevalent_wind": random.choice(("1z", "2z", "3z", "4z")),
    }
    if flowers and random.random() < 0.5:
        picked = random.sample(range(1, 9), random.choice((1, 2, 3, 4, 7, 8)))
        request["flowers"] = "".join(f"{rank}f" for rank in picked)
    if random.random() < 0.5:
        request |= {flag: True for flag in FLAGS if random.random() < 0.3}
    if not melds and random.random() < 0.2:
        request["opening"] = random.choice(("heavenly", "earthly", "humanly"))
    _reconcile(request, concealed.count(win), counts[win])
    return request


def _random_hand(random: Random) -> tuple[list[list[int]], list[tuple[str, list[int]]]]:
    """Concealed blocks and melds; copies are not limited yet."""
    kinds = random.choice((range(9), range(9), range(16), range(9, 16), range(random.randrange(7), 9)))
    if random.random() < 0.1:
        return [[tile, tile] for tile in (random.choice(kinds) for _ in range(7))], []
    if random.random() < 0.05:
        return [[0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 8, 8, random.randrange(9)]], []
    chows = [low for low in range(7) if low in kinds and low + 2 in kinds]
    likes_chows = random.random()
    pattern = random.random() < 0.4
    blocks, melds = [], []
    base, step = random.choice(kinds), random.choice((0, 1, 2, 3, 6))
    for index in range(4):
        low = base + step * index if pattern and random.random() < 0.8 else -1
        if chows and random.random() < likes_chows:
            low = low if low in chows else random.choice(chows)
            tiles, kind = [low, low + 1, low + 2], "chow"
        else:
            tile = low if low in kinds else random.choice(kinds)
            tiles, kind = [tile] * 3, "pung"
        if kind == "pung" and random.random() < 0.3:
            melds.append((random.choice(KONGS), [tiles[0]] * 4))
        elif random.random() < 0.3:
            melds.append((kind, tiles))
        else:
            blocks.append(tiles)
    return [*blocks, [random.choice(kinds)] * 2], melds


def _reconcile(request: dict[str, Any], concealed_copies: int, copies: int) -> None:
    """Drop the flags that PROTOCOL §1.1 calls a conflict."""
    types = {meld["type"] for meld in request["melds"]}
    if "opening" in request:
        for flag in ("last_wall_tile", "kong_replacement", "robbing_kong", "last_of_kind"):
            request.pop(flag, None)
        request["self_drawn"] = request["opening"] != "humanly"
        request["seat_wind"] = "1z" if request["opening"] == "heavenly" else "2z"
        if request["opening"] == "heavenly":
            request.pop("ready", None)
            request.pop("heavenly_ready", None)
    if types & {"chow", "pung", "added_kong"}:
        request.pop("heavenly_ready", None)
    if not request["self_drawn"] or not types & set(KONGS):
        request.pop("kong_replacement", None)
    if request["self_drawn"] or request.get("last_wall_tile") or copies > 1:
        request.pop("robbing_kong", None)
    if concealed_copies:
        request.pop("last_of_kind", None)
