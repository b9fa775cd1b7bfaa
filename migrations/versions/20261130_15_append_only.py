"""The ledger and the operators' log are only ever added to: the database itself refuses anything else.

Triggers hold against mistakes, of the program and by hand; whoever means to can take them away first, or, on
SQLite, go round them by REPLACE. He is found by ``audit``.

Revision ID: 20261130_15
Revises: 20261129_13
"""

from __future__ import annotations

from alembic import op

revision = "20261130_15"
down_revision = "20261129_13"
branch_labels = None
depends_on = None

TABLES = ("postings", "entries", "audit_log")
SQLITE_VERBS = ("UPDATE", "DELETE")  # it has no TRUNCATE
REFUSE = """
    CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        RAISE EXCEPTION USING
            MESSAGE = TG_TABLE_NAME || ' is only ever added to', ERRCODE = 'restrict_violation';
    END $$
"""


def upgrade() -> None:
    if is_postgresql():
        op.execute(REFUSE)
    for table in TABLES:
        if is_postgresql():
            op.execute(
                f"CREATE TRIGGER {table}_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON {table} "
                "FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()"
            )
            continue
        for verb in SQLITE_VERBS:
            op.execute(
                f"CREATE TRIGGER {table}_no_{verb.lower()} BEFORE {verb} ON {table} "
                f"BEGIN SELECT RAISE(ABORT, '{table} is only ever added to'); END"
            )


def downgrade() -> None:
    for table in TABLES:
        if is_postgresql():
            op.execute(f"DROP TRIGGER {table}_append_only ON {table}")
            continue
        for verb in SQLITE_VERBS:
            op.execute(f"DROP TRIGGER {table}_no_{verb.lower()}")
    if is_postgresql():
        op.execute("DROP FUNCTION refuse_change()")


def is_postgresql() -> bool:
    return op.get_bind().dialect.name == "postgresql"
