"""What a seat may do, and how its win counts, read off RULES §3–§5 a second time.

Nothing here comes from ``app.engine.legal`` or ``app.engine.wins``: shapes, waits and fans are those of the
slow scorer, and what the table tells is counted afresh. Actions are their codes.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from app.engine.state import CLOCK, Hand, Seat, State
from app.rules.tiles import TILE_NAMES
from tests.slow_scorer import Tiles, slow_score, slow_waits, wins

Fans = tuple[int, list[tuple[str, int]]]

FLOWER_FANS = {"flower_tiles", "seat_flower", "four_seasons", "four_plants", "eight_flowers"}
EXPOSED = {"chow", "pung", "exposed_kong", "added_kong"}
# Rule sets with the 天聽 fan, and where any hand, or only one without an exposed meld, may be declared ready.
HEAVENLY = {"jiule72", "dazhong72", "baiwan64"}
DECLARES = {"classic64": "any", "baiwan64": "any", "dazhong72": "concealed", "jiule72": "heavenly"}


def brute_actions(state: State, seat: Seat) -> set[str]:
    """The codes of all legal actions."""
    match state.phase.value:
        case "open_hand":
            return {"oh", "kc"} if seat != CLOCK and state.answers[seat] is None else set()
        case "pause":
            return _in_pause(state, seat)
        case "turn" if seat == state.turn:
            return _in_turn(state, seat)
        case "claim" if seat == state.turn:
            return claims(state, seat)
        case "rob" if seat == state.turn:
            return {"w", "x"}
    return set()


def _in_pause(state: State, seat: Seat) -> set[str]:
    heavenly = state.rules.id in HEAVENLY
    if seat == CLOCK:
        return {"cl"} if heavenly else set()
    if state.options.double and state.answers[seat] is None:
        return {"db", "nd"}
    is_asked = heavenly and seat != state.dealer and state.ready_answer is None
    return {"rd", "x"} if is_asked and live_waits(state.hands[seat]) else set()


def _in_turn(state: State, seat: Seat) -> set[str]:
    hand = state.hands[seat]
    found = set()
    if state.drawn_from.value != "claim" and not state.passed:
        if may_win(state, seat, None):
            found.add("w")
        if state.tail > state.head:
            found |= _own_kongs(hand)
    if hand.ready is not None:
        return found | {"x"} if found else {"d" + TILE_NAMES[hand.drawn]}
    held = [kind for kind in range(16) if hand.counts[kind]]
    found |= {"d" + TILE_NAMES[kind] for kind in held}
    if _may_declare(state, seat):
        found |= {"r" + TILE_NAMES[kind] for kind in held if live_waits(hand, thrown=kind)}
    return found


def claims(state: State, seat: Seat) -> set[str]:
    """The reactions to the last discard, none if there is nothing but to pass."""
    assert state.last is not None
    hand, tile = state.hands[seat], state.last.tile
    is_last, held = state.tail == state.head, hand.counts[tile]
    found = {"w"} if may_win(state, seat, tile) else set()
    if held == 3 and not is_last and _keeps_waits(hand, tile, "exposed_kong"):
        found.add("k" + TILE_NAMES[tile])
    if hand.ready is None and (not is_last or state.rules.id == "dazhong72"):
        if held >= 2:
            found.add("p" + TILE_NAMES[tile])
        if tile < 9:
            for low in (tile - 2, tile - 1, tile):
                others = {low, low + 1, low + 2} - {tile}
                if low >= 0 and low + 2 < 9 and all(hand.counts[kind] for kind in others):
                    found.add("c" + TILE_NAMES[low])
    return found | {"x"} if found else set()


def may_win(state: State, seat: Seat, claimed: int | None) -> bool:
    """A winning shape worth the tier's minimum, flowers apart."""
    hand = state.hands[seat]
    tiles = _numbers(hand.counts) if claimed is None else _numbers(hand.counts, plus=claimed)
    if not wins(tiles, len(hand.melds)):
        return False
    if state.options.min_fan <= 0:
        return True
    scored = win_fans(state, seat, claimed)
    assert scored is not None
    values = {fan.id: fan.value for fan in state.rules.fans}
    base = sum(values[fan_id] * count for fan_id, count in scored[1] if fan_id not in FLOWER_FANS)
    return base >= state.options.min_fan


def is_whole(hand: Hand) -> bool:
    """A winning shape as it stands, whatever it is worth."""
    return wins(_numbers(hand.counts), len(hand.melds))


def win_fans(state: State, seat: Seat, claimed: int | None) -> Fans | None:
    """Total and fans of winning now on the drawn tile (None) or the opponent's."""
    hand = state.hands[seat]
    tile = hand.drawn if claimed is None else claimed
    is_rob = claimed is not None and state.last is not None and state.last.is_kong
    request = _request(state, seat, tile, claimed is None)
    request["hand"] = _names(hand.counts, minus=tile if claimed is None else None)
    return slow_score(
        request
        | {
            "opening": _opening(state, seat, claimed),
            "last_wall_tile": state.tail == state.head,
            "kong_replacement": claimed is None and state.drawn_from.value == "kong",
            "robbing_kong": is_rob,
            "last_of_kind": open_copies(state, tile) - (claimed is not None) == 3,
        }
    )


