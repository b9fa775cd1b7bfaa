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

from app.api.pages import page_routes
from tests.e2e.house import add_house
from tests.e2e.scenes import OWN, SCENES, missed, now_ms

STATIC = Path(__file__).parents[2] / "static"
CSP = "default-src 'self'"
PENALTY = 3_200
CROWDED = "watch-crowded"  # a table at which nobody more may watch


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


def place_in(scene: str) -> dict[str, Any]:
    """What the reader of a scene is at the table."""
    is_watched = scene.startswith("watch")
    return {"seat": None if is_watched else OWN, "mode": "watch" if is_watched else "play"}


def create_stage(*, cached: bool = False) -> FastAPI:
    """``cached`` lets the browser keep the files; without it every reload shows the latest edit."""
    app = FastAPI()
    sent: list[dict[str, Any]] = []
    heard = asyncio.Condition()
    tables: set[WebSocket] = set()
    seqs = itertools.count(41)

    @app.middleware("http")
    async def strict(request: Any, call_next: Any) -> Response:
        response: Response = await call_next(request)
        response.headers["Content-Security-Policy"] = CSP
        is_file = request.url.path.startswith("/static")
        response.headers["Cache-Control"] = "max-age=600" if cached and is_file else "no-store"
        return response

    app.router.routes.extend(page_routes(STATIC))
    add_house(app)

    @app.post("/stage/{scene}")
    async def change_scene(scene: str) -> int:
        """Another view for who is at a table, and what follows it; the last number."""
        frames, seq = SCENES[scene](), 0
        for frame in frames:
            if "seq" in frame:
                frame["seq"] = seq = next(seqs)
        for table in list(tables):
            for frame in frames:
                await table.send_json(frame)
        return seq

    @app.delete("/tables")
    async def cut() -> None:
        """Every connection breaks; who comes back has missed something."""
        for table in list(tables):
            await table.close(1012)
        tables.clear()

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
        resume = (await socket.receive_json()).get("resume")
        if scene == CROWDED:
            await socket.close(1013)
            return
        user = {"id": "u-聽雨", "name": "聽雨"}
        welcome = {"m": "welcome", "user": user, "room": scene, "conn": 1, "proto": "erma.v1"}
        await socket.send_json(welcome | place_in(scene) | {"server_ms": now_ms()})
        watches = place_in(scene)["mode"] == "watch"
        for frame in missed(resume["seq"]) if resume and not watches else SCENES[scene]():
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

    return app


if __name__ == "__main__":
    import uvicorn

    uvicorn.run(create_stage(), port=int(sys.argv[1]) if len(sys.argv) > 1 else 8100, log_level="warning")
