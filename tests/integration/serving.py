"""A real server on a real port, over a database built by the migrations."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import httpx
import uvicorn

from app.cli.server import uvicorn_config
from app.client.table import TableClient
from app.main import create_app
from app.settings import load_settings


@dataclass(frozen=True)
class Site:
    """A server that answers; ``http`` and ``ws`` are its addresses."""

    http: str
    ws: str
    database_url: str

    @asynccontextmanager
    async def guest(self, name: str) -> AsyncIterator[Guest]:
        """A guest signed in as a program does, with a Bearer token."""
        async with httpx.AsyncClient(base_url=self.http) as http:
            answer = (await http.post("/api/guest", json={"name": name})).raise_for_status().json()
            http.headers["Authorization"] = f"Bearer {answer['token']}"
            yield Guest(self, http, answer["user"]["id"])


@dataclass(frozen=True)
class Guest:
    site: Site
    http: httpx.AsyncClient
    user_id: str

    async def open_room(
        self, tier: str = "classic64-1", *, private: bool = True, **wishes: bool
    ) -> tuple[str, str | None]:
        answer = await self.http.post("/api/rooms", json={"tier": tier, "private": private, **wishes})
        body = answer.raise_for_status().json()
        return body["room_id"], body["invite"]

    async def join(self, room_id: str, invite: str | None) -> int:
        answer = await self.http.post(f"/api/rooms/{room_id}/join", json={"invite": invite})
        seat: int = answer.raise_for_status().json()["seat"]
        return seat

    async def ticket(self, room_id: str, purpose: str = "play", invite: str | None = None) -> str:
        wanted = {"room_id": room_id, "purpose": purpose, "invite": invite}
        answer = await self.http.post("/api/ws-tickets", json=wanted)
        ticket: str = answer.raise_for_status().json()["ticket"]
        return ticket

    async def table(self, room_id: str, **options: object) -> TableClient:
        """A client for the room, to be entered."""
        url = f"{self.site.ws}/ws/rooms/{room_id}"
        return TableClient(url, await self.ticket(room_id), **options)  # type: ignore[arg-type]  # wrong or looser on purpose

    async def watch(self, room_id: str, invite: str | None = None) -> TableClient:
        """A client that only watches."""
        url = f"{self.site.ws}/ws/rooms/{room_id}"
        return TableClient(url, await self.ticket(room_id, "watch", invite))


class _Server(uvicorn.Server):
    """Tells when it answers."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.answers = asyncio.Event()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.answers.set()


@asynccontextmanager
async def serving(database_url: str, **settings_: object) -> AsyncIterator[Site]:
    """Serve a migrated database from this process, as ``python -m app serve`` would, until the block ends."""
    settings = load_settings(database_url=database_url, **settings_)
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    port = listener.getsockname()[1]
    server = _Server(uvicorn_config(create_app(settings), settings))
    task = asyncio.create_task(server.serve(sockets=[listener]))
    await server.answers.wait()
    try:
        yield Site(f"http://127.0.0.1:{port}", f"ws://127.0.0.1:{port}", database_url)
    finally:
        server.should_exit = True
        await task
