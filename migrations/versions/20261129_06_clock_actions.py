"""Actions of the clock can be stored: seat 2 closes pauses and voids rounds.

Revision ID: 20261129_06
Revises: 20261129_05
"""

from __future__ import annotations

from alembic import op

revision = "20261129_06"
down_revision = "20261129_05"
branch_labels = None
depends_on = None


def upgrade() -> None:
    set_check("seat IN (0, 1, 2)")


def downgrade() -> None:
    op.execute("DELETE FROM actions WHERE seat = 2")  # the older schema has no place for them
    set_check("seat IN (0, 1)")


def set_check(seats: str) -> None:
    with op.batch_alter_table("actions", table_kwargs={"sqlite_with_rowid": False}) as actions:
        actions.drop_constraint(op.f("ck_actions_seat"), type_="check")
        actions.create_check_constraint(op.f("ck_actions_seat"), seats)
