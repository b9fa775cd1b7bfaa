"""The composition root: the one place that knows every room of the house and wires them together."""

from __future__ import annotations

import secrets
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from fastapi import APIRouter, FastAPI
from ulid import ULID

from app.api import health, leaderboards, lobby, match, pages, players, records, relief, rules, users, ws
from app.api.deps import House, Policy
from app.api.deps import Rooms as AnyRooms
from app.api.errors import install_error_handlers
from app.api.headers import SECURITY_HEADERS, STRICT_TRANSPORT
from app.api.middleware import BodyLimit, OriginGuard, ResponseHeaders
from app.api.openapi import install_openapi
from app.api.sockets import SocketLimits, Sockets
from app.api.tickets import TicketBox
from app.economy.relief import ReliefTerms
from app.rooms.clock import LoopClock
from app.rooms.hub import Rooms
from app.rooms.matching import Matcher
from app.rooms.ports import RoomStore
from app.rooms.room import Sources
from app.settings import Settings
from app.store.database import Database
from app.store.leaderboards import SqlStandings
from app.store.records import SqlRecords
from app.store.relief import SqlReliefs
from app.store.room_store import SqlRoomStore
from app.store.tiers import SqlTiers
from app.store.users import SqlUsers

STATIC = Path(__file__).parents[1] / "static"
ROUTERS: tuple[APIRouter, ...] = (
    users.router,
    lobby.router,
    match.router,
    leaderboards.router,
    players.router,
    relief.router,
    records.router,
    rules.router,
    health.router,
    ws.router,
)


def now_ms() -> int:
    return time.time_ns() // 1_000_000


@asynccontextmanager
async def running_rooms(store: RoomStore) -> AsyncIterator[tuple[Rooms, Matcher]]:
    """The rooms of this process and who waits for one, from start to shutdown."""
    clock = LoopClock()
    rooms = Rooms(Sources(store, clock, lambda: str(ULID()), secrets.token_bytes))
    await rooms.recover()
    matcher = Matcher(rooms, store, clock)
    try:
        yield rooms, matcher
    finally:
        await matcher.stop()
        await rooms.stop()


def create_app(settings: Settings, *, rooms: AnyRooms | None = None) -> FastAPI:
    """The application over a migrated database. ``rooms`` stands in for the running ones, in tests."""
    policy = _policy(settings)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        database = Database(settings.database_url)
        store = SqlRoomStore(database, settings.zone)
        try:
            async with running_rooms(store) as (running, matcher):
                app.state.house = House(
                    users=SqlUsers(database),
                    tiers=SqlTiers(database),
                    records=SqlRecords(database),
                    standings=SqlStandings(database),
                    reliefs=SqlReliefs(database),
                    rooms=rooms or running,
                    matching=matcher,
                    sockets=Sockets(_socket_limits(settings)),
                    tickets=TicketBox(now_ms, settings.ticket_ms),
                    is_ready=database.answers,
                    now_ms=now_ms,
                    policy=policy,
                )
                yield
        finally:
            await store.close()
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
    install_error_handlers(app, ROUTERS)
    install_openapi(app)
    app.add_middleware(BodyLimit, max_bytes=policy.max_body_bytes)
    app.add_middleware(OriginGuard, allowed=policy.origins)
    headers = SECURITY_HEADERS | (STRICT_TRANSPORT if policy.secure_cookies else {})
    app.add_middleware(ResponseHeaders, headers=headers)
    return app


def _policy(settings: Settings) -> Policy:
    return Policy(
        origins=settings.origins,
        secure_cookies=settings.secure_cookies,
        session_ms=settings.session_days * 86_400_000,
        zone=settings.zone,
        new_player_coins=settings.new_player_coins,
        relief=ReliefTerms(settings.relief_below, settings.relief_coins, settings.relief_per_day),
        max_body_bytes=settings.max_body_bytes,
    )


def _socket_limits(settings: Settings) -> SocketLimits:
    return SocketLimits(
        hello_seconds=settings.hello_seconds,
        frames_per_second=settings.frames_per_second,
        frames_burst=settings.frames_burst,
        per_address=settings.sockets_per_address,
        per_user=settings.sockets_per_user,
    )
