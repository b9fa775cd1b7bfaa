"""Bodies of finished rounds and histories. Source: PROTOCOL §2, §4."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import BaseModel, Field

from app.rooms.ports import RoundRecord
from app.rooms.records import FinishedRound, PlayedRound, PointsAt


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
            tier=played.tier[0],
            tier_name=played.tier[1],
            ruleset=played.ruleset,
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


class PointsBody(BaseModel):
    at_ms: int
    points: int

    @classmethod
    def of(cls, after: PointsAt) -> PointsBody:
        return cls(at_ms=after.at_ms, points=after.points)


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
