"""What guests' names look like, so that they give way when somebody registers such a name.

Guests who look like a registered player today are renamed. Source: PROTOCOL §2.7.

Revision ID: 20261130_17
Revises: 20261130_16
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from app.api.look_alikes import look_alike_key
from app.economy.accounts import plain_name

revision = "20261130_17"
down_revision = "20261130_16"
branch_labels = None
depends_on = None

USERS = sa.table(
    "users",
    sa.column("id", sa.String),
    sa.column("name", sa.String),
    sa.column("is_guest", sa.Boolean),
    sa.column("name_key", sa.String),
    sa.column("guest_key", sa.String),
)
OWN = USERS.c.id == sa.bindparam("user")


def upgrade() -> None:
    op.add_column("users", sa.Column("guest_key", sa.String(length=255), nullable=True))
    op.create_index(op.f("ix_users_guest_key"), "users", ["guest_key"])
    fill()
    give_way()


def downgrade() -> None:
    op.drop_index(op.f("ix_users_guest_key"), "users")
    op.drop_column("users", "guest_key")


def fill() -> None:
    bind = op.get_bind()
    guests = bind.execute(sa.select(USERS.c.id, USERS.c.name).where(USERS.c.is_guest)).all()
    keys = [{"user": row.id, "key": look_alike_key(row.name)} for row in guests]
    if keys:
        bind.execute(sa.update(USERS).where(OWN).values(guest_key=sa.bindparam("key")), keys)


def give_way() -> None:
    bind = op.get_bind()
    registered = sa.select(USERS.c.name_key).where(USERS.c.name_key.is_not(None))
    alike = bind.scalars(sa.select(USERS.c.id).where(USERS.c.guest_key.in_(registered))).all()
    plain = [{"user": user_id, "plain": plain_name(user_id)} for user_id in alike]
    if plain:
        bind.execute(sa.update(USERS).where(OWN).values(name=sa.bindparam("plain"), guest_key=None), plain)
