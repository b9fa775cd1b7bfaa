"""Events are found by their room and number alone; an index by round cost every move a page more.

Revision ID: 20261130_18
Revises: 20261130_17
"""

from __future__ import annotations

from alembic import op

revision = "20261130_18"
down_revision = "20261130_17"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.drop_index("ix_events_round_id", "events")


def downgrade() -> None:
    op.create_index("ix_events_round_id", "events", ["round_id"])
