"""Rooms, their rounds, and the logs both are rebuilt from.

Revision ID: 20261129_03
Revises: 20261129_02
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "20261129_03"
down_revision = "20261129_02"
branch_labels = None
depends_on = None

JSON = sa.JSON().with_variant(postgresql.JSONB(), "postgresql")


def upgrade() -> None:
    op.create_table(
        "rooms",
        sa.Column("id", sa.String(length=26), nullable=False),
        sa.Column("tier_id", sa.String(length=32), nullable=False),
        sa.Column("tier", JSON, nullable=False),
        sa.Column("base_stake", sa.BigInteger(), nullable=False),
        sa.Column("private", sa.Boolean(), nullable=False),
        sa.Column("invite", sa.String(length=64), nullable=True),
        sa.Column("phase", sa.String(length=32), nullable=False),
        sa.Column("seat0", sa.String(length=26), nullable=True),
        sa.Column("seat1", sa.String(length=26), nullable=True),
        sa.Column("seq", sa.BigInteger(), nullable=False),
        sa.Column("state", JSON, nullable=False),
        sa.Column("created_ms", sa.BigInteger(), nullable=False),
        sa.Column("updated_ms", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["seat0"], ["users.id"], name=op.f("fk_rooms_seat0_users")),
        sa.ForeignKeyConstraint(["seat1"], ["users.id"], name=op.f("fk_rooms_seat1_users")),
        sa.ForeignKeyConstraint(["tier_id"], ["tiers.id"], name=op.f("fk_rooms_tier_id_tiers")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_rooms")),
        sa.UniqueConstraint("invite", name=op.f("uq_rooms_invite")),
    )
    op.create_index(
        "ix_rooms_open",
        "rooms",
        ["id"],
        sqlite_where=sa.text("phase <> 'closed'"),
        postgresql_where=sa.text("phase <> 'closed'"),
    )

    op.create_table(
        "rounds",
        sa.Column("id", sa.String(length=26), nullable=False),
        sa.Column("room_id", sa.String(length=26), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("status", sa.String(length=32), nullable=False),
        sa.Column("ruleset", sa.String(length=32), nullable=False),
        sa.Column("ruleset_version", sa.Integer(), nullable=False),
        sa.Column("record_version", sa.Integer(), nullable=False),
        sa.Column("options", JSON, nullable=False),
        sa.Column("base_stake", sa.BigInteger(), nullable=False),
        sa.Column("player0", sa.String(length=26), nullable=False),
        sa.Column("player1", sa.String(length=26), nullable=False),
        sa.Column("dealer", sa.Integer(), nullable=True),
        sa.Column("shuffle", sa.String(length=32), nullable=False),
        sa.Column("secret", sa.String(length=64), nullable=False),
        sa.Column("nonce", sa.String(length=64), nullable=False),
        sa.Column("commitment", sa.String(length=64), nullable=False),
        sa.Column("entropy0", sa.String(length=64), nullable=True),
        sa.Column("entropy1", sa.String(length=64), nullable=True),
        sa.Column("result", JSON, nullable=True),
        sa.Column("created_ms", sa.BigInteger(), nullable=False),
        sa.Column("ended_ms", sa.BigInteger(), nullable=True),
        sa.CheckConstraint(
            "status IN ('proposed', 'running', 'finished', 'voided', 'withdrawn')",
            name=op.f("ck_rounds_status"),
        ),
        sa.ForeignKeyConstraint(["player0"], ["users.id"], name=op.f("fk_rounds_player0_users")),
        sa.ForeignKeyConstraint(["player1"], ["users.id"], name=op.f("fk_rounds_player1_users")),
        sa.ForeignKeyConstraint(["room_id"], ["rooms.id"], name=op.f("fk_rounds_room_id_rooms")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_rounds")),
    )
    op.create_index("ix_rounds_player0", "rounds", ["player0"])
    op.create_index("ix_rounds_player1", "rounds", ["player1"])
    op.create_index("ix_rounds_room_id", "rounds", ["room_id"])
    op.create_index(
        "uq_rounds_live",
        "rounds",
        ["room_id"],
        unique=True,
        sqlite_where=sa.text("status IN ('proposed', 'running')"),
        postgresql_where=sa.text("status IN ('proposed', 'running')"),
    )

    op.create_table(
        "actions",
        sa.Column("round_id", sa.String(length=26), nullable=False),
        sa.Column("n", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("code", sa.String(length=32), nullable=False),
        sa.Column("at_ms", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("seat IN (0, 1)", name=op.f("ck_actions_seat")),
        sa.ForeignKeyConstraint(["round_id"], ["rounds.id"], name=op.f("fk_actions_round_id_rounds")),
        sa.PrimaryKeyConstraint("round_id", "n", name=op.f("pk_actions")),
        sqlite_with_rowid=False,
    )

    op.create_table(
        "events",
        sa.Column("room_id", sa.String(length=26), nullable=False),
        sa.Column("seq", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("at_ms", sa.BigInteger(), nullable=False),
        sa.Column("round_id", sa.String(length=26), nullable=True),
        sa.Column("kind", sa.String(length=32), nullable=False),
        sa.Column("data", JSON, nullable=False),
        sa.ForeignKeyConstraint(["room_id"], ["rooms.id"], name=op.f("fk_events_room_id_rooms")),
        sa.ForeignKeyConstraint(["round_id"], ["rounds.id"], name=op.f("fk_events_round_id_rounds")),
        sa.PrimaryKeyConstraint("room_id", "seq", name=op.f("pk_events")),
    )
    op.create_index("ix_events_round_id", "events", ["round_id"])

    op.create_table(
        "answers",
        sa.Column("room_id", sa.String(length=26), nullable=False),
        sa.Column("user_id", sa.String(length=26), nullable=False),
        sa.Column("action_id", sa.String(length=64), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("seq", sa.BigInteger(), nullable=False),
        sa.Column("at_ms", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["room_id"], ["rooms.id"], name=op.f("fk_answers_room_id_rooms")),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_answers_user_id_users")),
        sa.PrimaryKeyConstraint("room_id", "user_id", "action_id", name=op.f("pk_answers")),
        sqlite_with_rowid=False,
    )

    op.create_table(
        "round_results",
        sa.Column("round_id", sa.String(length=26), nullable=False),
        sa.Column("user_id", sa.String(length=26), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("outcome", sa.String(length=32), nullable=False),
        sa.Column("coins_delta", sa.BigInteger(), nullable=False),
        sa.Column("points_before", sa.BigInteger(), nullable=False),
        sa.Column("points_after", sa.BigInteger(), nullable=False),
        sa.Column("total_fan", sa.Integer(), nullable=False),
        sa.Column("at_ms", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("points_before >= 0 AND points_after >= 0", name=op.f("ck_round_results_points")),
        sa.CheckConstraint("seat IN (0, 1)", name=op.f("ck_round_results_seat")),
        sa.ForeignKeyConstraint(["round_id"], ["rounds.id"], name=op.f("fk_round_results_round_id_rounds")),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_round_results_user_id_users")),
        sa.PrimaryKeyConstraint("round_id", "user_id", name=op.f("pk_round_results")),
    )
    op.create_index("ix_round_results_user_id_at_ms", "round_results", ["user_id", "at_ms"])


def downgrade() -> None:
    op.drop_table("round_results")
    op.drop_table("answers")
    op.drop_table("events")
    op.drop_table("actions")
    op.drop_table("rounds")
    op.drop_table("rooms")
