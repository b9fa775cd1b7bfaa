"""Random won hands as requests, rich in what is rare: one suit, kongs, pairs, odd circumstances."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Any

Hand = tuple[list[list[int]], list[tuple[str, list[int]]]]

NAMES = [f"{rank}m" for rank in range(1, 10)] + [f"{rank}z" for rank in range(1, 8)]
KONGS = ("exposed_kong", "added_kong", "concealed_kong")
FLAGS = ("last_wall_tile", "kong_replacement", "robbing_kong", "last_of_kind", "ready", "heavenly_ready")


def random_win(random: Random, ruleset: str, flowers: bool) -> dict[str, Any]:
    """A request that a validator accepts; ``flowers`` if the rule set has them."""
    while True:
        hand = random_hand(random)
        if max(_copies(hand).values()) <= 4:
            return won_with(random, ruleset, flowers, hand)


def laid(random: Random, sets: list[list[int]], pair: int, kongs: float = 0.2) -> Hand:
    """These sets and this pair, some of them melded; a pung may become a kong, five of a kind or not."""
    blocks, melds = [], []
    for tiles in sets:
        if tiles[0] == tiles[2] and random.random() < kongs:
            melds.append((random.choice(KONGS), [tiles[0]] * 4))
        elif random.random() < 0.4:
            melds.append(("pung" if tiles[0] == tiles[2] else "chow", tiles))
        else:
            blocks.append(tiles)
    return [*blocks, [pair, pair]], melds


def won_with(random: Random, ruleset: str, flowers: bool, hand: Hand) -> dict[str, Any]:
    """Any of the concealed tiles wins, under any circumstances that can be."""
    blocks, melds = hand
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
    _reconcile(request, concealed.count(win), _copies(hand)[win])
    return request


def _copies(hand: Hand) -> Counter[int]:
    blocks, melds = hand
    return Counter(tile for tiles in (*blocks, *(tiles for _, tiles in melds)) for tile in tiles)


def random_hand(random: Random) -> Hand:
    """Concealed blocks and melds; copies are not limited yet."""
    if random.random() < 0.15:
        return random.choice(RARE)(random)
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


def _pung_hand(random: Random, kinds: list[int], others: int, kongs: float = 0.2) -> Hand:
    """Pungs of ``kinds``, but ``others`` of the four sets are any; so is the pair, now and then."""
    picked = random.sample(kinds, len(kinds))
    sets = [[tile] * 3 for tile in picked[: 4 - others]]
    for _ in range(others):
        low = random.randrange(7)
        sets.append(random.choice(([low, low + 1, low + 2], [random.randrange(16)] * 3)))
    left = picked[4 - others :]
    return laid(
        random, sets, random.choice(left) if left and random.random() < 0.7 else random.randrange(16), kongs
    )


def _chow_hand(random: Random, lows: list[int], pair: int) -> Hand:
    return laid(random, [[low, low + 1, low + 2] for low in lows], pair)


def _shifted_pairs(random: Random) -> Hand:
    low = random.randrange(3)
    return [[tile, tile] for tile in range(low, low + 7)], []


def _ends(random: Random) -> Hand:
    """Chows and pungs that all touch a terminal or an honour."""
    sets = [
        random.choice(([0, 1, 2], [6, 7, 8], [random.choice((0, 8, *range(9, 16)))] * 3)) for _ in range(4)
    ]
    return laid(random, sets, random.choice((0, 8, *range(9, 16))))


def _four_ranks(random: Random) -> Hand:
    """All tiles from four ranks at one end; most draws have five of a kind and are drawn again."""
    first = random.choice((0, 5))
    while True:
        lows = [first + random.randrange(2) for _ in range(4)]
        sets = [random.choice(([low, low + 1, low + 2], [low + 2] * 3, [low] * 3)) for low in lows]
        pair = first + random.randrange(4)
        counts = Counter([pair, pair, *(tile for tiles in sets for tile in tiles)])
        if max(counts.values()) <= 4:
            return laid(random, sets, pair, 0.0)


# Hands with fans that chance alone would hardly ever bring.
RARE: tuple[Callable[[Random], Hand], ...] = (
    lambda random: _pung_hand(random, [9, 10, 11, 12], 0),
    lambda random: _pung_hand(random, [9, 10, 11, 12], 1),
    lambda random: _pung_hand(random, [13, 14, 15], 1),
    lambda random: _pung_hand(random, [13, 14, 15], 2),
    lambda random: _pung_hand(random, list(range(16)), 0, 1.0),
    lambda random: _pung_hand(random, [0, 8, *range(9, 16)], 0),
    lambda random: _pung_hand(random, list(range(base := random.randrange(6), base + 4)), 0, 0.1),
    lambda random: _pung_hand(random, [5, 6, 7, 8], 0, 0.7),
    lambda random: _chow_hand(random, [0, 0, 6, 6], 4),
    lambda random: _chow_hand(random, [random.randrange(7)] * 4, random.randrange(16)),
    lambda random: _chow_hand(random, [0, 2, 4, 6], random.randrange(16)),
    _shifted_pairs,
    _ends,
    _ends,
    _four_ranks,
    _four_ranks,
)


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
