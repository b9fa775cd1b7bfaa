"""Tiers, the 24 of RULES §12 among them; one rule set is open.

Revision ID: 20261129_02
Revises: 20261129_01
"""

from __future__ import annotations

from collections.abc import Iterator

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "20261129_02"
down_revision = "20261129_01"
branch_labels = None
depends_on = None

JSON = sa.JSON().with_variant(postgresql.JSONB(), "postgresql")

NAMES_AND_STAKES = (
    ("雀仔場", 10),
    ("麻雀場", 50),
    ("銅雀場", 100),
    ("銀雀場", 500),
    ("金雀場", 2_000),
    ("雀王場", 10_000),
)
RULE_SETS = ("classic64", "jiule72", "dazhong72", "baiwan64")


def default_tiers() -> Iterator[dict[str, object]]:
    """Entry from 50 base stakes on; 明牌 and 加倍 where the rule set multiplies by them."""
    for ruleset in RULE_SETS:
        for position, (name, base_stake) in enumerate(NAMES_AND_STAKES, 1):
            is_classic = ruleset == "classic64"
            yield {
                "id": f"{ruleset}-{position}",
                "ruleset": ruleset,
                "position": position,
                "name": name,
                "base_stake": base_stake,
                "entry_min": base_stake * 50,
                "entry_max": None,
                "rake_bp": 500,
                "table_fee": 0,
                "open_hand": is_classic,
                "double": is_classic,
                "min_fan": None,
                "is_open": is_classic,
                "clocks": {},
            }


def upgrade() -> None:
    tiers = op.create_table(
        "tiers",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("ruleset", sa.String(length=32), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=64), nullable=False),
        sa.Column("base_stake", sa.BigInteger(), nullable=False),
        sa.Column("entry_min", sa.BigInteger(), nullable=False),
        sa.Column("entry_max", sa.BigInteger(), nullable=True),
        sa.Column("rake_bp", sa.Integer(), nullable=False),
        sa.Column("table_fee", sa.BigInteger(), nullable=False),
        sa.Column("open_hand", sa.Boolean(), nullable=False),
        sa.Column("double", sa.Boolean(), nullable=False),
        sa.Column("min_fan", sa.Integer(), nullable=True),
        sa.Column("is_open", sa.Boolean(), nullable=False),
        sa.Column("clocks", JSON, nullable=False),
        sa.CheckConstraint("base_stake > 0", name=op.f("ck_tiers_base_stake")),
        sa.CheckConstraint("entry_max >= entry_min", name=op.f("ck_tiers_entry_max")),
        sa.CheckConstraint("entry_min >= 0", name=op.f("ck_tiers_entry_min")),
        sa.CheckConstraint("rake_bp BETWEEN 0 AND 10000", name=op.f("ck_tiers_rake_bp")),
        sa.CheckConstraint("table_fee >= 0", name=op.f("ck_tiers_table_fee")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_tiers")),
    )

    op.bulk_insert(tiers, list(default_tiers()))


def downgrade() -> None:
    op.drop_table("tiers")
