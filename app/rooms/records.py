"""Rounds that are over, as anybody may read them: nothing about them is secret any more."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from app.rooms.ports import RoundRecord
from app.rooms.tiers import Tier


@dataclass(frozen=True, slots=True)
class FinishedRound:
    """A round that will not change again: finished, voided, or withdrawn before it began.

    ``tier`` is the tier as it stood when the room was opened, ``names`` go by seat,
    ``actions`` are (seat, code) in order; those of an archived round lie elsewhere, and here are none.
    """

    record: RoundRecord
    tier: Tier
    names: tuple[str, str]
    actions: tuple[tuple[int, str], ...]
    proposed_ms: int
    ended_ms: int
    is_archived: bool = False


@dataclass(frozen=True, slots=True)
class PlayedRound:
    """A settled round as it stands in one player's history.

    ``outcome`` is his (:class:`app.rooms.ports.ResultRecord`); ``total_fan``, ``multiplier`` and ``fans``
    (the data of :func:`app.engine.events.fan_data`) are the winner's, 0, 1 and empty where nobody won.
    What of it cannot be read any more is shown as that, and the tier's name as it is now.
    """

    round_id: str
    tier: tuple[str, str]  # id, name
    ruleset: str
    base_stake: int
    opponent: tuple[str, str]  # id, name
    outcome: str
    total_fan: int
    multiplier: int
    fans: tuple[Mapping[str, Any], ...]
    coins_delta: int
    points_delta: int
    at_ms: int


@dataclass(frozen=True, slots=True)
class Moment:
    """A point of a history: just before this round."""

    at_ms: int
    round_id: str


@dataclass(frozen=True, slots=True)
class PointsAt:
    """A player's points after a round."""

    at_ms: int
    points: int


class Records(Protocol):
    async def points(self, user_id: str, limit: int) -> Sequence[PointsAt]:
        """After each of the player's latest rounds, oldest first."""

    async def best(self, user_id: str, limit: int) -> Sequence[PlayedRound]:
        """The player's wins of the most fan, the latest first among equals."""

    async def played(self, user_id: str, before: Moment | None, limit: int) -> Sequence[PlayedRound]:
        """A player's settled rounds, newest first."""

    async def finished(self, round_id: str) -> FinishedRound | None:
        """None also for a round that is still proposed or running: its wall is secret."""
