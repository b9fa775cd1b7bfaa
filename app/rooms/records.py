"""Rounds that are over, as anybody may read them: nothing about them is secret any more."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from app.rooms.ports import RoundRecord


@dataclass(frozen=True, slots=True)
class FinishedRound:
    """A round that will not change again: finished, voided, or withdrawn before it began.

    ``names`` go by seat, ``actions`` are (seat, code) in order.
    """

    record: RoundRecord
    names: tuple[str, str]
    actions: tuple[tuple[int, str], ...]
    proposed_ms: int
    ended_ms: int


class Records(Protocol):
    async def finished(self, round_id: str) -> FinishedRound | None:
        """None also for a round that is still proposed or running: its wall is secret."""
