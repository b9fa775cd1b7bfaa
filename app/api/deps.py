"""What routes stand on: the house's ports, its policy, and who is calling."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Protocol, cast
from zoneinfo import ZoneInfo

from fastapi import Depends
from fastapi.requests import HTTPConnection
from fastapi.security import APIKeyCookie, APIKeyHeader, HTTPAuthorizationCredentials, HTTPBearer

from app.api.chat import ChatTerms
from app.api.desks import Desks
from app.api.doorkeeper import Doorkeeper
from app.api.errors import Refused
from app.api.sockets import Sockets
from app.api.tickets import TicketBox
from app.api.whereabouts import Whereabouts
from app.economy.accounts import Accounts
from app.economy.relief import Reliefs, ReliefTerms
from app.economy.standings import Standings
from app.economy.users import Session, User, Users
from app.rooms.matching import MatchStatus
from app.rooms.ports import Player, RoomSummary
from app.rooms.records import Records
from app.rooms.room import Room
from app.rooms.tiers import Tier, Tiers

COOKIE = "erma_session"
HOST_PREFIX = "__Host-"  # a browser takes it from this host alone, over TLS
CSRF_HEADER = "X-Erma-CSRF"
PROLONGED_EVERY_MS = 86_400_000  # a session in use is written once a day


class Rooms(Protocol):
    """The running rooms. ``open`` and ``join`` raise :class:`app.rooms.errors.RoomError`."""

    async def open(
        self, tier: Tier, host: Player, *, private: bool, bot: bool, spectators: bool
    ) -> RoomSummary: ...

    async def join(self, room_id: str, player: Player, invite: str | None) -> int:
        """The seat taken."""

    def public_rooms(self) -> Sequence[RoomSummary]: ...

    def watchable_rooms(self) -> Sequence[RoomSummary]: ...

    def by_invite(self, invite: str) -> RoomSummary | None: ...

    def room_of(self, user_id: str) -> str | None:
        """The room this player sits in, or may: nobody knows yet."""

    def table_of(self, user_id: str) -> str | None:
        """The room this player sits in as far as is known."""

    def is_playing(self, user_id: str) -> bool:
        """Whether a round runs at this player's table."""

    def online(self, tier_id: str) -> int: ...

    def summary(self, room_id: str) -> RoomSummary | None: ...

    def find(self, room_id: str) -> Room | None:
        """The running room itself, for a socket to attach to and for operators."""

    @property
    def running(self) -> Sequence[Room]:
        """Every room of this process."""

    async def bar(self, user_id: str) -> None:
        """This player is banned: he sits nowhere, and none of his sockets stays."""

    def keep_out(self, user_id: str) -> None:
        """He sits down nowhere from now on."""

    def unbar(self, user_id: str) -> None:
        """He is banned no longer."""


class Matching(Protocol):
    """Quick match: :class:`app.rooms.matching.Matcher`."""

    async def enter(self, tier: Tier, player: Player) -> MatchStatus:
        """Raises :class:`app.rooms.errors.RoomError`."""

    def poll(self, user_id: str) -> MatchStatus: ...

    async def leave(self, user_id: str) -> MatchStatus: ...


@dataclass(frozen=True, slots=True)
class Policy:
    """Settings as values."""

    origins: tuple[str, ...] = ()
    secure_cookies: bool = False
    session_idle_ms: int = 90 * 86_400_000
    session_life_ms: int = 365 * 86_400_000
    rename_every_ms: int = 86_400_000
    zone: ZoneInfo = field(default_factory=lambda: ZoneInfo("Asia/Taipei"))
    new_player_coins: int = 10_000
    daily_coins: int = 500
    relief: ReliefTerms = field(default_factory=ReliefTerms)
    max_body_bytes: int = 64 * 1024
    chat: ChatTerms = field(default_factory=ChatTerms)

    @property
    def cookie_name(self) -> str:
        return f"{HOST_PREFIX}{COOKIE}" if self.secure_cookies else COOKIE

    def session_ends_ms(self, *, created_ms: int, seen_ms: int) -> int:
        """When a session ends by itself: unused for long, or simply old."""
        return min(seen_ms + self.session_idle_ms, created_ms + self.session_life_ms)


