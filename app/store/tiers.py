"""Tiers: :class:`app.rooms.tiers.Tiers` over a database."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, Select, case, select

from app.rooms.tiers import Tier
from app.rules.ruleset import RULESET_IDS
from app.store.database import Database
from app.store.models import TierRow
from app.store.rows import tier_of

_TIERS: Select[Any] = select(TierRow.__table__)
_HOUSE_ORDER = case({ruleset: n for n, ruleset in enumerate(RULESET_IDS)}, value=TierRow.ruleset)


class SqlTiers:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def all(self) -> Sequence[Tier]:
        statement = _TIERS.order_by(_HOUSE_ORDER, TierRow.position)
        return await self._database.read(lambda connection: _tiers(connection, statement))

    async def tier(self, tier_id: str) -> Tier | None:
        statement = _TIERS.where(TierRow.id == tier_id)
        return next(iter(await self._database.read(lambda connection: _tiers(connection, statement))), None)


def _tiers(connection: Connection, statement: Select[Any]) -> list[Tier]:
    return [tier_of(dict(row)) for row in connection.execute(statement).mappings()]
