"""The composition root: the one place that knows every room of the house and wires them together."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from fastapi import APIRouter, FastAPI
from ulid import ULID

from app.api import (
    account,
    health,
    leaderboards,
    lobby,
    match,
    metrics,
    pages,
    players,
    records,
    relief,
    rules,
    users,
    ws,
)
from app.api.admin import players as admin_players
from app.api.admin import reports as admin_reports
from app.api.admin import rooms as admin_rooms
from app.api.admin import tiers as admin_tiers
from app.api.attempts import DoorLimits
from app.api.chat import ChatTerms
from app.api.deps import House, Policy
from app.api.deps import Rooms as AnyRooms
from app.api.desks import Desks
from app.api.doorkeeper import Doorkeeper
from app.api.errors import install_error_handlers
from app.api.headers import SECURITY_HEADERS, STRICT_TRANSPORT
from app.api.middleware import BodyLimit, OriginGuard, ResponseHeaders
from app.api.openapi import install_openapi
from app.api.sockets import SocketLimits, Sockets
from app.api.tickets import TicketBox
from app.api.whereabouts import Whereabouts
from app.economy.player_desk import Sanction
from app.economy.relief import ReliefTerms
from app.rooms.clock import LoopClock
from app.rooms.commits import Sources
from app.rooms.hub import Rooms
from app.rooms.matching import Matcher
from app.rooms.model import RoomPhase
from app.rooms.ports import RoomStore
from app.settings import Settings
from app.store.accounts import SqlAccounts
from app.store.audit import audit
from app.store.audit_log import SqlAuditLog
from app.store.database import Database
from app.store.house_reports import SqlHouseReports
from app.store.leaderboards import SqlStandings
from app.store.marks import SqlMarks
from app.store.player_desk import SqlPlayerDesk
from app.store.records import SqlRecords
from app.store.relief import SqlReliefs
from app.store.room_store import SqlRoomStore
from app.store.tier_desk import SqlTierDesk
from app.store.tiers import SqlTiers
from app.store.users import SqlUsers

STATIC = Path(__file__).parents[1] / "static"
ROUTERS: tuple[APIRouter, ...] = (
    users.router,
    account.router,
    lobby.router,
    match.router,
    leaderboards.router,
    players.router,
    relief.router,
    records.router,
    rules.router,
    admin_tiers.router,
    admin_rooms.router,
    admin_players.router,
    admin_reports.router,
    health.router,
    metrics.router,
    ws.router,
)
DAY_MS = 86_400_000
DATABASE_SECONDS = 30.0  # three times what a lock may be waited for


def now_ms() -> int:
    return time.time_ns() // 1_000_000


@asynccontextmanager
async def running_rooms(store: RoomStore, clock: LoopClock) -> AsyncIterator[tuple[Rooms, Matcher]]:
    """The rooms of this process and who waits for one, from start to shutdown."""
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
        async with _open_house(app, settings, policy, rooms):
            yield

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


def _desks(database: Database) -> Desks:
    return Desks(
        tiers=SqlTierDesk(database),
        players=SqlPlayerDesk(database),
        log=SqlAuditLog(database),
        reports=SqlHouseReports(database),
        prove=lambda: audit(database),
    )


async def _uphold_sanctions(desks: Desks, rooms: Rooms, sockets: Sockets) -> None:
    """Who was muted or banned before this start still is."""
    sockets.muted.update(await desks.players.under(Sanction.MUTE))
    for user_id in await desks.players.under(Sanction.BAN):
        await rooms.bar(user_id)


def _load(rooms: Rooms, sockets: Sockets, clock: LoopClock) -> metrics.Load:
    states = [room.state for room in rooms.running]
    return metrics.Load(
        rooms={phase.value: sum(state.phase is phase for state in states) for phase in RoomPhase},
        stopped=rooms.stopped,
        players=sum(len(state.people) for state in states),
        watchers=sum(room.watchers for room in rooms.running),
        sockets=sockets.addresses.taken,
        tasks=sum(task.get_name().startswith("room ") for task in asyncio.all_tasks()),
        timers=clock.pending,
    )


@asynccontextmanager
async def _open_house(
    app: FastAPI, settings: Settings, policy: Policy, rooms: AnyRooms | None
) -> AsyncIterator[None]:
    """What routes stand on, hung on the application from its start to its end."""
    database = Database(settings.database_url, answers_within=DATABASE_SECONDS, apart=True)
    store = SqlRoomStore(database, settings.zone)
    accounts = SqlAccounts(database)
    doorkeeper = Doorkeeper(accounts, _door_limits(settings), now_ms)
    whereabouts = Whereabouts(SqlMarks(database), LoopClock(), settings.zone)
    clock, sockets, desks = LoopClock(), Sockets(_socket_limits(settings)), _desks(database)
    try:
        await database.prepare()
        async with running_rooms(store, clock) as (running, matcher):
            await _uphold_sanctions(desks, running, sockets)
            whereabouts.begin_day()
            app.state.metrics = metrics.metrics_of(lambda: _load(running, sockets, clock))
            app.state.house = House(
                users=SqlUsers(database),
                accounts=accounts,
                doorkeeper=doorkeeper,
                tiers=SqlTiers(database),
                records=SqlRecords(database),
                standings=SqlStandings(database),
                reliefs=SqlReliefs(database),
                rooms=rooms or running,
                matching=matcher,
                sockets=sockets,
                whereabouts=whereabouts,
                desks=desks,
                tickets=TicketBox(now_ms, settings.ticket_ms),
                is_ready=database.answers,
                now_ms=now_ms,
                policy=policy,
            )
            yield
    finally:
        await whereabouts.stop()
        doorkeeper.passwords.close()
        await store.close()
        await database.close()


def _policy(settings: Settings) -> Policy:
    return Policy(
        origins=settings.origins,
        secure_cookies=settings.secure_cookies,
        session_idle_ms=settings.session_days * DAY_MS,
        session_life_ms=settings.session_life_days * DAY_MS,
        rename_every_ms=settings.rename_hours * 3_600_000,
        zone=settings.zone,
        new_player_coins=settings.new_player_coins,
        daily_coins=settings.daily_coins,
        relief=ReliefTerms(settings.relief_below, settings.relief_coins, settings.relief_per_day),
        max_body_bytes=settings.max_body_bytes,
        chat=ChatTerms(settings.free_text, tuple(word.casefold() for word in settings.blocked_words)),
    )


def _door_limits(settings: Settings) -> DoorLimits:
    return DoorLimits(
        failures=settings.login_failures,
        first_lock_ms=settings.first_lock_seconds * 1_000,
        longest_lock_ms=settings.longest_lock_seconds * 1_000,
        newcomers_per_hour=settings.newcomers_per_hour,
        hashes_at_once=settings.hashes_at_once,
    )


def _socket_limits(settings: Settings) -> SocketLimits:
    return SocketLimits(
        hello_seconds=settings.hello_seconds,
        frames_per_second=settings.frames_per_second,
        frames_burst=settings.frames_burst,
        per_address=settings.sockets_per_address,
        per_user=settings.sockets_per_user,
        watchers_per_room=settings.watchers_per_room,
    )
