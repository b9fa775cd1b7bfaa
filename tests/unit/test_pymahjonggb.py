"""classic64 beside the public calculator PyMahjongGB: they agree but where a ruling of ours says otherwise.

The package is no dependency: where it is not installed (``pip install PyMahjongGB``) these tests are skipped.
"""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest

from app.engine.melds import MeldKind
from app.engine.scoring import score
from app.engine.scoring.wire import WinRequest, read_win
from app.rules.tiles import from_counts
from tests.gb_names import GB_FANS
from tests.random_wins import random_win

gb = pytest.importorskip("MahjongGB", reason="PyMahjongGB is not installed")

WINS, CHUNK, CHUNKS = 1_000, 5_000, 10
NAMES = [f"W{rank}" for rank in range(1, 10)] + ["F1", "F2", "F3", "F4", "J3", "J2", "J1"]
MELDS = {MeldKind.CHOW: "CHI", MeldKind.PUNG: "PENG"}

# Every difference there is, and the ruling that explains it.
RULINGS = {
    "mixed kongs": "RULES §7.6: 明槓 and 暗槓 together are 1 + 2; the official 明暗槓 of 5 has no row.",
    "other reading": "RULES §7.1: of equal readings ours is the first by the places in the table.",
}

Points = Counter[str]  # fan id → value times count


def their_points(win: WinRequest) -> Points:
    context = win.context
    melds = tuple(
        (
            MELDS.get(meld.kind, "GANG"),
            NAMES[meld.tile + (meld.kind is MeldKind.CHOW)],  # a chow goes by its middle tile
            int(meld.kind.is_exposed),
        )
        for meld in win.melds
    )
    fans = gb.MahjongFanCalculator(
        melds,
        tuple(NAMES[tile] for tile in from_counts(win.hand)),
        NAMES[context.win_tile],
        0,
        context.self_drawn,
        context.last_of_kind,
        context.kong_replacement or context.robbing_kong,
        context.last_wall_tile,
        context.seat_wind - 9,
        context.prevalent_wind - 9,
    )
    return Counter({GB_FANS.get(name, name): value for value, name in fans})


def our_points(win: WinRequest) -> Points:
    return Counter({fan.id: fan.value * fan.count for fan in score(*win).fans})


def difference(ours: Points, theirs: Points) -> str | None:
    """The ruling by which they differ; None if they agree."""
    if theirs.pop("明暗杠", 0):
        assert (ours["concealed_kong"], ours["melded_kong"]) == (2, 1)
        del ours["concealed_kong"], ours["melded_kong"]
        assert difference(ours, theirs) in (None, "other reading")
        return "mixed kongs"
    if ours == theirs:
        return None
    assert ours.total() == theirs.total(), (ours - theirs, theirs - ours)
    return "other reading"


def as_in_play(request: dict[str, Any]) -> WinRequest:
    """Own exposed melds may lay the other three open (§7.8): they see that by themselves."""
    win = read_win(request)
    tile = win.context.win_tile
    if sum(meld.tiles.count(tile) for meld in win.melds if meld.kind.is_exposed) == 3:
        win = win._replace(context=win.context._replace(last_of_kind=True))
    return win


def compare(sample: str, number: int) -> set[str]:
    random, met = Random(sample), set()
    for _ in range(number):
        win = as_in_play(random_win(random, "classic64", False))
        ruling = difference(our_points(win), their_points(win))
        if ruling is not None:
            met.add(ruling)
    return met


def test_agrees_but_for_our_rulings() -> None:
    assert compare("wins", WINS) <= RULINGS.keys()


@pytest.mark.long
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_agrees_on_many_wins(chunk: int) -> None:
    assert compare(f"chunk {chunk}", CHUNK) == RULINGS.keys()