@dataclass(frozen=True, slots=True)
class House:
    """Everything a route may ask for; hung on ``app.state.house`` by the composition root."""

    users: Users
    accounts: Accounts
    doorkeeper: Doorkeeper
    tiers: Tiers
    records: Records
    standings: Standings
    reliefs: Reliefs
    rooms: Rooms
    matching: Matching
    tickets: TicketBox
    sockets: Sockets
    whereabouts: Whereabouts
    desks: Desks
    is_ready: Callable[[], Awaitable[bool]]
    now_ms: Callable[[], int]
    policy: Policy

    async def session(self, token_sha256: str) -> Session:
        """The session of this token.

        Raises:
            Refused: ``unauthorized``, it has ended.
        """
        session = await self.users.session(token_sha256, self.now_ms())
        if session is None:
            raise Refused("unauthorized")
        return session


@dataclass(frozen=True, slots=True)
class Caller:
    """Who is calling, by which session."""

    user: User
    csrf: str
    token_sha256: str
    by_cookie: bool

    @property
    def player(self) -> Player:
        return Player(self.user.id, self.user.name, self.user.coins, self.user.points)


def could_be_id(text: str) -> bool:
    """Whether it is worth looking up: not every text can even be asked for in every database."""
    return len(text) <= 64 and text.isascii() and text.isprintable()


def house_of(request: HTTPConnection) -> House:
    return cast(House, request.app.state.house)


InHouse = Annotated[House, Depends(house_of)]


class SessionCookie(APIKeyCookie):
    """Behind TLS the cookie has another name, and the one without the prefix is nobody's."""

    async def __call__(self, request: HTTPConnection) -> str | None:
        return request.cookies.get(house_of(request).policy.cookie_name)


_bearer = HTTPBearer(auto_error=False, description="`token` of `POST /api/guest` or `POST /api/login`")
_cookie = SessionCookie(name=COOKIE, auto_error=False, description=f"`{HOST_PREFIX}{COOKIE}` behind TLS")
_csrf = APIKeyHeader(name=CSRF_HEADER, auto_error=False, description="`csrf` of `GET /api/me`")


def token_hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def host_of(request: HTTPConnection) -> str:
    """The address the call comes from."""
    return request.client.host if request.client else ""


Host = Annotated[str, Depends(host_of)]


async def _known(
    house: InHouse,
    bearer: Annotated[HTTPAuthorizationCredentials | None, Depends(_bearer)],
    cookie: Annotated[str | None, Depends(_cookie)],
) -> Caller | None:
    token = bearer.credentials if bearer else cookie
    if not token:
        return None
    hashed, now = token_hash(token), house.now_ms()
    session = await house.users.session(hashed, now)
    if session is None:
        return None
    if now - session.seen_ms >= PROLONGED_EVERY_MS:
        ends_ms = house.policy.session_ends_ms(created_ms=session.created_ms, seen_ms=now)
        await house.users.prolong(hashed, now, ends_ms)
    return Caller(session.user, session.csrf, hashed, by_cookie=bearer is None)


Known = Annotated[Caller | None, Depends(_known)]


async def _caller(known: Known) -> Caller:
    if known is None:
        raise Refused("unauthorized")
    return known


SignedIn = Annotated[Caller, Depends(_caller)]


async def _acting_if_known(known: Known, csrf: Annotated[str | None, Depends(_csrf)]) -> Caller | None:
    if known is None or not known.by_cookie:
        return known
    if not hmac.compare_digest((csrf or "").encode(), known.csrf.encode()):
        raise Refused("csrf")
    return known


ActingIfKnown = Annotated[Caller | None, Depends(_acting_if_known)]  # a stranger may call as well


async def _acting(_: SignedIn, caller: ActingIfKnown) -> Caller:
    assert caller is not None
    return caller


Acting = Annotated[Caller, Depends(_acting)]  # for calls that change something
