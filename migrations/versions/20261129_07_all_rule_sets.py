"""All four rule sets are open.

Revision ID: 20261129_07
Revises: 20261129_06
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "20261129_07"
down_revision = "20261129_06"
branch_labels = None
depends_on = None

RULE_SETS = ("jiule72", "dazhong72", "baiwan64")  # classic64 has been open from the start


def upgrade() -> None:
    set_open(is_open=True)


def downgrade() -> None:
    set_open(is_open=False)


def set_open(*, is_open: bool) -> None:
    tiers = sa.table("tiers", sa.column("ruleset", sa.String), sa.column("is_open", sa.Boolean))
    op.execute(tiers.update().where(tiers.c.ruleset.in_(RULE_SETS)).values(is_open=is_open))
