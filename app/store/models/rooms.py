"""Rooms, their rounds, and the logs both are rebuilt from."""

from __future__ import annotations

from typing import Any

from sqlalchemy import BigInteger, CheckConstraint, ForeignKey, Index, String, text
from sqlalchemy.orm import Mapped, mapped_column

from app.rooms.model import RoomPhase
from app.rooms.ports import RoundStatus
from app.store.models.base import Base, Code, Coins, Hex, Id, Json, Millis, json_type

LIVE_ROUNDS = (RoundStatus.PROPOSED, RoundStatus.RUNNING)
# as the indexes have them: who looks for what is in an index says it in the same letters
LIVE = f"status IN {tuple(map(str, LIVE_ROUNDS))}"
OPEN = f"phase <> '{RoomPhase.CLOSED}'"
NAMES = "kind = 'seat_taken'"  # the events that hold a player's name


class RoomRow(Base):
    """A room's head. ``tier`` is the tier as it stood when the room was opened; ``commits`` goes up by one
    with every change, and who changes it knows from which.
    """

    __tablename__ = "rooms"
    __table_args__ = (Index("ix_rooms_open", "id", sqlite_where=text(OPEN), postgresql_where=text(OPEN)),)

    id: Mapped[Id] = mapped_column(primary_key=True)
    tier_id: Mapped[Code] = mapped_column(ForeignKey("tiers.id"))
    tier: Mapped[Json]
    base_stake: Mapped[Coins]
    private: Mapped[bool]
    invite: Mapped[str | None] = mapped_column(String(64), unique=True)
    phase: Mapped[Code]
    seat0: Mapped[Id | None] = mapped_column(ForeignKey("users.id"))
    seat1: Mapped[Id | None] = mapped_column(ForeignKey("users.id"))
    seq: Mapped[int] = mapped_column(BigInteger)
    commits: Mapped[int] = mapped_column(BigInteger, server_default="0")
    state: Mapped[Json]
    created_ms: Mapped[Millis]
    updated_ms: Mapped[Millis]


class RoundRow(Base):
    """A round's head: who, under which rules, from which shuffle. A room has one live round at most.

    Since ``archived_ms`` its actions and events lie in an archive; what it came to stays here.
    """

    __tablename__ = "rounds"
    __table_args__ = (
        CheckConstraint(f"status IN {tuple(map(str, RoundStatus))}", name="status"),
        Index("uq_rounds_live", "room_id", unique=True, sqlite_where=text(LIVE), postgresql_where=text(LIVE)),
    )

    id: Mapped[Id] = mapped_column(primary_key=True)
    room_id: Mapped[Id] = mapped_column(ForeignKey("rooms.id"), index=True)
    number: Mapped[int]
    status: Mapped[Code]
    ruleset: Mapped[Code]
    ruleset_version: Mapped[int]
    record_version: Mapped[int]
    options: Mapped[Json]
    base_stake: Mapped[Coins]
    player0: Mapped[Id] = mapped_column(ForeignKey("users.id"), index=True)
    player1: Mapped[Id] = mapped_column(ForeignKey("users.id"), index=True)
    dealer: Mapped[int | None]
    shuffle: Mapped[Code]
    secret: Mapped[Hex]
    nonce: Mapped[Hex]
    commitment: Mapped[Hex]
    entropy0: Mapped[Hex | None]
    entropy1: Mapped[Hex | None]
    result: Mapped[dict[str, Any] | None] = mapped_column(json_type(none_as_null=True))
    created_ms: Mapped[Millis]
    ended_ms: Mapped[Millis | None]
    archived_ms: Mapped[Millis | None]


class ActionRow(Base):
    """The ``n``-th action of a round, in the engine's text form; seat 2 is the clock."""

    __tablename__ = "actions"
    __table_args__ = (
        CheckConstraint("seat IN (0, 1, 2)", name="seat"),
        {"sqlite_with_rowid": False},
    )

    round_id: Mapped[Id] = mapped_column(ForeignKey("rounds.id"), primary_key=True)
    n: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    seat: Mapped[int]
    code: Mapped[Code]
    at_ms: Mapped[Millis]


class EventRow(Base):
    """One event of a room's log, unredacted. A round's are found in its room's."""

    __tablename__ = "events"
    __table_args__ = (
        Index("ix_events_names", "room_id", sqlite_where=text(NAMES), postgresql_where=text(NAMES)),
    )

    room_id: Mapped[Id] = mapped_column(ForeignKey("rooms.id"), primary_key=True)
    seq: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    at_ms: Mapped[Millis]
    round_id: Mapped[Id | None] = mapped_column(ForeignKey("rounds.id"))
    kind: Mapped[Code]
    data: Mapped[Json]


class AnswerRow(Base):
    """The answer to a client's action id, kept for ever so that a resend is told the same."""

    __tablename__ = "answers"
    __table_args__ = ({"sqlite_with_rowid": False},)

    room_id: Mapped[Id] = mapped_column(ForeignKey("rooms.id"), primary_key=True)
    user_id: Mapped[Id] = mapped_column(ForeignKey("users.id"), primary_key=True)
    action_id: Mapped[str] = mapped_column(String(64), primary_key=True)
    digest: Mapped[Hex]
    seq: Mapped[int] = mapped_column(BigInteger)
    at_ms: Mapped[Millis]


class ResultRow(Base):
    """How a round ended for one player. Points change by nothing else."""

    __tablename__ = "round_results"
    __table_args__ = (
        CheckConstraint("seat IN (0, 1)", name="seat"),
        CheckConstraint("points_before >= 0 AND points_after >= 0", name="points"),
        Index(None, "user_id", "at_ms"),
    )

    round_id: Mapped[Id] = mapped_column(ForeignKey("rounds.id"), primary_key=True)
    user_id: Mapped[Id] = mapped_column(ForeignKey("users.id"), primary_key=True)
    seat: Mapped[int]
    outcome: Mapped[Code]
    coins_delta: Mapped[Coins]
    points_before: Mapped[int] = mapped_column(BigInteger)
    points_after: Mapped[int] = mapped_column(BigInteger)
    total_fan: Mapped[int]
    dealt_in: Mapped[bool]
    at_ms: Mapped[Millis]
