"""What the stage's HTTP routes answer: one player's world, in the shapes of PROTOCOL §2."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import Any

from fastapi import APIRouter, FastAPI, Request, Response
from fastapi.responses import JSONResponse

from app.api import rules
from app.economy.ranks import next_rank, rank_of
from tests.e2e.records import record
from tests.e2e.scenes import OWN, Json, now_ms

OWN_ID = "u-聽雨"
TIERS = (
    ("雀仔場", 10),
    ("麻雀場", 50),
    ("銅雀場", 100),
    ("銀雀場", 500),
    ("金雀場", 2_000),
    ("雀王場", 10_000),
)
RULESETS = (("classic64", "兩人麻將", 64), ("jiule72", "九樂二人麻將", 72))
NAMES = (
    "雨巷",
    "老白",
    "清一色先生",
    "小滿",
    "北風",
    "七對子",
    "海底月",
    "青山",
    "阿川",
    "名字最長的那一位玩家啊",
)
TITLES = (2_108_400, 1_240_900, 706_250, 288_100, 131_760, 82_300, 74_910, 61_040, 52_300, 400)
HOUR_MS = 3_600_000
PAGE = 20
router = APIRouter(prefix="/api")


def tiers() -> list[Json]:
    return [
        {
            "id": f"{ruleset}-{n}",
            "name": name,
            "ruleset": ruleset,
            "ruleset_name": zh,
            "tiles": tiles,
            "base": base,
            "entry_min": base * 50,
            "entry_max": None,
            "rake_bp": 500,
            "table_fee": 0,
            "open_hand": True,
            "double": True,
            "min_fan": 0,
            "open": ruleset == "classic64" and n != 5,
            "online": 7 * n,
        }
        for ruleset, zh, tiles in RULESETS
        for n, (name, base) in enumerate(TIERS, 1)
    ]


def user(name: str = "聽雨", points: int = 3_420, coins: int = 128_500) -> Json:
    after = next_rank(points)
    return {
        "id": f"u-{name}",
        "name": name,
        "coins": coins,
        "points": points,
        "rank": rank_of(points).name,
        "next_rank": after and {"name": after.name, "points": after.points},
        "guest": True,
        "registered": False,
    }


def me() -> Json:
    return {"user": user(), "csrf": "token", "room_id": None, "free_text": True, "daily": True}


def place(rank: int, value: int) -> Json:
    """The ``rank``-th of a list; the names come round again."""
    turn, at = divmod(rank - 1, len(NAMES))
    name = NAMES[at] + (str(turn + 1) if turn else "")
    title = rank_of(TITLES[at]).name
    return {"rank": rank, "value": value, "player": {"id": f"u-{name}", "name": name, "rank": title}}


def own_place(rank: int = 1_204) -> Json:
    return {"rank": rank, "value": -104, "player": {"id": OWN_ID, "name": "聽雨", "rank": "銅雀"}}


def places(by: str, first: int, count: int) -> list[Json]:
    """Falling values; the second and the third share their place."""
    top = {"points": 2_000, "coins": 40_000, "wins": 60}[by]
    made = [place(n, max(top - (n - n % 3) * top // 50, 1)) for n in range(first, first + count)]
    for before, after in pairwise(made):
        after["rank"] = before["rank"] if after["value"] == before["value"] else after["rank"]
    return made


def played(count: int) -> list[Json]:
    outcomes = ("won", "drawn", "lost", "escaped", "deserted")
    deltas = {"won": 9_880, "drawn": 0, "lost": -800, "escaped": -3_200, "deserted": 1_600}
    return [
        {
            "id": f"round-{n}",
            "tier": "classic64-3",
            "tier_name": "銅雀場",
            "ruleset": "classic64",
            "base": 100,
            "opponent": {"id": f"u-{NAMES[n % 10]}", "name": NAMES[n % 10]},
            "outcome": outcomes[n % 5],
            "total_fan": 13 if outcomes[n % 5] in {"won", "lost"} else 0,
            "multiplier": 8,
            "fans": ["混一色", "自摸"] if outcomes[n % 5] in {"won", "lost"} else [],
            "coins_delta": deltas[outcomes[n % 5]],
            "points_delta": 104,
            "at_ms": now_ms() - n * HOUR_MS,
        }
        for n in range(count)
    ]


@router.get("/me")
def get_me() -> Json:
    return me()


@router.post("/guest")
def guest() -> Json:
    return {"user": user(), "token": "t"}


@router.get("/tiers")
def get_tiers() -> Json:
    return {"items": tiers()}


@router.get("/rooms")
def get_rooms(show: str = "join") -> Json:
    host = {"id": "u-2", "name": "北風", "rank": "麻雀"}
    item = {"tier": "classic64-2", "tier_name": "麻雀場", "ruleset": "classic64", "base": 50, "host": host}
    guest = {"id": "u-3", "name": NAMES[-1], "rank": "雀蛋"}
    if show == "watch":
        item |= {"id": "watch", "seats": [host, guest], "seats_taken": 2, "phase": "playing"}
    else:
        item |= {"id": "turn", "seats": [host, None], "seats_taken": 1, "phase": "waiting"}
    return {"items": [item], "next": None}


@router.post("/rooms")
def create_room() -> Json:
    return {"room_id": "waiting", "invite": "K7M2Q9"}


@router.post("/rooms/{room_id}/join")
def join(room_id: str) -> Json:
    return {"room_id": room_id, "seat": OWN}


@router.get("/invites/{invite}")
def get_invite(invite: str) -> Response:
    if invite != "K7M2Q9":
        return JSONResponse({"code": "no_such_invite"}, status_code=404)
    return JSONResponse({"room_id": "confirm", "tier": tiers()[0], "host": None})


@router.post("/ws-tickets")
def ticket() -> Json:
    return {"ticket": "t"}


@router.get("/match")
@router.delete("/match")
def no_match() -> Json:
    return {"status": "none"}


@router.post("/match")
def enter_match() -> Json:
    return {"status": "waiting", "tier": "classic64-1", "waited_ms": 0}


@router.post("/relief")
def relief() -> Json:
    return {"granted": 3_000, "coins": 3_120, "left": 2}


@router.get("/leaderboard")
def board(by: str = "points", period: str = "all", limit: int = 50, cursor: str | None = None) -> Json:
    first = int(cursor or 1)
    head = {"by": by, "period": period, "since_ms": None if period == "all" else now_ms() - 50 * HOUR_MS}
    rest = str(first + limit) if first + limit < 100 else None
    return head | {"items": places(by, first, limit), "next": rest}


@router.get("/leaderboard/around-me")
def around(by: str = "points", period: str = "all", limit: int = 11) -> Json:
    return {"by": by, "period": period, "since_ms": None, "me": own_place(), "items": [own_place()]}


@router.get("/players/{player_id}")
def player(player_id: str) -> Response:
    name = player_id.removeprefix("u-")
    if name not in {"聽雨", *NAMES}:
        return JSONResponse({"code": "no_such_player"}, status_code=404)
    numbers = {"rounds": 216, "wins": 117, "draws": 22, "losses": 74, "escapes": 1, "deserted": 2}
    return JSONResponse(user(name) | numbers | {"best_fan": 88, "dealt_in": 32})


@router.get("/players/{player_id}/points")
def points(player_id: str) -> Json:
    return {"items": [{"at_ms": now_ms() - (12 - n) * HOUR_MS, "points": 400 + n * n} for n in range(12)]}


@router.get("/players/{player_id}/best")
def best(player_id: str) -> Json:
    return {"items": played(2)}


@router.get("/players/{player_id}/rounds")
def player_rounds(player_id: str, limit: int = 20, cursor: str | None = None) -> Json:
    rounds = played(30)[int(cursor or 0) :]
    return {"items": rounds[:limit], "next": "20" if len(rounds) > limit and cursor is None else None}


@router.get("/rounds/{round_id}")
def get_round(round_id: str) -> Response:
    if not round_id.startswith("round-"):
        return JSONResponse({"code": "no_such_round"}, status_code=404)
    return JSONResponse(record(round_id, forged=round_id == "round-forged"))


class Script:
    """Answers that stand in for the usual ones, and what was asked for. Keys are ``GET /api/me``."""

    def __init__(self) -> None:
        self.answers: dict[str, list[tuple[int, Any]]] = {}
        self.calls: Counter[str] = Counter()

    def next(self, key: str) -> Response | None:
        """The next scripted answer; the last one stays."""
        self.calls[key] += 1
        lines = self.answers.get(key)
        if not lines:
            return None
        status, body = lines.pop(0) if len(lines) > 1 else lines[0]
        return JSONResponse(body, status_code=status)


def add_house(app: FastAPI) -> None:
    """The routes, and ``PUT /script`` to change what they answer."""
    script = Script()

    @app.middleware("http")
    async def scripted(request: Request, call_next: Any) -> Response:
        path = request.url.path
        told = script.next(f"{request.method} {path}") if path.startswith("/api/") else None
        return told or await call_next(request)

    @app.put("/script")
    async def rewrite(lines: dict[str, list[tuple[int, Any]]]) -> None:
        script.answers = lines
        script.calls.clear()

    @app.get("/calls")
    async def calls() -> dict[str, int]:
        return script.calls

    app.include_router(router)
    app.include_router(rules.router)
