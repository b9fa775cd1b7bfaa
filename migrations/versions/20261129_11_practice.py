"""A computer partner, and a book of practice coins for the rounds with it. Source: RULES §9.

Revision ID: 20261129_11
Revises: 20261129_09
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "20261129_11"
down_revision = "20261129_09"
branch_labels = None
depends_on = None

USERS = sa.table(
    "users",
    sa.column("id", sa.String),
    sa.column("name", sa.String),
    sa.column("is_guest", sa.Boolean),
    sa.column("points", sa.BigInteger),
    sa.column("created_ms", sa.BigInteger),
)
COMPUTER = {"id": "computer", "name": "電腦", "is_guest": False, "points": 0, "created_ms": 0}


def upgrade() -> None:
    set_check("balance >= 0 OR id IN ('issuance', 'practice:issuance')")
    op.bulk_insert(USERS, [COMPUTER])


def downgrade() -> None:
    # the older schema has no place for what was played with the computer, who always sits at seat 0
    for statement in (
        "DELETE FROM entries WHERE account_id LIKE 'practice:%'",
        "DELETE FROM postings WHERE id NOT IN (SELECT posting_id FROM entries)",
        "DELETE FROM accounts WHERE id LIKE 'practice:%'",
        "DELETE FROM actions WHERE round_id IN (SELECT id FROM rounds WHERE player0 = 'computer')",
        "DELETE FROM events WHERE room_id IN (SELECT id FROM rooms WHERE seat0 = 'computer')",
        "DELETE FROM answers WHERE room_id IN (SELECT id FROM rooms WHERE seat0 = 'computer')",
        "DELETE FROM rounds WHERE player0 = 'computer'",
        "DELETE FROM rooms WHERE seat0 = 'computer'",
        "DELETE FROM users WHERE id = 'computer'",
    ):
        op.execute(statement)
    set_check("balance >= 0 OR id = 'issuance'")


def set_check(rule: str) -> None:
    with op.batch_alter_table("accounts") as accounts:
        accounts.drop_constraint(op.f("ck_accounts_balance"), type_="check")
        accounts.create_check_constraint(op.f("ck_accounts_balance"), rule)
