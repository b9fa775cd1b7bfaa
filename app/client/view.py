"""A reader's view of a room, kept up to date by applying events one by one.

The ``view`` of a ``snap`` is a plain JSON value; :func:`apply_event` gives the next one. After any step it
equals the view a fresh ``snap`` would carry. Source: PROTOCOL §3.1; docs/PROTOCOL.md §1.4, §1.5.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import deepcopy
from typing import Any, TypeAlias

View: TypeAlias = dict[str, Any]
Data: TypeAlias = Mapping[str, Any]

HIDDEN = "?"


def apply_event(view: View, kind: str, data: Data) -> View:
    """The view after an event; unknown kinds change nothing. The given view stays as it is."""
    after = deepcopy(view)
    handler = _HANDLERS.get(kind)
    if handler is not None:
        handler(after, data)
    return after


# --- the room ----------------------------------------------------------------------------------------------


def _seat_taken(view: View, data: Data) -> None:
    seat = {name: data[name] for name in ("user", "coins", "points", "rank")}
    view["seats"][data["seat"]] = {**seat, "online": False, "auto": False}
    if None not in view["seats"]:
        view["room"]["phase"] = "confirm"


def _seat_left(view: View, data: Data) -> None:
    view["seats"][data["seat"]] = None
    view["room"]["phase"] = "waiting"


def _online(view: View, data: Data) -> None:
    view["seats"][data["seat"]]["online"] = True


def _offline(view: View, data: Data) -> None:
    view["seats"][data["seat"]]["online"] = False


def _auto_play(view: View, data: Data) -> None:
    view["seats"][data["seat"]]["auto"] = data["on"]


def _base_changed(view: View, data: Data) -> None:
    view["room"]["base"] = data["base"]


def _paused(view: View, data: Data) -> None:
    view["room"]["paused"] = data["reason"]


def _room_closed(view: View, data: Data) -> None:
    view["room"]["phase"] = "closed"


# --- before the first turn ---------------------------------------------------------------------------------


def _round_started(view: View, data: Data) -> None:
    view["room"]["phase"] = "playing"
    _set_coins(view, data["coins"])
    fields = ("number", "commitment", "shuffle", "base", "dealer", "prevalent", "seat_winds")
    view["round"] = {
        "id": data["round_id"],
        **{name: data[name] for name in fields},
        **{"phase": "turn", "turn": None, "offer": None, "dice": None, "wall": 0},
        **{"openers": [], "doublers": [], "multiplier": 1},
        "hands": [_empty_hand(), _empty_hand()],
        "last": None,
        "result": None,
    }


def _set_coins(view: View, coins: list[int]) -> None:
    for seat, held in zip(view["seats"], coins, strict=True):
        seat["coins"] = held


def _empty_hand() -> dict[str, Any]:
    return {
        **{"count": 0, "tiles": None, "drawn": None},
        **{"melds": [], "flowers": [], "discards": [], "ready": None},
    }


def _offer_opened(view: View, data: Data) -> None:
    view["round"].update(phase=data["offer"], offer=data["offer"], turn=None)


def _offer_closed(view: View, data: Data) -> None:
    table = view["round"]
    if data["offer"] == "open_hand":
        table["openers"] = data["seats"]
    else:
        table["doublers"] = data["seats"]
        table.update(phase="turn", turn=table["dealer"])
    table.update(offer=None, multiplier=data["multiplier"])


def _dealt(view: View, data: Data) -> None:
    table = view["round"]
    dealer = table["dealer"]
    table.update(dice=data["dice"], wall=data["wall"], phase="turn", turn=dealer)
    for seat, hand in enumerate(table["hands"]):
        hand["tiles"] = data["hands"][seat]
        hand["count"] = 14 if seat == dealer else 13
    table["hands"][dealer]["drawn"] = data["drawn"] or HIDDEN


# --- tiles move --------------------------------------------------------------------------------------------


def _drawn(view: View, data: Data) -> None:
    table, hand = view["round"], _hand(view, data)
    hand["count"] += 1
    hand["drawn"] = data["tile"] or HIDDEN
    table.update(wall=data["wall"], phase="turn", turn=data["seat"], last=None)


def _flower(view: View, data: Data) -> None:
    """The flower leaves the hand, its replacement comes in; a tile drawn last is then the replacement."""
    hand = _hand(view, data)
    view["round"]["wall"] = data["wall"]
    hand["flowers"].append(data["tile"])
    is_visible = hand["tiles"] is not None
    if hand["drawn"] is not None:
        if is_visible:
            hand["tiles"] = _sorted([*hand["tiles"], hand["drawn"]])
            hand["tiles"].remove(data["tile"])
        hand["drawn"] = data["replacement"] or (None if is_visible else HIDDEN)
        if hand["drawn"] is None:  # the wall ran out
            hand["count"] -= 1
    elif is_visible:
        hand["tiles"].remove(data["tile"])
        if data["replacement"] is not None:
            hand["tiles"] = _sorted([*hand["tiles"], data["replacement"]])


def _discarded(view: View, data: Data) -> None:
    table, hand = view["round"], _hand(view, data)
    seat, tile = data["seat"], data["tile"]
    _keep_drawn(hand)
    _remove(hand, [tile])
    discard = {"tile": tile, "from_draw": data["from_draw"], "claimed": False, "ready": False}
    hand["discards"].append(discard)
    table.update(phase="reaction", turn=1 - seat, last={"seat": seat, "tile": tile, "kind": "discard"})


def _ready_declared(view: View, data: Data) -> None:
    hand = _hand(view, data)
    hand["ready"] = "heavenly" if data["heavenly"] else "ready"
    if hand["discards"]:
        hand["discards"][-1]["ready"] = True


def _chow(view: View, data: Data) -> None:
    _claim(view, data)
    others = list(data["tiles"])
    others.remove(data["tile"])
    _remove(_hand(view, data), others)
    _lay(view, data, "chow", data["tiles"], data["tile"])


def _pung(view: View, data: Data) -> None:
    _claim(view, data)
    _remove(_hand(view, data), [data["tile"]] * 2)
    _lay(view, data, "pung", [data["tile"]] * 3, data["tile"])


def _kong(view: View, data: Data) -> None:
    table, hand, tile, how = view["round"], _hand(view, data), data["tile"], data["how"]
    _keep_drawn(hand)
    if how == "exposed":
        _claim(view, data)
        _remove(hand, [tile] * 3)
        _lay(view, data, "exposed_kong", [tile] * 4, tile)
    elif how == "concealed":
        _remove(hand, [tile] * 4)
        _lay(view, data, "concealed_kong", None if tile is None else [tile] * 4, None)
    else:
        _remove(hand, [tile])
        meld = next(meld for meld in hand["melds"] if meld["type"] == "pung" and meld["tiles"][0] == tile)
        meld.update(type="added_kong", tiles=[tile] * 4)
        last = {"seat": data["seat"], "tile": tile, "kind": "kong"}
        table.update(phase="reaction", turn=1 - data["seat"], last=last)


def _kong_robbed(view: View, data: Data) -> None:
    tile = data["tile"]
    for meld in _hand(view, data)["melds"]:
        if meld["type"] == "added_kong" and meld["tiles"][0] == tile:
            meld.update(type="pung", tiles=[tile] * 3)


# --- the end -----------------------------------------------------------------------------------------------


def _ended(name: str) -> Callable[[View, Data], None]:
    def apply(view: View, data: Data) -> None:
        table = view["round"]
        table.update(phase="ended", turn=None, offer=None, last=None)
        table["result"] = {**(table["result"] or {}), name: dict(data) or True}

    return apply


def _exhausted(view: View, data: Data) -> None:
    """A tile still in hand here was a last flower that nothing could replace."""
    _ended("exhausted")(view, data)
    for hand in view["round"]["hands"]:
        if hand["drawn"] is not None:
            hand.update(drawn=None, count=hand["count"] - 1)


def _voided(view: View, data: Data) -> None:
    _ended("voided")(view, data)
    _set_coins(view, data["coins"])


def _settled(view: View, data: Data) -> None:
    view["round"]["result"]["settled"] = data
    _set_coins(view, data["coins"]["after"])
    for number, seat in enumerate(view["seats"]):
        seat["points"] = data["points"]["after"][number]
        seat["rank"] = data["ranks"]["after"][number]


def _revealed(view: View, data: Data) -> None:
    view["round"]["result"]["revealed"] = data
    view["room"]["phase"] = "confirm"


# --- hands -------------------------------------------------------------------------------------------------


def _hand(view: View, data: Data) -> dict[str, Any]:
    hand: dict[str, Any] = view["round"]["hands"][data["seat"]]
    return hand


def _claim(view: View, data: Data) -> None:
    """The opponent's last discard leaves his river for the claimer's meld."""
    view["round"]["hands"][1 - data["seat"]]["discards"][-1]["claimed"] = True


def _lay(view: View, data: Data, kind: str, tiles: list[str] | None, claimed: str | None) -> None:
    _hand(view, data)["melds"].append({"type": kind, "tiles": tiles, "claimed": claimed})
    view["round"].update(phase="turn", turn=data["seat"], last=None)


def _keep_drawn(hand: dict[str, Any]) -> None:
    """The tile drawn last joins the others."""
    if hand["drawn"] is not None and hand["tiles"] is not None:
        hand["tiles"] = _sorted([*hand["tiles"], hand["drawn"]])
    hand["drawn"] = None


def _remove(hand: dict[str, Any], tiles: list[str]) -> None:
    hand["count"] -= len(tiles)
    if hand["tiles"] is not None:
        for tile in tiles:
            hand["tiles"].remove(tile)


def _sorted(tiles: list[str]) -> list[str]:
    return sorted(tiles, key=lambda tile: ("mzf".index(tile[1]), tile[0]))


_HANDLERS: dict[str, Callable[[View, Data], None]] = {
    "seat_taken": _seat_taken,
    "seat_left": _seat_left,
    "online": _online,
    "offline": _offline,
    "auto_play": _auto_play,
    "base_changed": _base_changed,
    "paused": _paused,
    "room_closed": _room_closed,
    "round_started": _round_started,
    "offer_opened": _offer_opened,
    "offer_closed": _offer_closed,
    "dealt": _dealt,
    "drawn": _drawn,
    "flower": _flower,
    "discarded": _discarded,
    "ready_declared": _ready_declared,
    "chow": _chow,
    "pung": _pung,
    "kong": _kong,
    "kong_robbed": _kong_robbed,
    "won": _ended("won"),
    "exhausted": _exhausted,
    "forfeited": _ended("forfeited"),
    "voided": _voided,
    "settled": _settled,
    "revealed": _revealed,
}
