"""A stage for the pages: serves ``static/`` and plays one scene over the WebSocket, without a game behind it.

``python -m tests.e2e.stage [port]`` and open ``/room/turn``, ``/room/claim`` … or ``/``.
"""

from __future__ import annotations

import asyncio
import itertools
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

from fastapi import FastAPI, Response, WebSocket, WebSocketDisconnect
from fastapi.responses import FileResponse, JSONResponse
from fastapi.staticfiles import StaticFiles

from tests.e2e.scenes import OWN, SCENES, now_ms

STATIC = Path(__file__).parents[2] / "static"
CSP = "default-src 'self'"
TIERS = (
    ("雀仔場", 10),
    ("麻雀場", 50),
    ("銅雀場", 100),
    ("銀雀場", 500),
    ("金雀場", 2_000),
    ("雀王場", 10_000),
)
RULESETS = (("classic64", "兩人麻將", 64), ("jiule72", "九樂二人麻將", 72))
PENALTY = 3_200


def tiers() -> list[dict[str, Any]]:
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


def me() -> dict[str, Any]:
    user = {
        "id": "u-聽雨",
        "name": "聽雨",
        "coins": 128_500,
        "points": 3_420,
        "rank": "銅雀",
        "next_rank": {"name": "銀雀", "points": 8_000},
        "guest": True,
    }
    return {"user": user, "csrf": "token", "room_id": None}


def answer(message: dict[str, Any]) -> dict[str, Any] | None:
    """What the room would say to one frame: every act is taken, leaving costs."""
    match message:
        case {"m": "ping", "n": n, "t": t}:
            return {"m": "pong", "n": n, "t": t, "server_ms": now_ms()}
        case {"m": "leave", "id": id_, "force": True}:
            return {"m": "ack", "id": id_, "seq": 41, "dup": False}
        case {"m": "leave", "id": id_}:
            return {"m": "err", "id": id_, "code": "leave_unconfirmed", "retry": False, "penalty": PENALTY}
        case {"id": id_}:
            return {"m": "ack", "id": id_, "seq": 40, "dup": False}
    return None


def create_stage(*, cached: bool = False) -> FastAPI:
    """``cached`` lets the browser keep the files; without it every reload shows the latest edit."""
    app = FastAPI()
    sent: list[dict[str, Any]] = []
    heard = asyncio.Condition()
    tables: set[WebSocket] = set()
    seqs = itertools.count(41)
    signed_in = {"yes": True}

    @app.middleware("http")
    async def strict(request: Any, call_next: Any) -> Response:
        response: Response = await call_next(request)
        response.headers["Content-Security-Policy"] = CSP
        response.headers["Cache-Control"] = "max-age=600" if cached else "no-store"
        return response

    @app.get("/")
    def lobby(guest: bool = False) -> FileResponse:
        signed_in["yes"] = not guest
        return FileResponse(STATIC / "index.html")

    @app.get("/room/{scene}")
    def table(scene: str) -> FileResponse:
        return FileResponse(STATIC / "room.html")

    @app.get("/api/me")
    def get_me() -> JSONResponse:
        if not signed_in["yes"]:
            return JSONResponse({"code": "unauthorized"}, status_code=401)
        return JSONResponse(me())

    @app.post("/api/guest")
    def guest() -> JSONResponse:
        signed_in["yes"] = True
        return JSONResponse({"user": me()["user"], "token": "t"})

    @app.get("/api/tiers")
    def get_tiers() -> dict[str, Any]:
        return {"items": tiers()}

    @app.get("/api/rooms")
    def get_rooms() -> dict[str, Any]:
        host = {"id": "u-2", "name": "北風", "rank": "麻雀"}
        item = {
            "id": "turn",
            "tier": "classic64-2",
            "tier_name": "麻雀場",
            "ruleset": "classic64",
            "base": 50,
        }
        return {"items": [item | {"host": host, "seats_taken": 1, "phase": "waiting"}], "next": None}

    @app.post("/api/rooms")
    def create_room() -> dict[str, Any]:
        return {"room_id": "waiting", "invite": "K7M2Q9"}

    @app.post("/api/rooms/{room_id}/join")
    def join(room_id: str) -> dict[str, Any]:
        return {"room_id": room_id, "seat": OWN}

    @app.get("/api/invites/{invite}")
    def get_invite(invite: str) -> JSONResponse:
        if invite != "K7M2Q9":
            return JSONResponse({"code": "no_such_room"}, status_code=404)
        return JSONResponse({"room_id": "confirm", "tier": "classic64-1", "host": "阿梅"})

    @app.post("/api/ws-tickets")
    def ticket() -> dict[str, str]:
        return {"ticket": "t"}

    @app.post("/stage/{scene}")
    async def change_scene(scene: str) -> int:
        """Another view for who is at a table; its number."""
        snap, *rest = SCENES[scene]()
        snap["seq"] = next(seqs)
        for table in list(tables):
            for frame in (snap, *rest):
                await table.send_json(frame)
        return int(snap["seq"])

    @app.delete("/sent")
    def forget_sent() -> None:
        sent.clear()

    @app.get("/sent")
    async def get_sent(at_least: int = 0) -> list[dict[str, Any]]:
        """What the pages said, as soon as it is so much; after five seconds, what there is."""
        with suppress(TimeoutError):
            async with asyncio.timeout(5), heard:
                await heard.wait_for(lambda: len(sent) >= at_least)
        return sent

    @app.websocket("/ws/rooms/{scene}")
    async def play(socket: WebSocket, scene: str) -> None:
        await socket.accept(subprotocol="erma.v1")
        await socket.receive_json()
        user = {"id": "u-聽雨", "name": "聽雨"}
        welcome = {"m": "welcome", "user": user, "room": scene, "seat": OWN, "conn": 1, "proto": "erma.v1"}
        await socket.send_json(welcome | {"server_ms": now_ms(), "mode": "play"})
        for frame in SCENES[scene]():
            await socket.send_json(frame)
        tables.add(socket)
        try:
            while True:
                message = await socket.receive_json()
                if message.get("m") != "ping":
                    async with heard:
                        sent.append(message)
                        heard.notify_all()
                if reply := answer(message):
                    await socket.send_json(reply)
        except WebSocketDisconnect:
            tables.discard(socket)

    app.mount("/static", StaticFiles(directory=STATIC))
    return app


if __name__ == "__main__":
    import uvicorn

    uvicorn.run(create_stage(), port=int(sys.argv[1]) if len(sys.argv) > 1 else 8100, log_level="warning")