def plain_total(state: State, seat: Seat, discard: int, wait: int, self_drawn: bool) -> int:
    """What ``wait`` is worth after ``discard``, at no particular moment."""
    request = _request(state, seat, wait, self_drawn)
    request["hand"] = _names(state.hands[seat].counts, minus=discard)
    scored = slow_score(request)
    assert scored is not None
    return scored[0]


def _request(state: State, seat: Seat, tile: int, self_drawn: bool) -> dict[str, Any]:
    """What is the same for every win of a seat; the concealed tiles are to be added."""
    hand = state.hands[seat]
    return {
        "ruleset": state.rules.id,
        "melds": [
            {"type": meld.kind.value, "tiles": "".join(TILE_NAMES[kind] for kind in meld.tiles)}
            for meld in hand.melds
        ],
        "win_tile": TILE_NAMES[tile],
        "self_drawn": self_drawn,
        "seat_wind": "1z" if seat == state.dealer else "2z",
        "prevalent_wind": TILE_NAMES[state.prevalent],
        "flowers": "".join(TILE_NAMES[flower] for flower in hand.flowers),
        "ready": hand.ready is not None,
        "heavenly_ready": hand.ready is not None and hand.ready.value == "heavenly",
    }


def _opening(state: State, seat: Seat, claimed: int | None) -> str | None:
    """RULES §7.10; a claim or a kong leaves a meld, so a table without melds has seen neither."""
    if any(hand.melds for hand in state.hands):
        return None
    thrown = [len(hand.discards) for hand in state.hands]
    if seat == state.dealer:
        return "heavenly" if claimed is None and thrown == [0, 0] else None
    if thrown[state.dealer] == 1 and thrown[seat] == 0:
        return "earthly" if claimed is None else "humanly"
    return None


def open_copies(state: State, tile: int) -> int:
    """Copies that lie open: in a river, or in a meld that is no concealed kong."""
    rivers = sum(
        thrown.tile == tile and not thrown.claimed for hand in state.hands for thrown in hand.discards
    )
    melds = [meld for hand in state.hands for meld in hand.melds if meld.kind.value in EXPOSED]
    return rivers + sum(list(meld.tiles).count(tile) for meld in melds)


def _may_declare(state: State, seat: Seat) -> bool:
    hand, rule = state.hands[seat], DECLARES[state.rules.id]
    if rule == "concealed":
        return not any(meld.kind.value in EXPOSED for meld in hand.melds)
    if rule == "heavenly":
        nothing_yet = not any(other.melds or other.discards for other in state.hands)
        return seat == state.dealer and nothing_yet
    return True


def _own_kongs(hand: Hand) -> set[str]:
    concealed = {
        "q" + TILE_NAMES[kind]
        for kind in range(16)
        if hand.counts[kind] == 4 and _keeps_waits(hand, kind, "concealed_kong")
    }
    return concealed | {
        "a" + TILE_NAMES[meld.tile]
        for meld in hand.melds
        if meld.kind.value == "pung"
        and hand.counts[meld.tile]
        and _keeps_waits(hand, meld.tile, "added_kong")
    }


def _keeps_waits(hand: Hand, tile: int, how: str) -> bool:
    if hand.ready is None:
        return True
    before = live_waits(hand, thrown=hand.drawn if hand.drawn >= 0 else None)
    rest = tuple(0 if kind == tile else count for kind, count in enumerate(hand.counts))
    held = _held(hand, rest)
    held[tile] = 4  # all of them in the kong
    melds = len(hand.melds) + (how != "added_kong")
    return before == [kind for kind in _waits(rest, melds) if held[kind] < 4]


def live_waits(hand: Hand, thrown: int | None = None) -> list[int]:
    """Kinds that complete the hand once ``thrown`` is gone, without those it holds all of."""
    rest = tuple(count - (kind == thrown) for kind, count in enumerate(hand.counts))
    held = _held(hand, rest)
    return [kind for kind in _waits(rest, len(hand.melds)) if held[kind] < 4]


def _held(hand: Hand, rest: tuple[int, ...]) -> list[int]:
    """Own copies of each kind: ``rest`` and what lies in the melds."""
    held = list(rest)
    for meld in hand.melds:
        for kind in meld.tiles:
            held[kind] += 1
    return held


@cache
def _waits(counts: tuple[int, ...], melds: int) -> tuple[int, ...]:
    tiles = _numbers(counts)
    if len(tiles) != 13 - 3 * melds:
        return ()
    return tuple(number - 1 if number < 10 else number - 2 for number in slow_waits(tiles, melds))


def _numbers(counts: tuple[int, ...], plus: int | None = None) -> Tiles:
    """The slow scorer's numbers of these tiles."""
    kinds = [kind for kind, count in enumerate(counts) for _ in range(count)]
    kinds += [] if plus is None else [plus]
    return sorted(kind + 1 if kind < 9 else kind + 2 for kind in kinds)


def _names(counts: tuple[int, ...], minus: int | None) -> str:
    left: list[Any] = [name for name, count in zip(TILE_NAMES, counts, strict=False) for _ in range(count)]
    if minus is not None:
        left.remove(TILE_NAMES[minus])
    return "".join(left)
