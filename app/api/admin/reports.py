"""What the house earns, what looks wrong, what operators did, and whether the books hold.

Source: PROTOCOL §2.8.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Annotated, Any

from fastapi import APIRouter, Query
from pydantic import BaseModel

from app.api.admin.deps import SEEING, Viewing
from app.api.admin.schemas import NameBody
from app.api.cursors import Cursor, Limit, cursor_of, parts_of
from app.api.deps import InHouse, could_be_id
from app.api.errors import answers
from app.api.schemas import Listing, Page
from app.economy.audit import AuditReport
from app.economy.house_reports import Income, Suspects, SuspectTerms
from app.economy.operators import LogLine
from app.economy.periods import day_of

router = APIRouter(prefix="/api/admin", tags=["operators"])

DAY_MS = 86_400_000
Days = Annotated[int, Query(ge=1, le=92, description="how many days back, today included")]
Id = Annotated[str | None, Query(max_length=32)]


class IncomeBody(BaseModel):
    """``day`` is like ``2026-11-29``, in the server's zone; the rest are coins."""

    day: str
    tier: str
    rake: int
    escapes: int
    fees: int

    @classmethod
    def of(cls, income: Income) -> IncomeBody:
        return cls(
            day=income.day.isoformat(),
            tier=income.tier_id,
            rake=income.rake,
            escapes=income.escapes,
            fees=income.fees,
        )


class IncomeAnswer(Listing[IncomeBody]):
    """Days and tiers that brought nothing are left out; ``days`` are all asked for, oldest first."""

    days: list[str]


class PairBody(BaseModel):
    winner: NameBody
    loser: NameBody
    decided: int
    coins: int


class FleerBody(BaseModel):
    player: NameBody
    escapes: int


class NeighboursBody(BaseModel):
    winner: NameBody
    loser: NameBody
    days: int
    coins: int


class SuspectsAnswer(BaseModel):
    pairs: list[PairBody]
    fleers: list[FleerBody]
    neighbours: list[NeighboursBody]

    @classmethod
    def of(cls, found: Suspects) -> SuspectsAnswer:
        pairs = [
            PairBody(
                winner=NameBody.of(pair.winner),
                loser=NameBody.of(pair.loser),
                decided=pair.decided,
                coins=pair.coins,
            )
            for pair in found.pairs
        ]
        fleers = [FleerBody(player=NameBody.of(each.player), escapes=each.escapes) for each in found.fleers]
        neighbours = [
            NeighboursBody(
                winner=NameBody.of(pair.winner),
                loser=NameBody.of(pair.loser),
                days=pair.days,
                coins=pair.coins,
            )
            for pair in found.neighbours
        ]
        return cls(pairs=pairs, fleers=fleers, neighbours=neighbours)


class ChangeBody(BaseModel):
    """``subject`` is the id of what ``action`` begins with: a tier, a room, a player."""

    id: str
    at_ms: int
    operator: NameBody
    action: str
    subject: str
    before: dict[str, Any] | None
    after: dict[str, Any] | None
    reason: str

    @classmethod
    def of(cls, line: LogLine) -> ChangeBody:
        change = line.change
        return cls(
            id=line.id,
            at_ms=change.by.at_ms,
            operator=NameBody(id=change.by.operator_id, name=line.operator_name),
            action=change.action,
            subject=change.subject,
            before=change.before and dict(change.before),
            after=change.after and dict(change.after),
            reason=change.by.reason,
        )


class AuditFault(BaseModel):
    check: str
    row: dict[str, Any]


class AuditBody(BaseModel):
    """As ``python -m app audit`` prints it."""

    ok: bool
    fault: AuditFault | None
    accounts: int
    postings: int
    entries: int
    rounds: int
    users: int
    issued: int
    held: int

    @classmethod
    def of(cls, report: AuditReport) -> AuditBody:
        fault = report.fault
        return cls(
            ok=fault is None,
            fault=fault and AuditFault(check=fault.check, row=dict(fault.row)),
            accounts=report.accounts,
            postings=report.postings,
            entries=report.entries,
            rounds=report.rounds,
            users=report.users,
            issued=report.issued,
            held=report.held,
        )


@router.get("/income", responses=answers(*SEEING, "invalid"))
async def income(_: Viewing, house: InHouse, days: Days = 14) -> IncomeAnswer:
    """Rake, the house's part of penalties, and table fees, by day and tier."""
    today = day_of(house.now_ms(), house.policy.zone)
    asked = [today - timedelta(days=back) for back in reversed(range(days))]
    earned = await house.desks.reports.income(asked, house.policy.zone)
    return IncomeAnswer(items=[IncomeBody.of(one) for one in earned], days=[day.isoformat() for day in asked])


@router.get("/suspects", responses=answers(*SEEING, "invalid"))
async def suspects(
    _: Viewing,
    house: InHouse,
    days: Days = 14,
    decided: Annotated[int, Query(ge=1, le=1_000)] = 8,
    escapes: Annotated[int, Query(ge=1, le=1_000)] = 3,
) -> SuspectsAnswer:
    """Pairs whose rounds, at least ``decided``, were all won by the same one, players who left at least
    ``escapes`` rounds that had hardly begun, and pairs one of whom gained from the other while both played
    from one address.
    """
    terms = SuspectTerms(decided=decided, escapes=escapes)
    since_ms = house.now_ms() - days * DAY_MS
    return SuspectsAnswer.of(await house.desks.reports.suspects(since_ms, terms, house.policy.zone))


@router.get("/audit-log", responses=answers(*SEEING, "invalid"))
async def audit_log(
    _: Viewing,
    house: InHouse,
    operator: Id = None,
    subject: Id = None,
    limit: Limit = 50,
    cursor: Cursor = None,
) -> Page[ChangeBody]:
    """Every change operators made, newest first; of one operator or one subject where named."""
    before = None if cursor is None else parts_of(cursor, "s")[0]
    if not all(could_be_id(asked) for asked in (operator, subject) if asked is not None):
        return Page(items=[], next=None)
    lines = await house.desks.log.page(operator, subject, before, limit + 1)
    shown = lines[:limit]
    return Page(
        items=[ChangeBody.of(line) for line in shown],
        next=cursor_of(shown[-1].id) if len(lines) > limit else None,
    )


@router.get("/ledger/audit", responses=answers(*SEEING))
async def ledger_audit(_: Viewing, house: InHouse) -> AuditBody:
    """Prove the whole ledger now, from one moment of the database; play goes on meanwhile."""
    return AuditBody.of(await house.desks.prove())
