"""The composition root: the one place that knows every room of the house and wires them together."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from fastapi import APIRouter, FastAPI

from app.api import health, lobby, pages, records, users
from app.api.deps import House, Policy, Rooms
from app.api.errors import install_error_handlers
from app.api.headers import SECURITY_HEADERS, STRICT_TRANSPORT
from app.api.middleware import BodyLimit, OriginGuard, ResponseHeaders
from app.api.openapi import install_openapi
from app.api.tickets import TicketBox
from app.rooms.errors import NoSuchRoom, Paused
from app.rooms.ports import Player, RoomStore, RoomSummary
from app.rooms.tiers import Tier
from app.settings import Settings
from app.store.database import Database
from app.store.records import SqlRecords
from app.store.room_store import SqlRoomStore
from app.store.tiers import SqlTiers
from app.store.users import SqlUsers

STATIC = Path(__file__).parents[1] / "static"
ROUTERS: tuple[APIRouter, ...] = (users.router, lobby.router, records.router, health.router)


def now_ms() -> int:
    return time.time_ns() // 1_000_000


@asynccontextmanager
async def running_rooms(settings: Settings, store: RoomStore) -> AsyncIterator[Rooms]:
    """The rooms of this process, from start to shutdown."""
    yield ClosedRooms()


def create_app(settings: Settings, *, rooms: Rooms | None = None) -> FastAPI:
    """The application over a migrated database. ``rooms`` stands in for the running ones, in tests."""
    policy = Policy(
        origins=settings.origins,
        secure_cookies=settings.secure_cookies,
        session_ms=settings.session_days * 86_400_000,
        new_player_coins=settings.new_player_coins,
        max_body_bytes=settings.max_body_bytes,
    )

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        database = Database(settings.database_url)
        try:
            async with running_rooms(settings, SqlRoomStore(database)) as running:
                app.state.house = House(
                    users=SqlUsers(database),
                    tiers=SqlTiers(database),
                    records=SqlRecords(database),
                    rooms=rooms or running,
                    tickets=TicketBox(now_ms, settings.ticket_ms),
                    is_ready=database.answers,
                    now_ms=now_ms,
                    policy=policy,
                )
                yield
        finally:
            await database.close()

    app = FastAPI(
        title="Erma",
        version="0.1.0",
        summary="二麻: two-player Mahjong",
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        routes=pages.page_routes(STATIC),
    )
    for router in ROUTERS:
        app.include_router(router)
    install_error_handlers(app)
    install_openapi(app)
    app.add_middleware(BodyLimit, max_bytes=policy.max_body_bytes)
    app.add_middleware(OriginGuard, allowed=policy.origins)
    headers = SECURITY_HEADERS | (STRICT_TRANSPORT if policy.secure_cookies else {})
    app.add_middleware(ResponseHeaders, headers=headers)
    return app


@dataclass
class ClosedRooms:
    """Rooms before there are any: nothing is listed and nothing can be opened."""

    summaries: list[RoomSummary] = field(default_factory=list)

    async def open(self, tier: Tier, host: Player, *, private: bool) -> RoomSummary:
        raise Paused

    async def join(self, room_id: str, player: Player, invite: str | None) -> int:
        raise NoSuchRoom(room_id)

    def public_rooms(self) -> list[RoomSummary]:
        return self.summaries

    def by_invite(self, invite: str) -> RoomSummary | None:
        return None

    def room_of(self, user_id: str) -> str | None:
        return None

    def online(self, tier_id: str) -> int:
        return 0

    def summary(self, room_id: str) -> RoomSummary | None:
        return None
