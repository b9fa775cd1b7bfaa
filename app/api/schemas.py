"""Bodies of requests and answers. Source: PROTOCOL §2."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Generic, Literal, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StrictBool, StringConstraints

from app.api.names import clean_name
from app.economy.periods import Period
from app.economy.ranks import next_rank, rank_of
from app.economy.relief import Relief
from app.economy.standings import Career, Measure, Place
from app.economy.users import User
from app.rooms.matching import MatchStatus, Searching
from app.rooms.ports import Player, RoomSummary, RoundRecord
from app.rooms.records import FinishedRound, PlayedRound
from app.rooms.tiers import Tier
from app.rules.ruleset import load_ruleset

Item = TypeVar("Item")
Key = Annotated[str, StringConstraints(strict=True, min_length=1, max_length=64)]


class Request(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class GuestRequest(Request):
    name: Annotated[str, StringConstraints(max_length=100), AfterValidator(clean_name)]


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
        )


class GuestAnswer(BaseModel):
    user: UserBody
    token: str


class MeAnswer(BaseModel):
    user: UserBody
    csrf: str
    room_id: str | None


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


class ProofBody(BaseModel):
    """All that is needed to check the commitment and to deal the wall again. Source: PROTOCOL §4."""

    round_id: str
    status: str
    shuffle: str
    secret: str
    nonce: str
    entropy: tuple[str, str] | None
    commitment: str

    @classmethod
    def of(cls, record: RoundRecord) -> ProofBody:
        return cls(
            round_id=record.id,
            status=record.status.value,
            shuffle=record.shuffle,
            secret=record.secret,
            nonce=record.nonce,
            entropy=record.entropy,
            commitment=record.commitment,
        )


class PlaceBody(BaseModel):
    """The outer ``rank`` is the place, the player's is his title."""

    rank: int
    value: int
    player: HostBody

    @classmethod
    def of(cls, place: Place) -> PlaceBody:
        player = HostBody(id=place.user_id, name=place.name, rank=rank_of(place.points).name)
        return cls(rank=place.rank, value=place.value, player=player)


class BoardBody(Page[PlaceBody]):
    by: Measure
    period: Period
    since_ms: int | None


class AroundBody(Listing[PlaceBody]):
    by: Measure
    period: Period
    since_ms: int | None
    me: PlaceBody | None


class CareerBody(UserBody):
    rounds: int
    wins: int
    draws: int
    losses: int
    escapes: int
    deserted: int
    best_fan: int

    @classmethod
    def of_career(cls, career: Career) -> CareerBody:
        return cls(
            **UserBody.of(career.user).model_dump(),
            rounds=career.rounds,
            wins=career.wins,
            draws=career.draws,
            losses=career.losses,
            escapes=career.escapes,
            deserted=career.deserted,
            best_fan=career.best_fan,
        )


class PlayerBody(BaseModel):
    id: str
    name: str


class PlayedBody(BaseModel):
    """A round in a player's history; ``fans`` are the winner's, whoever he was."""

    id: str
    tier: str
    tier_name: str
    ruleset: str
    base: int
    opponent: PlayerBody
    outcome: str
    total_fan: int
    multiplier: int
    fans: Sequence[str]
    coins_delta: int
    points_delta: int
    at_ms: int

    @classmethod
    def of(cls, played: PlayedRound) -> PlayedBody:
        return cls(
            id=played.round_id,
            tier=played.tier.id,
            tier_name=played.tier.name,
            ruleset=played.tier.ruleset,
            base=played.base_stake,
            opponent=PlayerBody(id=played.opponent[0], name=played.opponent[1]),
            outcome=played.outcome,
            total_fan=played.total_fan,
            multiplier=played.multiplier,
            fans=[_fan_text(fan) for fan in played.fans],
            coins_delta=played.coins_delta,
            points_delta=played.points_delta,
            at_ms=played.at_ms,
        )


def _fan_text(fan: Mapping[str, Any]) -> str:
    return fan["zh"] if fan["count"] == 1 else f"{fan['zh']}×{fan['count']}"


class TierName(BaseModel):
    id: str
    name: str


class RecordBody(BaseModel):
    """A finished round: with it anybody can replay each step."""

    id: str
    room_id: str
    number: int
    tier: TierName
    rake_bp: int
    ruleset: str
    ruleset_version: int
    record_version: int
    options: dict[str, Any]
    base: int
    players: tuple[PlayerBody, PlayerBody]
    dealer: int | None
    proof: ProofBody
    actions: Sequence[tuple[int, str]] = Field(description="seat and action, in the order played")
    result: dict[str, Any] | None
    proposed_ms: int
    ended_ms: int

    @classmethod
    def of(cls, over: FinishedRound) -> RecordBody:
        record = over.record
        return cls(
            id=record.id,
            room_id=record.room_id,
            number=record.number,
            tier=TierName(id=over.tier.id, name=over.tier.name),
            rake_bp=over.tier.rake_bp,
            ruleset=record.ruleset,
            ruleset_version=record.ruleset_version,
            record_version=record.record_version,
            options=dict(record.options),
            base=record.base_stake,
            players=(
                PlayerBody(id=record.players[0], name=over.names[0]),
                PlayerBody(id=record.players[1], name=over.names[1]),
            ),
            dealer=record.dealer,
            proof=ProofBody.of(record),
            actions=over.actions,
            result=None if record.result is None else dict(record.result),
            proposed_ms=over.proposed_ms,
            ended_ms=over.ended_ms,
        )
