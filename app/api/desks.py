"""The operators' ports, as the composition root hands them in. Source: PROTOCOL §2.8."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from app.economy.audit import AuditReport
from app.economy.house_reports import HouseReports
from app.economy.operators import AuditLog
from app.economy.player_desk import PlayerDesk
from app.rooms.tier_desk import TierDesk


@dataclass(frozen=True, slots=True)
class Desks:
    """``prove`` runs the whole proof of the ledger, from one moment of the database."""

    tiers: TierDesk
    players: PlayerDesk
    log: AuditLog
    reports: HouseReports
    prove: Callable[[], Awaitable[AuditReport]]
