"""Changing tiers: :class:`app.rooms.tier_desk.TierDesk` over a database."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, replace
from typing import Any

from sqlalchemy import Connection, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from app.economy.operators import By, Change
from app.rooms.tier_desk import NoSuchTier, TierChanged, TierExists, check_tier
from app.rooms.tiers import Tier
from app.store.audit_log import write_changes
from app.store.database import Database
from app.store.faults import is_taken
from app.store.models import TierRow
from app.store.rows import tier_of


class SqlTierDesk:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def create(self, tier: Tier, by: By) -> Tier:
        check_tier(tier)
        return await self._database.write(lambda connection: _create(connection, tier, by))

    async def change(self, tier_id: str, version: int, changes: Mapping[str, Any], by: By) -> Tier:
        return await self._database.write(lambda c: _change(c, tier_id, version, changes, by))


def _create(connection: Connection, tier: Tier, by: By) -> Tier:
    last = select(func.coalesce(func.max(TierRow.position), 0)).where(TierRow.ruleset == tier.ruleset)
    position = int(connection.scalar(last) or 0) + 1
    try:
        connection.execute(insert(TierRow), {**asdict(tier), "position": position})
    except IntegrityError as error:
        if is_taken(error):
            raise TierExists(tier.id) from error
        raise
    write_changes(connection, [Change(by, "tier.create", tier.id, None, asdict(tier))])
    return tier


def _change(connection: Connection, tier_id: str, version: int, changes: Mapping[str, Any], by: By) -> Tier:
    row = connection.execute(
        select(TierRow.__table__).where(TierRow.id == tier_id).with_for_update()
    ).one_or_none()
    if row is None:
        raise NoSuchTier(tier_id)
    present = tier_of(dict(row._mapping))
    if present.version != version:
        raise TierChanged(present)
    changed = replace(present, **changes)
    if changed == present:
        return present
    changed = replace(changed, version=version + 1)
    check_tier(changed)
    connection.execute(update(TierRow).where(TierRow.id == tier_id).values(asdict(changed)))
    write_changes(connection, [Change(by, "tier.change", tier_id, *_differences(present, changed))])
    return changed


def _differences(before: Tier, after: Tier) -> tuple[dict[str, Any], dict[str, Any]]:
    """What has changed, as it was and as it is."""
    old, new = asdict(before), asdict(after)
    names = [name for name in old if old[name] != new[name] and name != "version"]
    return {name: old[name] for name in names}, {name: new[name] for name in names}
