"""The ledger and the operators' log are only ever added to: the database itself refuses anything else.

Triggers hold against mistakes, of the program and by hand; whoever means to can take them away first, and is
found by ``audit``.

Revision ID: 20261130_15
Revises: 20261129_13
"""

from __future__ import annotations

from alembic import op

revision = "20261130_15"
down_revision = "20261129_13"
branch_labels = None
depends_on = None

# And which row a REPLACE would take away on SQLite, where no trigger to DELETE sees that. (Of a posting with
# another's key its entries keep it: a taken key must go on to say that it is.)
TABLES = {
    "postings": "id = NEW.id",
    "entries": "posting_id = NEW.posting_id AND account_id = NEW.account_id",
    "audit_log": "id = NEW.id",
}
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
    for table, is_there in TABLES.items():
        if is_postgresql():
            op.execute(
                f"CREATE TRIGGER {table}_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON {table} "
                "FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()"
            )
        else:
            refuse(table, "update")
            refuse(table, "delete")
            refuse(table, "insert", f"WHEN EXISTS (SELECT 1 FROM {table} WHERE {is_there}) ")  # noqa: S608 - our own


def refuse(table: str, verb: str, when: str = "") -> None:
    """On SQLite, where a trigger is to one verb alone."""
    op.execute(
        f"CREATE TRIGGER {table}_no_{verb} BEFORE {verb.upper()} ON {table} {when}"
        f"BEGIN SELECT RAISE(ABORT, '{table} is only ever added to'); END"
    )


def downgrade() -> None:
    for table in TABLES:
        if is_postgresql():
            op.execute(f"DROP TRIGGER {table}_append_only ON {table}")
            continue
        for verb in ("update", "delete", "insert"):
            op.execute(f"DROP TRIGGER {table}_no_{verb}")
    if is_postgresql():
        op.execute("DROP FUNCTION refuse_change()")


def is_postgresql() -> bool:
    return op.get_bind().dialect.name == "postgresql"
