"""What routes stand on: the house's ports, its policy, and who is calling."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Protocol, cast
from zoneinfo import ZoneInfo

from fastapi import Depends, Request
from fastapi.security import APIKeyCookie, APIKeyHeader, HTTPAuthorizationCredentials, HTTPBearer

from app.api.chat import ChatTerms
from app.api.desks import Desks
from app.api.errors import Refused
from app.api.sockets import Sockets
from app.api.tickets import TicketBox
from app.economy.relief import Reliefs, ReliefTerms
from app.economy.standings import Standings
from app.economy.users import User, Users
from app.rooms.matching import MatchStatus
from app.rooms.ports import Player, RoomSummary
from app.rooms.records import Records
from app.rooms.room import Room
from app.rooms.tiers import Tier, Tiers

COOKIE = "erma_session"
CSRF_HEADER = "X-Erma-CSRF"


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
        """The room this player sits in."""

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
    session_ms: int = 90 * 86_400_000
    zone: ZoneInfo = field(default_factory=lambda: ZoneInfo("Asia/Taipei"))
    new_player_coins: int = 10_000
    relief: ReliefTerms = field(default_factory=ReliefTerms)
    max_body_bytes: int = 64 * 1024
    chat: ChatTerms = field(default_factory=ChatTerms)


@dataclass(frozen=True, slots=True)
class House:
    """Everything a route may ask for; hung on ``app.state.house`` by the composition root."""

    users: Users
    tiers: Tiers
    records: Records
    standings: Standings
    reliefs: Reliefs
    rooms: Rooms
    matching: Matching
    tickets: TicketBox
    sockets: Sockets
    desks: Desks
    is_ready: Callable[[], Awaitable[bool]]
    now_ms: Callable[[], int]
    policy: Policy


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


def house_of(request: Request) -> House:
    return cast(House, request.app.state.house)


InHouse = Annotated[House, Depends(house_of)]

_bearer = HTTPBearer(auto_error=False, description="`token` of `POST /api/guest`")
_cookie = APIKeyCookie(name=COOKIE, auto_error=False)
_csrf = APIKeyHeader(name=CSRF_HEADER, auto_error=False, description="`csrf` of `GET /api/me`")


def token_hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


async def _caller(
    house: InHouse,
    bearer: Annotated[HTTPAuthorizationCredentials | None, Depends(_bearer)],
    cookie: Annotated[str | None, Depends(_cookie)],
) -> Caller:
    token = bearer.credentials if bearer else cookie
    if not token:
        raise Refused("unauthorized")
    hashed = token_hash(token)
    session = await house.users.session(hashed, house.now_ms())
    if session is None:
        raise Refused("unauthorized")
    return Caller(session.user, session.csrf, hashed, by_cookie=bearer is None)


SignedIn = Annotated[Caller, Depends(_caller)]


async def _acting(caller: SignedIn, csrf: Annotated[str | None, Depends(_csrf)]) -> Caller:
    if caller.by_cookie and not hmac.compare_digest((csrf or "").encode(), caller.csrf.encode()):
        raise Refused("csrf")
    return caller


Acting = Annotated[Caller, Depends(_acting)]  # for calls that change something
