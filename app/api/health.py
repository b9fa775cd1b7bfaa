"""Is the process alive, and can it serve? Source: PROTOCOL §2."""

from __future__ import annotations

from fastapi import APIRouter

from app.api.deps import InHouse
from app.api.errors import Refused, answers
from app.api.schemas import StatusAnswer

router = APIRouter(tags=["operations"])


@router.get("/healthz")
async def healthz() -> StatusAnswer:
    """The process answers."""
    return StatusAnswer(status="ok")


@router.get("/readyz", responses=answers("unavailable"))
async def readyz(house: InHouse) -> StatusAnswer:
    """The database answers as well."""
    if not await house.is_ready():
        raise Refused("unavailable")
    return StatusAnswer(status="ready")
