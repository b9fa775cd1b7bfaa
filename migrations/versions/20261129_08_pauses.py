"""After a discard or an added kong what follows shows no earlier than a floor. Source: PROTOCOL §3.6.

Revision ID: 20261129_08
Revises: 20261129_07
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "20261129_08"
down_revision = "20261129_07"
branch_labels = None
depends_on = None

FLOORS = {"floor_min_ms": 700, "floor_max_ms": 1_200}
JSON = sa.JSON().with_variant(postgresql.JSONB(), "postgresql")
TIERS = sa.table("tiers", sa.column("id", sa.String), sa.column("clocks", JSON))


def upgrade() -> None:
    for tier_id, clocks in clocks_of_tiers():
        set_clocks(tier_id, {**clocks, **FLOORS})


def downgrade() -> None:
    for tier_id, clocks in clocks_of_tiers():
        set_clocks(tier_id, {name: value for name, value in clocks.items() if name not in FLOORS})


def clocks_of_tiers() -> list[tuple[str, dict[str, int]]]:
    rows = op.get_bind().execute(sa.select(TIERS.c.id, TIERS.c.clocks)).all()
    return [(row.id, row.clocks) for row in rows]


def set_clocks(tier_id: str, clocks: dict[str, int]) -> None:
    op.execute(TIERS.update().where(TIERS.c.id == tier_id).values(clocks=clocks))
