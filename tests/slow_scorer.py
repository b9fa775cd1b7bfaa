"""A second scorer to hold the first against: RULES §7 spelt out over lists of tiles, no tables, no memory.

It shares nothing with the engine but the data files: requests come as in PROTOCOL §1.1, tiles are numbers of
its own (1–9 萬, 11–17 東南西北白發中, 21–28 flowers), every reading is found by trying.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any

import app.rules

Fans = dict[str, int]
Tiles = list[int]

DATA = Path(app.rules.__file__).parent / "data"
EVERY_KIND = [*range(1, 10), *range(11, 18)]
WIND_TILES = [11, 12, 13, 14]
DRAGON_TILES = [15, 16, 17]
OFFSETS = {"m": 0, "z": 10, "f": 20}


@dataclass
class Block:
    """A set or a pair, with how it came about."""

    tiles: Tiles
    meld: str = ""  # type of the meld, "" for concealed tiles
    has_win: bool = False

    @property
    def is_pair(self) -> bool:
        return len(self.tiles) == 2

    @property
    def is_pung(self) -> bool:
        return len(self.tiles) >= 3 and self.tiles[0] == self.tiles[1]

    @property
    def is_chow(self) -> bool:
        return len(self.tiles) == 3 and self.tiles[0] != self.tiles[1]

    @property
    def is_kong(self) -> bool:
        return len(self.tiles) == 4

    @property
    def is_exposed(self) -> bool:
        return self.meld not in ("", "concealed_kong")


def numbers(text: str) -> Tiles:
    tiles, pending = [], ""
    for letter in text:
        if letter in OFFSETS:
            tiles += [int(rank) + OFFSETS[letter] for rank in pending]
            pending = ""
        else:
            pending += letter
    return sorted(tiles)


@cache
def table_of(ruleset: str) -> dict[str, Any]:
    return tomllib.loads((DATA / f"{ruleset}.toml").read_text("utf-8"))


# Shapes


def without(tiles: Tiles, gone: Tiles) -> Tiles | None:
    rest = list(tiles)
    for tile in gone:
        if tile not in rest:
            return None
        rest.remove(tile)
    return rest


def cut_into_sets(tiles: Tiles) -> Iterator[list[Tiles]]:
    if not tiles:
        yield []
        return
    low = tiles[0]
    for taken in ([low, low, low], [low, low + 1, low + 2]):
        if taken[0] != taken[2] and low > 7:
            continue
        rest = without(tiles, taken)
        if rest is not None:
            for others in cut_into_sets(rest):
                yield [taken, *others]


def cut(tiles: Tiles) -> Iterator[list[Tiles]]:
    """Sets and a pair, the pair last."""
    for tile in sorted(set(tiles)):
        rest = without(tiles, [tile, tile])
        if rest is not None:
            for sets in cut_into_sets(rest):
                yield [*sets, [tile, tile]]


def is_seven_pairs(tiles: Tiles) -> bool:
    return len(tiles) == 14 and all(count in (2, 4) for count in Counter(tiles).values())


def wins(tiles: Tiles, melds: int) -> bool:
    if len(tiles) != 14 - 3 * melds:
        return False
    return any(True for _ in cut(tiles)) or (melds == 0 and is_seven_pairs(tiles))


def slow_waits(tiles: Tiles, melds: int) -> Tiles:
    return [kind for kind in EVERY_KIND if wins(sorted([*tiles, kind]), melds)]


# Readings


def readings(hand: Tiles, melds: list[Block], win: int) -> Iterator[list[Block]]:
    for cutting in cut(sorted([*hand, win])):
        for index, tiles in enumerate(cutting):
            if win in tiles:
                yield melds + [Block(other, has_win=place == index) for place, other in enumerate(cutting)]


def slow_score(request: dict[str, Any]) -> tuple[int, list[tuple[str, int]]] | None:
    """Total and (fan id, count) in order; None if the hand does not win."""
    table = table_of(request["ruleset"])
    results = [after_exclusions(fans, table) for fans in fans_of_readings(request)]
    return min(results, key=lambda result: (-result[0], result[2]))[:2] if results else None


def fans_of_readings(request: dict[str, Any]) -> list[Fans]:
    """What each reading shows before exclusions."""
    table = table_of(request["ruleset"])
    melds = [Block(numbers(meld["tiles"]), meld["type"]) for meld in request.get("melds", [])]
    hand, win = numbers(request["hand"]), numbers(request["win_tile"])[0]
    shared = fans_of_win(request, melds)
    found = [fans_of_blocks(blocks, request, table) | shared for blocks in readings(hand, melds, win)]
    if not melds and is_seven_pairs(sorted([*hand, win])):
        found.append(fans_of_pairs(sorted([*hand, win])) | shared)
    return found


def after_exclusions(fans: Fans, table: dict[str, Any]) -> tuple[int, list[tuple[str, int]], list[int]]:
    rows = sorted(enumerate(table["fans"]), key=lambda row: (-row[1]["value"], row[0]))
    barred: set[str] = set()
    total, counted, positions = 0, [], []
    for position, row in rows:
        count = fans.get(row["id"], 0)
        if not count or row.get("unreachable") or row["id"] in barred:
            continue
        if table["counting"] == "once" and not row.get("per_tile"):
            count = 1
        barred.update(row.get("excludes", []))
        total += count * row["value"]
        counted.append((row["id"], count))
        positions.append(position)
    return total, counted, positions


# Fans


def content_fans(tiles: Tiles) -> Fans:
    suited = [tile for tile in tiles if tile < 10]
    honors = [tile for tile in tiles if tile > 10]
    middle = [tile for tile in suited if 2 <= tile <= 8]
    return {
        "all_honors": not suited,
        "full_flush": not honors,
        "half_flush": bool(suited and honors),
        "all_terminals_and_honors": not middle,
        "all_simples": len(middle) == len(tiles),
        "upper_four": min(tiles) > 5 and max(tiles) < 10,
        "lower_four": max(tiles) < 5,
    }


def fans_of_pairs(tiles: Tiles) -> Fans:
    kinds = sorted(set(tiles))
    return content_fans(tiles) | {
        "seven_pairs": 1,
        "seven_shifted_pairs": kinds[-1] < 10 and len(kinds) == 7 and kinds[-1] - kinds[0] == 6,
        "tile_hog": sum(tiles.count(kind) == 4 for kind in kinds),
    }


def fans_of_blocks(blocks: list[Block], request: dict[str, Any], table: dict[str, Any]) -> Fans:
    fans = content_fans([tile for block in blocks for tile in block.tiles])
    hand, win = numbers(request["hand"]), numbers(request["win_tile"])[0]
    is_gates = hand == [1, 1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 9, 9]
    fans["nine_gates"] = is_gates
    fans |= set_fans(blocks)
    fans |= pung_fans(blocks, request, table, is_gates)
    fans |= chow_fans([block.tiles[0] for block in blocks if block.is_chow], blocks, table)
    fans |= wait_fans(blocks, hand, win, request)
    return fans


def set_fans(blocks: list[Block]) -> Fans:
    (pair,) = [block.tiles[0] for block in blocks if block.is_pair]
    every = [tile for block in blocks for tile in block.tiles]
    unkonged = Counter(tile for block in blocks if not block.is_kong for tile in block.tiles)
    edges = (1, 9, *WIND_TILES, *DRAGON_TILES)
    return {
        "outside_hand": all(any(tile in edges for tile in block.tiles) for block in blocks),
        "tile_hog": sum(count == 4 for count in unkonged.values()),
        "million_stone": max(every) < 10 and sum(every) >= 100,
        "all_pungs": not any(block.is_chow for block in blocks),
        "all_chows": pair < 10 and not any(block.is_pung for block in blocks),
        "two_five_eight_pair": pair in (2, 5, 8),
        "terminal_pair": pair in (1, 9),
    }


def pung_fans(blocks: list[Block], request: dict[str, Any], table: dict[str, Any], is_gates: bool) -> Fans:
    pungs = [block for block in blocks if block.is_pung]
    (pair,) = [block.tiles[0] for block in blocks if block.is_pair]
    kinds = [block.tiles[0] for block in pungs]
    winds = [kind for kind in kinds if kind in WIND_TILES]
    dragons = [kind for kind in kinds if kind in DRAGON_TILES]
    seat = numbers(request.get("seat_wind", "2z"))[0]
    prevalent = numbers(request.get("prevalent_wind", "1z"))[0]
    concealed = [
        block for block in pungs if not block.is_exposed and not (block.has_win and not request["self_drawn"])
    ]
    hidden_kongs = sum(block.meld == "concealed_kong" for block in blocks)
    open_kongs = sum(block.is_kong for block in blocks) - hidden_kongs
    runs = [low for low in kinds if low < 10 and {low + 1, low + 2} <= {k for k in kinds if k < 10}]
    fans = {
        "big_four_winds": len(winds) == 4,
        "little_four_winds": len(winds) == 3 and pair in WIND_TILES,
        "big_three_winds": len(winds) >= 3,
        "seat_wind": seat in kinds,
        "prevalent_wind": prevalent in kinds,
        "big_three_dragons": len(dragons) == 3,
        "little_three_dragons": len(dragons) == 2 and pair in DRAGON_TILES,
        "two_dragon_pungs": len(dragons) >= 2,
        "dragon_pung": bool(dragons),
        "four_concealed_pungs": len(concealed) == 4,
        "three_concealed_pungs": len(concealed) >= 3,
        "two_concealed_pungs": len(concealed) >= 2,
        "four_kongs": hidden_kongs + open_kongs == 4,
        "three_kongs": hidden_kongs + open_kongs >= 3,
        "two_concealed_kongs": hidden_kongs >= 2,
        "concealed_kong": hidden_kongs >= 1,
        "two_melded_kongs": open_kongs >= 2,
        "melded_kong": open_kongs >= 1,
        "pure_shifted_pungs": bool(runs),
        "four_pure_shifted_pungs": len(runs) == 2,
    }
    lone = [kind for kind in kinds if kind in (1, 9) or kind > 10]
    if table["counting"] == "mcr":
        taken = set(DRAGON_TILES) | {seat, prevalent} | (set(winds) if len(winds) >= 3 else set())
        lone = [kind for kind in lone if kind not in taken]
        lone = lone[1:] if is_gates else lone
    return fans | {"pung_of_terminals_or_honors": len(lone)}


TWO_CHOWS: list[tuple[str, Callable[[int, int], bool]]] = [
    ("pure_double_chow", lambda a, b: a == b),
    ("short_straight", lambda a, b: abs(a - b) == 3),
    ("two_terminal_chows", lambda a, b: {a, b} == {1, 7}),
]


def chow_fans(lows: list[int], blocks: list[Block], table: dict[str, Any]) -> Fans:
    (pair,) = [block.tiles[0] for block in blocks if block.is_pair]
    lows = sorted(lows)
    trios = [sorted(trio) for trio in combinations(lows, 3)]
    steps = [(trio[1] - trio[0], trio[2] - trio[1]) for trio in trios]
    four = {
        "pure_terminal_chows": lows == [1, 1, 7, 7] and pair == 5,
        "quadruple_chow": len(lows) == 4 and lows[0] == lows[3],
        "four_pure_shifted_chows": len(lows) == 4
        and any([lows[0] + step * n for n in range(4)] == lows for step in (1, 2)),
    }
    three = {
        "pure_triple_chow": (0, 0) in steps,
        "pure_straight": [1, 4, 7] in trios,
        "pure_shifted_chows": (1, 1) in steps or (2, 2) in steps,
    }
    pairs = list(combinations(range(len(lows)), 2))
    two = {name: sum(holds(lows[a], lows[b]) for a, b in pairs) for name, holds in TWO_CHOWS}
    if table["counting"] == "mcr":
        if any(four.values()):
            three, two = {}, {}
        elif any(three.values()):
            two = fourth_chow(lows)
        else:
            two = best_forest(lows)
    return four | three | two


def fourth_chow(lows: list[int]) -> Fans:
    if len(lows) < 4:
        return {}
    names = []
    for index in range(4):
        fourth, trio = lows[index], [low for place, low in enumerate(lows) if place != index]
        first, second = trio[1] - trio[0], trio[2] - trio[1]
        if first == second and (first < 3 or trio == [1, 4, 7]):
            names += [name for name, holds in TWO_CHOWS for low in trio if holds(low, fourth)]
    return dict.fromkeys([name for name, _ in TWO_CHOWS if name in names][:1], 1)


def best_forest(lows: list[int]) -> Fans:
    """Of all sets of edges without a cycle the largest, of those the one with the most preferred labels."""
    edges = [
        (rank, a, b)
        for a, b in combinations(range(len(lows)), 2)
        for rank, (_, holds) in enumerate(TWO_CHOWS)
        if holds(lows[a], lows[b])
    ]
    best: tuple[int, list[int]] = (0, [])
    for size in range(1, len(lows)):
        for chosen in combinations(edges, size):
            ranks = sorted(rank for rank, _, _ in chosen)
            if is_forest([(a, b) for _, a, b in chosen]) and (-size, ranks) < best:
                best = (-size, ranks)
    return dict(Counter(TWO_CHOWS[rank][0] for rank in best[1]))


def is_forest(edges: list[tuple[int, int]]) -> bool:
    groups = {place: {place} for place in range(4)}
    for a, b in edges:
        if groups[a] is groups[b]:
            return False
        merged = groups[a] | groups[b]
        for place in merged:
            groups[place] = merged
    return True


def wait_fans(blocks: list[Block], hand: Tiles, win: int, request: dict[str, Any]) -> Fans:
    if len(slow_waits(hand, len(request.get("melds", [])))) != 1:
        return {}
    (block,) = [block for block in blocks if block.has_win]
    if block.is_pair:
        return {"single_wait": 1}
    if block.is_pung:
        return {}
    if (block.tiles == [1, 2, 3] and win == 3) or (block.tiles == [7, 8, 9] and win == 7):
        return {"edge_wait": 1}
    return {"closed_wait": win == block.tiles[1]}


def fans_of_win(request: dict[str, Any], melds: list[Block]) -> Fans:
    drawn = request["self_drawn"]
    exposed = sum(meld.is_exposed for meld in melds)
    declared = request.get("ready", False) or request.get("heavenly_ready", False)
    flowers = numbers(request.get("flowers", ""))
    seat = numbers(request.get("seat_wind", "2z"))[0] - 10
    last = request.get("last_wall_tile", False)
    return {
        "self_drawn": drawn,
        "fully_concealed_hand": drawn and not exposed,
        "concealed_hand": not drawn and not exposed,
        "melded_hand": not drawn and exposed == 4,
        "heavenly_hand": request.get("opening") == "heavenly",
        "earthly_hand": request.get("opening") == "earthly",
        "humanly_hand": request.get("opening") == "humanly",
        "heavenly_ready": request.get("heavenly_ready", False),
        "riichi": declared and not exposed,
        "ready_hand": declared,
        "last_tile_draw": last and drawn,
        "last_tile_claim": last and not drawn,
        "out_with_replacement_tile": request.get("kong_replacement", False),
        "robbing_the_kong": request.get("robbing_kong", False),
        "last_tile": request.get("last_of_kind", False),
        "flower_tiles": len(flowers),
        "seat_flower": sum(flower in (20 + seat, 24 + seat) for flower in flowers),
        "four_seasons": {21, 22, 23, 24} <= set(flowers),
        "four_plants": {25, 26, 27, 28} <= set(flowers),
        "eight_flowers": len(flowers) == 8,
    }
