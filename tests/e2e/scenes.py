"""Scenes for the stage: what the server would have sent, frame by frame, to one player at one moment."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

Json = dict[str, Any]
Frames = list[Json]

OWN, THEIRS = 0, 1


def now_ms() -> int:
    return int(time.time() * 1000)


def seat(name: str, **over: Any) -> Json:
    base = {"coins": 10_000, "points": 0, "rank": "雀蛋", "online": True, "auto": False}
    return {"user": {"id": f"u-{name}", "name": name}, **base, **over}


def seats(**own: Any) -> list[Json | None]:
    return [
        seat("聽雨", coins=128_500, points=3_420, rank="銅雀", **own),
        seat("阿梅", coins=96_200, points=8_150, rank="銀雀"),
    ]


def hand(tiles: str = "", **over: Any) -> Json:
    listed = spread(tiles)
    base: Json = {
        "count": len(listed),
        "tiles": listed,
        "drawn": None,
        "melds": [],
        "flowers": [],
        "discards": [],
        "ready": None,
    }
    return {**base, **over}


def hidden(count: int, **over: Any) -> Json:
    return hand(**{"tiles": "", **over}) | {"count": count, "tiles": None}


def spread(compact: str) -> list[str]:
    """``"123m1z"`` as a list of tiles."""
    tiles: list[str] = []
    digits = ""
    for char in compact:
        if char.isdigit():
            digits += char
        else:
            tiles += [digit + char for digit in digits]
            digits = ""
    return tiles


def lying(compact: str, **marks: Any) -> list[Json]:
    return [
        {"tile": tile, "from_draw": False, "claimed": False, "ready": False} | marks
        for tile in spread(compact)
    ]


def meld(kind: str, tiles: str | None, claimed: str | None = None) -> Json:
    return {"type": kind, "tiles": None if tiles is None else spread(tiles), "claimed": claimed}


def room(**over: Any) -> Json:
    base = {
        "id": "r",
        "tier": "classic64-3",
        "tier_name": "銅雀場",
        "ruleset": "classic64",
        "base": 100,
        "private": True,
        "practice": False,
        "spectators": False,
        "paused": None,
        "phase": "playing",
    }
    return {**base, **over}


def round_(hands: list[Json], **over: Any) -> Json:
    base: Json = {
        "id": "round-3",
        "number": 3,
        "commitment": "ab" * 32,
        "shuffle": "erma-shuffle-1",
        "base": 100,
        "dealer": THEIRS,
        "prevalent": "1z",
        "seat_winds": ["2z", "1z"],
        "phase": "turn",
        "turn": OWN,
        "offer": None,
        "dice": [3, 4],
        "wall": 27,
        "openers": [],
        "doublers": [0, 1],
        "multiplier": 4,
        "hands": hands,
        "last": None,
        "result": None,
    }
    return {**base, **over}


def snap(
    round_view: Json | None, *, you: int | None = OWN, at: list[Json | None] | None = None, **in_room: Any
) -> Json:
    view = {"room": room(**in_room), "you": you, "seats": at or seats(), "round": round_view}
    return {"m": "snap", "seq": 40, "round": round_view and round_view["id"], "view": view}


def ask(q: str, opts: list[Json], *, left_ms: int = 32_000, base_ms: int = 15_000, **more: Any) -> Json:
    return {
        "m": "ask",
        "dp": 17,
        "seat": OWN,
        "q": q,
        "opts": opts,
        "base_ms": base_ms,
        "bank_ms": 20_000 if q in {"turn", "claim"} else 0,
        "deadline_ms": now_ms() + left_ms,
        **more,
    }


def discards(compact: str, *, ready: str = "") -> list[Json]:
    kinds = dict.fromkeys(spread(compact))
    return [{"o": f"d{t}", "kind": "discard", "tile": t} for t in kinds] + [
        {"o": f"r{t}", "kind": "discard_ready", "tile": t} for t in spread(ready)
    ]


PASS: Json = {"o": "x", "kind": "pass"}
THEIR_RIVER = "1m4z9m2z7z16m5z"
OWN_RIVER = "143z1m527z"
OWN_TILES = "2345567788m"
WORDS = "這一局打得真好，下一局我可要小心了；" * 3 + "再來？再來！"  # sixty characters
FANS = [
    {"id": "half_flush", "zh": "混一色", "value": 6, "count": 1},
    {"id": "dragon_pung", "zh": "箭刻", "value": 2, "count": 1},
    {"id": "pung_of_terminals_or_honors", "zh": "么九刻", "value": 1, "count": 2},
    {"id": "pure_double_chow", "zh": "一般高", "value": 1, "count": 1},
    {"id": "closed_wait", "zh": "坎張", "value": 1, "count": 1},
    {"id": "self_drawn", "zh": "自摸", "value": 1, "count": 1},
]


def middle(own: Json | None = None, theirs: Json | None = None, **over: Any) -> Json:
    """A round under way, both with a pung laid down."""
    own_hand = hand(OWN_TILES, melds=[meld("pung", "666z", "6z")], discards=lying(OWN_RIVER)) | (own or {})
    their_hand = hidden(10, melds=[meld("pung", "333z", "3z")], discards=lying(THEIR_RIVER)) | (theirs or {})
    return round_([own_hand, their_hand], **over)


HINTS = [
    {
        "discard": "4z",
        "waits": [
            {"wait": "6m", "unseen": 2, "by_discard": 11, "self_drawn": 11},
            {"wait": "9m", "unseen": 3, "by_discard": 9, "self_drawn": 10},
        ],
    },
    {"discard": "2m", "waits": [{"wait": "4z", "unseen": 1, "by_discard": 4, "self_drawn": 5}]},
]


def turn() -> Frames:
    opts = discards(OWN_TILES + "4z", ready="4z2m")
    return [snap(middle({"drawn": "4z", "count": 11})), ask("turn", opts, hints=HINTS)]


def kongs() -> Frames:
    opts: list[Json] = [
        *discards("2225555m666z4z"),
        {"o": "q5m", "kind": "kong", "how": "concealed", "tile": "5m"},
        {"o": "a6z", "kind": "kong", "how": "added", "tile": "6z"},
        {"o": "w", "kind": "win", "total": 26, "fans": FANS},
    ]
    own = {"tiles": spread("2225555m666z"), "drawn": "4z", "count": 11}
    return [snap(middle(own)), ask("turn", opts)]


def claim() -> Frames:
    river = lying(THEIR_RIVER + "5m")
    last = {"seat": THEIRS, "tile": "5m", "kind": "discard"}
    opts: list[Json] = [
        {"o": "c3m", "kind": "chow", "tile": "5m", "tiles": spread("345m")},
        {"o": "c4m", "kind": "chow", "tile": "5m", "tiles": spread("456m")},
        {"o": "c5m", "kind": "chow", "tile": "5m", "tiles": spread("567m")},
        {"o": "p5m", "kind": "pung", "tile": "5m"},
        PASS,
    ]
    view = middle(None, {"discards": river}, phase="reaction", turn=OWN, last=last)
    return [snap(view), ask("claim", opts, left_ms=26_000, base_ms=8_000)]


def claim_all() -> Frames:
    frames = claim()
    opts = frames[1]["opts"]
    extra = [
        {"o": "k5m", "kind": "kong", "how": "exposed", "tile": "5m"},
        {"o": "w", "kind": "win", "total": 11, "fans": FANS},
    ]
    frames[1]["opts"] = [*opts[:-1], *extra, PASS]
    return frames


def fresh(**over: Any) -> Json:
    own = hand("123455 79m1 4 7 66z".replace(" ", ""), drawn="5z", count=14)
    return round_([own, hidden(13)], dealer=OWN, wall=37, doublers=[], multiplier=1, **over)


def double() -> Frames:
    opts = [{"o": "db", "kind": "double"}, {"o": "nd", "kind": "no_double"}]
    return [snap(fresh(phase="double", offer="double")), ask("double", opts, left_ms=6_000, base_ms=8_000)]


def open_hand() -> Frames:
    opts = [{"o": "oh", "kind": "open_hand"}, {"o": "kc", "kind": "keep_closed"}]
    empty = round_(
        [hand(), hand()],
        phase="open_hand",
        offer="open_hand",
        wall=0,
        dice=None,
        doublers=[],
        multiplier=1,
    )
    return [snap(empty), ask("open_hand", opts, left_ms=6_000, base_ms=8_000)]


def auto() -> Frames:
    frames = turn()
    frames[0]["view"]["seats"] = seats(auto=True)
    return frames


def waiting() -> Frames:
    return [snap(None, at=[seats()[0], None], phase="waiting")]


def confirm() -> Frames:
    question = ask(
        "confirm",
        [{"o": "ok", "kind": "confirm"}],
        left_ms=28_000,
        base_ms=30_000,
        round_id="round-1",
        base=100,
        shuffle="erma-shuffle-1",
        commitment="cd" * 32,
    )
    return [snap(None, phase="confirm"), question]


def theirs() -> Frames:
    frames = turn()[:1]
    view = frames[0]["view"]
    view["round"] |= {"turn": THEIRS}
    view["round"]["hands"][OWN] |= {"drawn": None, "count": 10}
    view["round"]["hands"][THEIRS] |= {"drawn": "?", "count": 11}
    view["seats"][THEIRS] |= {"online": False}
    return frames


def practised(frames: Frames) -> Frames:
    """The same, with the computer for a partner."""
    view = frames[0]["view"]
    view["room"]["practice"] = True
    view["seats"][THEIRS] = seat("電腦") | {"user": {"id": "computer", "name": "電腦"}}
    return frames


def watched(frames: Frames, theirs: Json | None = None) -> Frames:
    """The same, as somebody sees it who only looks on; ``theirs`` is what lies open of the upper hand."""
    view = frames[0]["view"] | {"you": None}
    view["room"]["spectators"] = True
    own, other = view["round"]["hands"]
    own |= {"tiles": None, "drawn": own["drawn"] and "?"}
    other |= theirs or {}
    return [frames[0] | {"view": view}]


def said(frames: Frames, *words: Json) -> Frames:
    return [*frames, *({"m": "said", **spoken} for spoken in words)]


def forsaken(frames: Frames, **in_room: Any) -> Frames:
    """The same after the partner has left."""
    left = {"m": "ev", "seq": 41, "k": "seat_left", "d": {"seat": THEIRS, "reason": "left"}, "t": now_ms()}
    frames[0]["view"]["room"] |= in_room
    return [*frames, left]


def succeeded() -> Frames:
    """The partner has left, and somebody else has sat down: both are asked about a first round of theirs."""
    settled, question = settled_scene(OWN)
    taken = {
        "seat": THEIRS,
        "user": {"id": "u-雨巷", "name": "雨巷"},
        "coins": 9_000,
        "points": 0,
        "rank": "雀蛋",
    }
    sat = {"m": "ev", "seq": 42, "k": "seat_taken", "d": taken, "t": now_ms()}
    return [*forsaken([settled]), sat, question | {"dp": 31}]


LONG = "1m4z9m2z7z16m5z13z2345m4z89m21z57z7m"


def full() -> Frames:
    """The most a table can hold; the counts are no real round."""
    own = {
        "tiles": ["8m"],
        "drawn": "4z",
        "count": 2,
        "melds": [
            meld("exposed_kong", "6666z", "6z"),
            meld("concealed_kong", "2222m"),
            meld("pung", "777z", "7z"),
            meld("chow", "567m", "5m"),
        ],
        "discards": lying(LONG),
        "flowers": spread("34578f"),
    }
    other = {
        "tiles": spread("456799m1z"),
        "count": 7,
        "melds": [meld("pung", "333z", "3z"), meld("concealed_kong", None)],
        "discards": lying(LONG),
        "flowers": spread("126f"),
    }
    opts = discards("8m4z", ready="4z")
    return [snap(middle(own, other, openers=[THEIRS])), ask("turn", opts, hints=HINTS[:1])]


def settled_scene(winner: int, *, capped: bool = False, self_drawn: bool = True) -> Frames:
    amount = 5_000 if capped else 10_400
    rake = amount // 20
    deltas = [0, 0]
    deltas[winner], deltas[1 - winner] = amount - rake, -amount
    before = [128_500, 96_200]
    points = [3_420, 8_150]
    change = 104 if winner == OWN else -104
    won = {
        "seat": winner,
        "from": None if self_drawn else 1 - winner,
        "self_drawn": self_drawn,
        "tile": "6m",
        "hand": spread(OWN_TILES),
        "fans": FANS,
        "total": 13,
        "multiplier": 8,
    }
    settled = {
        "outcome": "win",
        "winner": winner,
        "total": 13,
        "base": 100,
        "multiplier": 8,
        "factors": {"open": 1, "double": 4, "ready": 2},
        "amount": amount,
        "capped": capped,
        "rake": rake,
        "deltas": deltas,
        "coins": {"before": before, "after": [b + d for b, d in zip(before, deltas, strict=True)]},
        "points": {"before": points, "after": [points[0] + change, points[1] - change]},
        "ranks": {"before": ["銅雀", "銀雀"], "after": ["銅雀", "銀雀"]},
    }
    revealed = {"hands": [spread(OWN_TILES), spread("1234m1177z99m")], "wall": []}
    result = {"won": won, "settled": settled, "revealed": revealed}
    melds = [meld("pung", "666z", "6z")]
    view = middle(
        {"melds": melds}, {"melds": melds if winner == THEIRS else []}, phase="ended", result=result
    )
    question = confirm()[1] | {"dp": 30, "deadline_ms": now_ms() + 12_000}
    return [snap(view, phase="confirm"), question]


def ended_scene(outcome: str) -> Frames:
    frames = settled_scene(OWN)
    result = frames[0]["view"]["round"]["result"]
    del result["won"]
    settled = result["settled"] | {"outcome": outcome, "winner": None, "total": 0, "amount": 0, "rake": 0}
    if outcome == "forfeit":
        settled |= {"amount": 3_200, "rake": 1_600, "deltas": [1_600, -3_200]}
        result["forfeited"] = {"seat": THEIRS}
    elif outcome == "void":
        result["voided"] = {"reason": "operator"}
    else:
        result["exhausted"] = True
        settled |= {"deltas": [0, 0], "coins": {"before": [128_500, 96_200], "after": [128_500, 96_200]}}
        settled |= {"points": {"before": [3_420, 8_150], "after": [3_420, 8_150]}}
    result["settled"] = settled
    if outcome == "void":
        del result["settled"]
    return frames


def missed(seq: int) -> Frames:
    """What happened at the table of ``theirs`` while its reader was away, and what he is asked now."""
    moves: list[tuple[str, Json]] = [
        ("discarded", {"seat": THEIRS, "tile": "9m", "from_draw": True}),
        ("drawn", {"seat": OWN, "tile": "4z", "wall": 26, "replacement": False}),
        ("auto_play", {"seat": OWN, "on": True}),
        ("discarded", {"seat": OWN, "tile": "4z", "from_draw": True}),
        ("auto_play", {"seat": OWN, "on": False}),
        ("pung", {"seat": THEIRS, "tile": "4z"}),
        ("discarded", {"seat": THEIRS, "tile": "1m", "from_draw": False}),
        ("drawn", {"seat": OWN, "tile": "2m", "wall": 25, "replacement": False}),
    ]
    ago = now_ms() - 20_000
    events = [
        {"m": "ev", "seq": seq + n, "k": kind, "d": data, "t": ago + n}
        for n, (kind, data) in enumerate(moves, 1)
    ]
    return [*events, ask("turn", discards(OWN_TILES + "2m"))]


SCENES: dict[str, Callable[[], Frames]] = {
    "turn": turn,
    "kongs": kongs,
    "claim": claim,
    "claim-all": claim_all,
    "double": double,
    "open-hand": open_hand,
    "auto": auto,
    "waiting": waiting,
    "public": lambda: [snap(None, at=[seats()[0], None], phase="waiting", private=False)],
    "confirm": confirm,
    "theirs": theirs,
    "full": full,
    "win": lambda: settled_scene(OWN),
    "loss": lambda: settled_scene(THEIRS, capped=True, self_drawn=False),
    "draw": lambda: ended_scene("draw"),
    "forfeit": lambda: ended_scene("forfeit"),
    "void": lambda: ended_scene("void"),
    "practice": lambda: practised(turn()),
    "practice-win": lambda: practised(settled_scene(OWN)),
    "watch": lambda: watched(turn()),
    "watch-open": lambda: watched(full(), {"drawn": "5m", "count": 8}),
    "watch-win": lambda: watched(settled_scene(THEIRS)),
    "said": lambda: said(turn(), {"seat": THEIRS, "text": WORDS}),
    "said-own": lambda: said(turn(), {"seat": OWN, "text": WORDS}),
    "said-after": lambda: said(settled_scene(OWN), {"seat": THEIRS, "text": WORDS}),
    "forsaken": lambda: forsaken(settled_scene(OWN)),
    "forsaken-public": lambda: forsaken(confirm(), private=False, spectators=True),
    "succeeded": succeeded,
    "open-to-watchers": lambda: [snap(None, at=[seats()[0], None], phase="waiting", spectators=True)],
}
