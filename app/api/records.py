"""Finished rounds, open to everybody. Source: PROTOCOL §2, §4."""

from __future__ import annotations

from fastapi import APIRouter

from app.api.deps import House, InHouse, could_be_id
from app.api.errors import Refused, answers
from app.api.record_schemas import ProofBody, RecordBody
from app.rooms.ports import RoundStatus
from app.rooms.records import FinishedRound

router = APIRouter(prefix="/api/rounds", tags=["records"])


@router.get("/{round_id}", responses=answers("no_such_round"))
async def record(round_id: str, house: InHouse) -> RecordBody:
    """The whole record of a round that was played to its end and is not archived."""
    over = await _finished(house, round_id)
    if over.record.status is not RoundStatus.FINISHED or over.is_archived:
        raise Refused("no_such_round")
    return RecordBody.of(over)


@router.get("/{round_id}/proof", responses=answers("no_such_round"))
async def proof(round_id: str, house: InHouse) -> ProofBody:
    """The shuffle proof; also of rounds that were voided, or withdrawn before they began."""
    over = await _finished(house, round_id)
    return ProofBody.of(over.record)


async def _finished(house: House, round_id: str) -> FinishedRound:
    over = await house.records.finished(round_id) if could_be_id(round_id) else None
    if over is None:
        raise Refused("no_such_round")
    return over
