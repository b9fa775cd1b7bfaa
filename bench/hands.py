"""Random winning hands of 萬 and honours, and the same in the words of the peers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import NamedTuple

from app.engine.melds import Meld, MeldKind
from app.engine.scoring import WinContext
from app.rules.tiles import Tile

GB_NAMES = [f"W{rank}" for rank in range(1, 10)] + ["F1", "F2", "F3", "F4", "J3", "J2", "J1"]
_GB_MELDS = {MeldKind.CHOW: "CHI", MeldKind.PUNG: "PENG"}
_KONGS = (MeldKind.EXPOSED_KONG, MeldKind.ADDED_KONG, MeldKind.CONCEALED_KONG)


class Win(NamedTuple):
    """``tiles``: those concealed, the winning one apart; ``gb_melds``: the melds as PyMahjongGB has them."""

    tiles: tuple[Tile, ...]
    melds: tuple[Meld, ...]
    context: WinContext
    gb_melds: tuple[tuple[str, str, int], ...]


def random_wins(seed: int) -> Iterator[Win]:
    """Different hands without end, ordinary circumstances."""
    random, seen = Random(seed), set[str]()
    while True:
        win = _random_win(random)
        key = str(win and (sorted(win.tiles), win.melds, win.context))
        if win is not None and key not in seen:
            seen.add(key)
            yield win


def _random_win(random: Random) -> Win | None:
    """None if there were five of a kind."""
    counts: Counter[Tile] = Counter()
    concealed: list[Tile] = []
    melds: list[Meld] = []
    for _ in range(4):
        tile, is_chow = random.randrange(16), random.random() < 0.6
        kind = MeldKind.CHOW if is_chow else MeldKind.PUNG
        tile = tile % 7 if is_chow else tile
        if random.random() < 0.3:
            kind = random.choice(_KONGS) if not is_chow and random.random() < 0.2 else kind
            melds.append(Meld(kind, tile))
        else:
            concealed += Meld(kind, tile).tiles
        counts.update(Meld(kind, tile).tiles)
    pair = random.randrange(16)
    concealed += [pair, pair]
    counts[pair] += 2
    if max(counts.values()) > 4:
        return None
    win = concealed.pop(random.randrange(len(concealed)))
    context = WinContext(
        win,
        self_drawn=random.random() < 0.5,
        seat_wind=random.choice((9, 10)),
        prevalent_wind=random.choice((9, 9, 10)),
        last_wall_tile=random.random() < 0.03,
    )
    return Win(tuple(sorted(concealed)), tuple(melds), context, tuple(map(_gb_meld, melds)))


def _gb_meld(meld: Meld) -> tuple[str, str, int]:
    """Kind, tile (the middle one of a chow), and whom it was claimed from, 0 for nobody."""
    middle = meld.tile + (meld.kind is MeldKind.CHOW)
    return (_GB_MELDS.get(meld.kind, "GANG"), GB_NAMES[middle], int(meld.kind.is_exposed))
