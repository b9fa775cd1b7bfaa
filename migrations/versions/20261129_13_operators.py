"""Operators: their roles, the log of their changes, sanctions on players, versions of tiers.

Source: PROTOCOL §2.8.

Revision ID: 20261129_13
Revises: 20261129_12
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "20261129_13"
down_revision = "20261129_12"
branch_labels = None
depends_on = None

JSON = sa.JSON(none_as_null=True).with_variant(postgresql.JSONB(none_as_null=True), "postgresql")
BANNED = sa.text("banned_ms IS NOT NULL")
ROLES = "role IN ('viewer', 'operator', 'owner')"
MEASURES = ("points", "coins", "wins")
LEVELS = 5


def upgrade() -> None:
    with op.batch_alter_table("users") as users:
        users.add_column(sa.Column("role", sa.String(length=32), nullable=True))
        users.add_column(sa.Column("muted_ms", sa.BigInteger(), nullable=True))
        users.add_column(sa.Column("banned_ms", sa.BigInteger(), nullable=True))
        users.create_check_constraint(op.f("ck_users_role"), ROLES)
    op.create_index("ix_users_banned", "users", ["id"], sqlite_where=BANNED, postgresql_where=BANNED)
    with op.batch_alter_table("tiers") as tiers:
        tiers.add_column(sa.Column("version", sa.Integer(), nullable=True))
    op.execute("UPDATE tiers SET version = 1")
    with op.batch_alter_table("tiers") as tiers:
        tiers.alter_column("version", existing_type=sa.Integer(), nullable=False)
    op.create_table(
        "audit_log",
        sa.Column("id", sa.String(length=26), nullable=False),
        sa.Column("at_ms", sa.BigInteger(), nullable=False),
        sa.Column("operator_id", sa.String(length=26), nullable=False),
        sa.Column("action", sa.String(length=32), nullable=False),
        sa.Column("subject", sa.String(length=32), nullable=False),
        sa.Column("before", JSON, nullable=True),
        sa.Column("after", JSON, nullable=True),
        sa.Column("reason", sa.String(length=200), nullable=False),
        sa.ForeignKeyConstraint(["operator_id"], ["users.id"], name=op.f("fk_audit_log_operator_id_users")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_audit_log")),
    )
    op.create_index(op.f("ix_audit_log_operator_id_id"), "audit_log", ["operator_id", "id"])
    op.create_index(op.f("ix_audit_log_subject_id"), "audit_log", ["subject", "id"])


def downgrade() -> None:
    op.drop_table("audit_log")
    with op.batch_alter_table("tiers") as tiers:
        tiers.drop_column("version")
    count_banned_again()
    op.drop_index("ix_users_banned", "users")
    with op.batch_alter_table("users") as users:
        users.drop_constraint(op.f("ck_users_role"), type_="check")
        for column in ("banned_ms", "muted_ms", "role"):
            users.drop_column(column)


def count_banned_again() -> None:
    """The older schema knows no bans: whoever was banned stands on the boards, and in tallies, again."""
    for measure in MEASURES:
        for level in range(LEVELS):
            prefix = f"CAST({measure} AS BIGINT) >> {8 * level}"
            op.execute(
                "INSERT INTO tallies (period, measure, level, prefix, n) "  # noqa: S608 - all our own
                f"SELECT period, '{measure}', {level}, {prefix}, COUNT(*) FROM standings "
                "WHERE user_id IN (SELECT id FROM users WHERE banned_ms IS NOT NULL) "
                f"GROUP BY period, {prefix} "
                "ON CONFLICT (period, measure, level, prefix) DO UPDATE SET n = tallies.n + excluded.n"
            )
