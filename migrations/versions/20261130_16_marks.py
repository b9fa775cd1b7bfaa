"""Marks of where players come from, and the salts of the day that make them. Source: PROTOCOL §2.8.

Revision ID: 20261130_16
Revises: 20261130_15
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "20261130_16"
down_revision = "20261130_15"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "day_salts",
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("salt", sa.String(length=64), nullable=False),
        sa.PrimaryKeyConstraint("day", name=op.f("pk_day_salts")),
    )
    op.create_table(
        "marks",
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("user_id", sa.String(length=26), nullable=False),
        sa.Column("mark", sa.String(length=8), nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_marks_user_id_users")),
        sa.PrimaryKeyConstraint("day", "mark", "user_id", name=op.f("pk_marks")),
        sqlite_with_rowid=False,
    )
    op.create_index(op.f("ix_marks_user_id"), "marks", ["user_id"])


def downgrade() -> None:
    op.drop_table("marks")
    op.drop_table("day_salts")
