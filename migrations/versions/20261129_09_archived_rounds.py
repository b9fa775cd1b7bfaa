"""Rounds whose actions and events lie in an archive say since when. Source: docs/OPERATIONS.md.

Revision ID: 20261129_09
Revises: 20261129_08
"""

from __future__ import annotations

from typing import Literal

import sqlalchemy as sa
from alembic import op

revision = "20261129_09"
down_revision = "20261129_08"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("rounds", recreate=is_rebuilt()) as rounds:
        rounds.add_column(sa.Column("archived_ms", sa.BigInteger(), nullable=True))


def downgrade() -> None:
    with op.batch_alter_table("rounds", recreate=is_rebuilt()) as rounds:
        rounds.drop_column("archived_ms")


def is_rebuilt() -> Literal["always", "never"]:
    """SQLite's table is built anew, so that it reads as if it had been made this way."""
    return "always" if op.get_bind().dialect.name == "sqlite" else "never"
