"""Standings and the tallies ranks are summed from, filled from the rounds played so far.

Revision ID: 20261129_05
Revises: 20261129_04
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import islice
from typing import Any
from zoneinfo import ZoneInfo

import sqlalchemy as sa
from alembic import op

revision = "20261129_05"
down_revision = "20261129_04"
branch_labels = None
depends_on = None

MEASURES = ("points", "coins", "wins")
LEVELS = 5
CHUNK = 1_000


def upgrade() -> None:
    standings = op.create_table(
        "standings",
        sa.Column("period", sa.String(length=32), nullable=False),
        sa.Column("user_id", sa.String(length=26), nullable=False),
        sa.Column("points", sa.BigInteger(), nullable=False),
        sa.Column("coins", sa.BigInteger(), nullable=False),
        sa.Column("wins", sa.Integer(), nullable=False),
        sa.Column("draws", sa.Integer(), nullable=False),
        sa.Column("losses", sa.Integer(), nullable=False),
        sa.Column("escapes", sa.Integer(), nullable=False),
        sa.Column("deserted", sa.Integer(), nullable=False),
        sa.Column("best_fan", sa.Integer(), nullable=False),
        sa.CheckConstraint("period <> 'all' OR (points >= 0 AND coins >= 0)", name=op.f("ck_standings_held")),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_standings_user_id_users")),
        sa.PrimaryKeyConstraint("period", "user_id", name=op.f("pk_standings")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "tallies",
        sa.Column("period", sa.String(length=32), nullable=False),
        sa.Column("measure", sa.String(length=32), nullable=False),
        sa.Column("level", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("prefix", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("n", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("period", "measure", "level", "prefix", name=op.f("pk_tallies")),
        sqlite_with_rowid=False,
    )
    fill_all_time()
    rows = iter(periods())
    while chunk := list(islice(rows, CHUNK)):
        op.bulk_insert(standings, chunk)
    for measure in MEASURES:
        for level in range(LEVELS):
            prefix = f"CAST({measure} AS BIGINT) >> {8 * level}"  # 32-bit numbers are not shifted by 32
            op.execute(
                "INSERT INTO tallies (period, measure, level, prefix, n) "  # noqa: S608 - all our own
                f"SELECT period, '{measure}', {level}, {prefix}, COUNT(*) "
                f"FROM standings GROUP BY period, {prefix}"
            )
    for measure in MEASURES:  # after the rows are in
        op.create_index(
            f"ix_standings_{measure}", "standings", ["period", sa.text(f"{measure} DESC"), "user_id"]
        )


def downgrade() -> None:
    op.drop_table("tallies")
    op.drop_table("standings")


def fill_all_time() -> None:
    """Every player: points and coins as held, rounds by outcome."""
    op.execute(
        """
        INSERT INTO standings
            (period, user_id, points, coins, wins, draws, losses, escapes, deserted, best_fan)
        SELECT 'all', users.id, users.points, accounts.balance,
            COUNT(CASE outcome WHEN 'won' THEN 1 END), COUNT(CASE outcome WHEN 'drawn' THEN 1 END),
            COUNT(CASE outcome WHEN 'lost' THEN 1 END), COUNT(CASE outcome WHEN 'escaped' THEN 1 END),
            COUNT(CASE outcome WHEN 'deserted' THEN 1 END),
            COALESCE(MAX(CASE outcome WHEN 'won' THEN total_fan END), 0)
        FROM users
        JOIN accounts ON accounts.id = 'user:' || users.id
        LEFT JOIN round_results ON round_results.user_id = users.id
        GROUP BY users.id, users.points, accounts.balance
        """
    )


def periods() -> Iterator[dict[str, Any]]:
    """Each player's days and weeks, in the zone the server is set to."""
    zone = ZoneInfo(os.environ.get("ERMA_ZONE", "Asia/Taipei"))
    words = {"won": "wins", "drawn": "draws", "lost": "losses", "escaped": "escapes"}
    sums: dict[tuple[str, str], dict[str, int]] = defaultdict(
        lambda: dict.fromkeys(
            ("points", "coins", "wins", "draws", "losses", "escapes", "deserted", "best_fan"), 0
        )
    )
    results = sa.table(
        "round_results",
        *(sa.column(name) for name in ("user_id", "outcome", "coins_delta", "points_before")),
        *(sa.column(name) for name in ("points_after", "total_fan", "at_ms")),
    )
    for row in op.get_bind().execute(sa.select(results)):
        day = datetime.fromtimestamp(row.at_ms / 1_000, UTC).astimezone(zone).date()
        for key in (f"day:{day}", f"week:{day - timedelta(days=day.weekday())}"):
            own = sums[key, row.user_id]
            own["points"] += row.points_after - row.points_before
            own["coins"] += row.coins_delta
            own[words.get(row.outcome, "deserted")] += 1
            if row.outcome == "won":
                own["best_fan"] = max(own["best_fan"], row.total_fan)
    for (key, user_id), own in sums.items():
        yield {"period": key, "user_id": user_id, **own}
