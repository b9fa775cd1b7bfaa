"""Finished rounds, open to everybody. Source: PROTOCOL §2, §4."""

from __future__ import annotations

from fastapi import APIRouter

from app.api.deps import InHouse
from app.api.errors import Refused, answers
from app.api.schemas import ProofBody, RecordBody
from app.rooms.ports import RoundStatus

router = APIRouter(prefix="/api/rounds", tags=["records"])


@router.get("/{round_id}", responses=answers("no_such_round"))
async def record(round_id: str, house: InHouse) -> RecordBody:
    """The whole record of a round that was played to its end."""
    over = await house.records.finished(round_id)
    if over is None or over.record.status is not RoundStatus.FINISHED:
        raise Refused("no_such_round")
    return RecordBody.of(over)


@router.get("/{round_id}/proof", responses=answers("no_such_round"))
async def proof(round_id: str, house: InHouse) -> ProofBody:
    """The shuffle proof; also of rounds that were voided, or withdrawn before they began."""
    over = await house.records.finished(round_id)
    if over is None:
        raise Refused("no_such_round")
    return ProofBody.of(over.record)
