"""Tiers: :class:`app.rooms.tiers.Tiers` over a database."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Select, case, select

from app.rooms.tiers import Tier
from app.rules.ruleset import RULESET_IDS
from app.store.database import Database
from app.store.models import TierRow
from app.store.rows import tier_of

_SELECT: Select[Any] = select(TierRow.__table__)
_HOUSE_ORDER = case({ruleset: n for n, ruleset in enumerate(RULESET_IDS)}, value=TierRow.ruleset)


class SqlTiers:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def all(self) -> Sequence[Tier]:
        async with self._database.read() as connection:
            rows = await connection.execute(_SELECT.order_by(_HOUSE_ORDER, TierRow.position))
            return [tier_of(row._mapping) for row in rows]

    async def tier(self, tier_id: str) -> Tier | None:
        async with self._database.read() as connection:
            row = (await connection.execute(_SELECT.where(TierRow.id == tier_id))).one_or_none()
        return None if row is None else tier_of(row._mapping)
