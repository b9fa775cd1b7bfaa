"""Rooms count their commits: what comes too late is known by it also when it makes no event.

Revision ID: 20261130_19
Revises: 20261130_18
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "20261130_19"
down_revision = "20261130_18"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("rooms", sa.Column("commits", sa.BigInteger(), server_default="0", nullable=False))


def downgrade() -> None:
    op.drop_column("rooms", "commits")
