"""Bodies of requests and answers. Source: PROTOCOL §2."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Generic, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, StrictBool, StringConstraints

from app.economy.ranks import next_rank, rank_of
from app.economy.relief import Relief
from app.economy.users import User
from app.rooms.matching import MatchStatus, Searching
from app.rooms.ports import Player, RoomSummary
from app.rooms.tiers import Tier
from app.rules.ruleset import load_ruleset

Item = TypeVar("Item")
Key = Annotated[str, StringConstraints(strict=True, max_length=64, pattern="^[!-~]+$")]  # an id of ours


class Request(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class RoomRequest(Request):
    tier: Key
    private: StrictBool = False
    bot: StrictBool = False
    spectators: StrictBool = False
    clocks: Literal["normal", "slow"] = "normal"


class MatchRequest(Request):
    tier: Key


class JoinRequest(Request):
    invite: Key | None = None


class TicketRequest(Request):
    room_id: Key
    purpose: Literal["play", "watch"]
    invite: Key | None = None


class NextRank(BaseModel):
    name: str
    points: int


class UserBody(BaseModel):
    id: str
    name: str
    coins: int
    points: int
    rank: str
    next_rank: NextRank | None
    guest: bool
    registered: bool

    @classmethod
    def of(cls, user: User) -> UserBody:
        above = next_rank(user.points)
        return cls(
            id=user.id,
            name=user.name,
            coins=user.coins,
            points=user.points,
            rank=rank_of(user.points).name,
            next_rank=above and NextRank(name=above.name, points=above.points),
            guest=user.is_guest,
            registered=user.is_registered,
        )


class MeAnswer(BaseModel):
    """``role`` is an operator's, null for players; ``free_text`` tells whether players may write to others
    beside the fixed phrases, ``daily`` whether the day's coins are still to be had.
    """

    user: UserBody
    role: Literal["viewer", "operator", "owner"] | None
    csrf: str
    room_id: str | None
    free_text: bool
    daily: bool


class TierBody(BaseModel):
    id: str
    name: str
    ruleset: str
    ruleset_name: str
    tiles: int
    base: int
    entry_min: int
    entry_max: int | None
    rake_bp: int
    table_fee: int
    open_hand: bool
    double: bool
    min_fan: int
    open: bool
    online: int

    @classmethod
    def of(cls, tier: Tier, online: int) -> TierBody:
        rules = load_ruleset(tier.ruleset)
        return cls(
            id=tier.id,
            name=tier.name,
            ruleset=tier.ruleset,
            ruleset_name=rules.zh,
            tiles=rules.tiles,
            base=tier.base_stake,
            entry_min=tier.entry_min,
            entry_max=tier.entry_max,
            rake_bp=tier.rake_bp,
            table_fee=tier.table_fee,
            open_hand=tier.open_hand,
            double=tier.double,
            min_fan=rules.min_fan if tier.min_fan is None else tier.min_fan,
            open=tier.is_open,
            online=online,
        )


class HostBody(BaseModel):
    id: str
    name: str
    rank: str

    @classmethod
    def of(cls, player: Player | None) -> HostBody | None:
        if player is None:
            return None
        return cls(id=player.id, name=player.name, rank=rank_of(player.points).name)


class RoomBody(BaseModel):
    id: str
    tier: str
    tier_name: str
    ruleset: str
    base: int
    host: HostBody | None
    seats: list[HostBody | None]
    seats_taken: int
    phase: str

    @classmethod
    def of(cls, room: RoomSummary) -> RoomBody:
        return cls(
            id=room.id,
            tier=room.tier.id,
            tier_name=room.tier.name,
            ruleset=room.tier.ruleset,
            base=room.base_stake,
            host=HostBody.of(room.host),
            seats=[HostBody.of(player) for player in room.seats],
            seats_taken=room.seats_taken,
            phase=room.phase,
        )


class RoomAnswer(BaseModel):
    room_id: str
    invite: str | None


class JoinAnswer(BaseModel):
    room_id: str
    seat: int


class ReliefBody(BaseModel):
    """``left`` is how often relief may still be had today."""

    granted: int
    coins: int
    left: int

    @classmethod
    def of(cls, relief: Relief) -> ReliefBody:
        return cls(granted=relief.granted, coins=relief.coins, left=relief.left)


class DailyBody(BaseModel):
    granted: int
    coins: int


class MatchBody(BaseModel):
    """Members that do not apply are left out."""

    status: Searching
    tier: str | None = None
    room_id: str | None = None
    waited_ms: int | None = None

    @classmethod
    def of(cls, found: MatchStatus) -> MatchBody:
        return cls(status=found.status, tier=found.tier_id, room_id=found.room_id, waited_ms=found.waited_ms)


class InviteAnswer(BaseModel):
    room_id: str
    tier: TierBody
    host: HostBody | None


class TicketAnswer(BaseModel):
    ticket: str


class Listing(BaseModel, Generic[Item]):
    items: Sequence[Item]


class Page(Listing[Item], Generic[Item]):
    """``next`` is the cursor of the following page, null on the last."""

    next: str | None


class StatusAnswer(BaseModel):
    status: str
