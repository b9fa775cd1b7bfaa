"""The ledger: accounts, postings, entries. The house has its accounts from the start.

Revision ID: 20261129_04
Revises: 20261129_03
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "20261129_04"
down_revision = "20261129_03"
branch_labels = None
depends_on = None

HOUSE_ACCOUNTS = ("house:rake", "house:escapes", "house:fees", "issuance")


def upgrade() -> None:
    accounts = op.create_table(
        "accounts",
        sa.Column("id", sa.String(length=40), nullable=False),
        sa.Column("balance", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("balance >= 0 OR id = 'issuance'", name=op.f("ck_accounts_balance")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_accounts")),
    )

    op.create_table(
        "postings",
        sa.Column("id", sa.String(length=26), nullable=False),
        sa.Column("key", sa.String(length=64), nullable=False),
        sa.Column("kind", sa.String(length=32), nullable=False),
        sa.Column("round_id", sa.String(length=26), nullable=True),
        sa.Column("at_ms", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["round_id"], ["rounds.id"], name=op.f("fk_postings_round_id_rounds")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_postings")),
        sa.UniqueConstraint("key", name=op.f("uq_postings_key")),
    )
    op.create_index("ix_postings_round_id", "postings", ["round_id"])

    op.create_table(
        "entries",
        sa.Column("posting_id", sa.String(length=26), nullable=False),
        sa.Column("account_id", sa.String(length=40), nullable=False),
        sa.Column("amount", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name=op.f("fk_entries_account_id_accounts")),
        sa.ForeignKeyConstraint(["posting_id"], ["postings.id"], name=op.f("fk_entries_posting_id_postings")),
        sa.PrimaryKeyConstraint("posting_id", "account_id", name=op.f("pk_entries")),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_entries_account_id_posting_id", "entries", ["account_id", "posting_id"])

    op.bulk_insert(accounts, [{"id": account_id, "balance": 0} for account_id in HOUSE_ACCOUNTS])
    op.execute("INSERT INTO accounts (id, balance) SELECT 'user:' || id, 0 FROM users")


def downgrade() -> None:
    op.drop_table("entries")
    op.drop_table("postings")
    op.drop_table("accounts")
