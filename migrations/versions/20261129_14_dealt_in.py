"""Whether a lost round was lost by a tile of one's own, counted for each player.

Revision ID: 20261129_14
Revises: 20261129_11
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "20261129_14"
down_revision = "20261129_11"
branch_labels = None
depends_on = None

MEASURES = ("points", "coins", "wins")
JSON = sa.JSON().with_variant(postgresql.JSONB(), "postgresql")
ROUNDS = sa.table(
    "rounds", sa.column("id", sa.String), sa.column("status", sa.String), sa.column("result", JSON)
)
COLUMNS = {
    "round_results": sa.Column("dealt_in", sa.Boolean(), nullable=False, server_default=sa.false()),
    "standings": sa.Column("dealt_in", sa.Integer(), nullable=False, server_default="0"),
}
COUNT = """
    UPDATE standings SET dealt_in = (
        SELECT COUNT(*) FROM round_results WHERE user_id = standings.user_id AND dealt_in
    ) WHERE period = 'all'
"""


def upgrade() -> None:
    with_boards_off()
    for table, column in COLUMNS.items():
        with op.batch_alter_table(table, table_kwargs=kept(table)) as altered:
            altered.add_column(column)
    fill()
    for table, column in COLUMNS.items():
        with op.batch_alter_table(table, table_kwargs=kept(table)) as altered:
            altered.alter_column("dealt_in", existing_type=column.type, server_default=None)
    with_boards_on()


def downgrade() -> None:
    with_boards_off()
    for table in COLUMNS:
        with op.batch_alter_table(table, table_kwargs=kept(table)) as altered:
            altered.drop_column("dealt_in")
    with_boards_on()


def with_boards_off() -> None:
    """A table that SQLite builds anew would get these indexes back without their direction."""
    for measure in MEASURES:
        op.drop_index(f"ix_standings_{measure}", "standings")


def with_boards_on() -> None:
    for measure in MEASURES:
        op.create_index(
            f"ix_standings_{measure}", "standings", ["period", sa.text(f"{measure} DESC"), "user_id"]
        )


def kept(table: str) -> dict[str, bool]:
    """SQLite builds the table anew; it stays without row ids where it had none."""
    return {"sqlite_with_rowid": False} if table == "standings" else {}


def fill() -> None:
    """From the closing events of the rounds played so far; of days and weeks only what is to come counts."""
    bind = op.get_bind()
    finished = sa.select(ROUNDS.c.id, ROUNDS.c.result).where(ROUNDS.c.status == "finished")
    gave = [
        {"round": row.id, "gave": row.result["won"]["from"]}
        for row in bind.execute(finished)
        if row.result and row.result.get("won", {}).get("from") is not None
    ]
    if gave:
        dealt = sa.text("UPDATE round_results SET dealt_in = true WHERE round_id = :round AND seat = :gave")
        bind.execute(dealt, gave)
    op.execute(COUNT)
