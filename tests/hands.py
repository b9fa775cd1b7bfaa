"""Won hands in one line of text, as RULES §7 writes its checks.

``[123m]`` a chow or pung, ``[1111m]`` an exposed kong, ``[1111m+]`` an added, ``[1111m*]`` a concealed one;
then the concealed tiles; last ``+5m`` won on a discard or ``!5m`` self-drawn.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from app.engine.melds import Meld, MeldKind, meld_counts
from app.engine.scoring import Score, WinContext, score
from app.rules.ruleset import load_ruleset
from app.rules.tiles import COPIES, Counts, format_tiles, parse_tile, parse_tiles, to_counts

_HAND = re.compile(r"(?P<melds>(?:\[[^\]]+\])*) ?(?P<tiles>[0-9mz]*) (?P<how>[+!])(?P<win>..)")


def read_meld(text: str) -> Meld:
    """The meld inside the brackets."""
    tiles = sorted(parse_tiles(text.rstrip("*+")))
    if len(tiles) == 4:
        kinds = {"*": MeldKind.CONCEALED_KONG, "+": MeldKind.ADDED_KONG}
        return Meld(kinds.get(text[-1], MeldKind.EXPOSED_KONG), tiles[0])
    return Meld(MeldKind.PUNG if tiles[0] == tiles[1] else MeldKind.CHOW, tiles[0])


def read_hand(text: str, **context: Any) -> tuple[Counts, tuple[Meld, ...], WinContext]:
    """Concealed counts without the winning tile, melds, context.

    >>> read_hand("[123m][789m] 123m79m11z !8m")[2].self_drawn
    True
    """
    found = _HAND.fullmatch(text)
    assert found is not None, text
    melds = tuple(read_meld(meld) for meld in re.findall(r"\[([^\]]+)\]", found["melds"]))
    for wind in ("seat_wind", "prevalent_wind"):
        if wind in context:
            context[wind] = parse_tile(context[wind])
    if "flowers" in context:
        context["flowers"] = parse_tiles(context["flowers"])
    win = WinContext(parse_tile(found["win"]), found["how"] == "!", **context)
    hand = to_counts(parse_tiles(found["tiles"]))
    held = zip(hand, meld_counts(melds), to_counts((win.win_tile,)), strict=True)
    assert max(map(sum, held)) <= COPIES, f"five of a kind: {text}"
    return hand, melds, win


def score_text(ruleset: str, text: str, **context: Any) -> Score:
    """The score of a hand in text, winds and flowers in text too."""
    return score(load_ruleset(ruleset), *read_hand(text, **context))


def summary(won: Score) -> str:
    """``"26 = 清龍16 門前清2"``; several of one fan as ``一般高2`` for twice one."""
    return f"{won.total} = " + " ".join(f"{fan.zh}{fan.value * fan.count}" for fan in won.fans)


def fan_ids(won: Score) -> list[str]:
    return [fan.id for fan in won.fans]


def request_of(ruleset: str, hand: Counts, melds: Sequence[Meld], win: WinContext) -> dict[str, Any]:
    """The same hand as a request. Source: PROTOCOL §1.1."""
    return {
        "ruleset": ruleset,
        "hand": format_tiles(tile for tile, count in enumerate(hand) for _ in range(count)),
        "melds": [{"type": meld.kind.value, "tiles": format_tiles(meld.tiles)} for meld in melds],
        "win_tile": format_tiles((win.win_tile,)),
        "self_drawn": win.self_drawn,
        "seat_wind": format_tiles((win.seat_wind,)),
        "prevalent_wind": format_tiles((win.prevalent_wind,)),
        "flowers": format_tiles(win.flowers),
        "ready": win.ready,
        "heavenly_ready": win.heavenly_ready,
        "opening": win.opening and win.opening.value,
        "last_wall_tile": win.last_wall_tile,
        "kong_replacement": win.kong_replacement,
        "robbing_kong": win.robbing_kong,
        "last_of_kind": win.last_of_kind,
    }
