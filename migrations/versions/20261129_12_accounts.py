"""Registered players: a name of their own, a password, and leaving for good. Source: PROTOCOL §2.7.

Revision ID: 20261129_12
Revises: 20261129_14
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "20261129_12"
down_revision = "20261129_14"
branch_labels = None
depends_on = None

MEASURES = ("points", "coins", "wins")
LEVELS = 5
NAMES = sa.text("kind = 'seat_taken'")


def upgrade() -> None:
    with op.batch_alter_table("users", table_args=(points_check(),)) as users:
        users.add_column(sa.Column("name_key", sa.String(length=255), nullable=True))
        users.add_column(sa.Column("password_hash", sa.String(length=255), nullable=True))
        users.add_column(sa.Column("renamed_ms", sa.BigInteger(), nullable=True))
        users.add_column(sa.Column("left_ms", sa.BigInteger(), nullable=True))
        users.create_unique_constraint(op.f("uq_users_name_key"), ["name_key"])
    with op.batch_alter_table("sessions") as sessions:
        sessions.add_column(sa.Column("seen_ms", sa.BigInteger(), nullable=True))
    op.execute("UPDATE sessions SET seen_ms = created_ms")
    with op.batch_alter_table("sessions") as sessions:
        sessions.alter_column("seen_ms", existing_type=sa.BigInteger(), nullable=False)
    op.create_index("ix_events_names", "events", ["room_id"], sqlite_where=NAMES, postgresql_where=NAMES)


def downgrade() -> None:
    bring_back()
    op.drop_index("ix_events_names", "events")
    with op.batch_alter_table("sessions") as sessions:
        sessions.drop_column("seen_ms")
    with op.batch_alter_table("users", table_args=(points_check(),)) as users:
        users.drop_constraint(op.f("uq_users_name_key"), type_="unique")
        for column in ("left_ms", "renamed_ms", "password_hash", "name_key"):
            users.drop_column(column)


def points_check() -> sa.CheckConstraint:
    """SQLite rebuilds the table and would leave it out."""
    return sa.CheckConstraint("points >= 0", name=op.f("ck_users_points"))


def bring_back() -> None:
    """The older schema knows nobody who has left: they stand on the boards of all time again."""
    op.execute("UPDATE standings SET period = 'all' WHERE period = 'left'")
    op.execute("DELETE FROM tallies WHERE period = 'all'")
    for measure in MEASURES:
        for level in range(LEVELS):
            prefix = f"CAST({measure} AS BIGINT) >> {8 * level}"
            op.execute(
                "INSERT INTO tallies (period, measure, level, prefix, n) "  # noqa: S608 - all our own
                f"SELECT 'all', '{measure}', {level}, {prefix}, COUNT(*) "
                f"FROM standings WHERE period = 'all' GROUP BY {prefix}"
            )
