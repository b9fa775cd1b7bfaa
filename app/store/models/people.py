"""Players and how they are recognised."""

from __future__ import annotations

from sqlalchemy import BigInteger, CheckConstraint, ForeignKey, Index, String, text
from sqlalchemy.orm import Mapped, mapped_column

from app.store.models.base import Base, Code, Hex, Id, Millis, Name

BANNED = "banned_ms IS NOT NULL"


class UserRow(Base):
    """A player. ``points`` is the sum of his round results; his coins are the account ``user:<id>``.

    Registered players have a ``name_key``, which no two share, and a password; ``left_ms`` is when he went
    for good, and then nothing here tells who he was. Of a guest who chose his name ``guest_key`` is what a
    registered one would have. Operators have a ``role``. ``muted_ms`` and
    ``banned_ms`` are since when he is, None if he is not.
    """

    __tablename__ = "users"
    __table_args__ = (
        CheckConstraint("points >= 0", name="points"),
        CheckConstraint("role IN ('viewer', 'operator', 'owner')", name="role"),
        Index("ix_users_banned", "id", sqlite_where=text(BANNED), postgresql_where=text(BANNED)),
    )

    id: Mapped[Id] = mapped_column(primary_key=True)
    name: Mapped[Name]
    is_guest: Mapped[bool]
    points: Mapped[int] = mapped_column(BigInteger)
    created_ms: Mapped[Millis]
    name_key: Mapped[str | None] = mapped_column(String(255), unique=True)
    password_hash: Mapped[str | None] = mapped_column(String(255))
    renamed_ms: Mapped[Millis | None]
    left_ms: Mapped[Millis | None]
    role: Mapped[Code | None]
    muted_ms: Mapped[Millis | None]
    banned_ms: Mapped[Millis | None]
    guest_key: Mapped[str | None] = mapped_column(String(255), index=True)


class SignInRow(Base):
    """A session. Only the SHA-256 of its token is kept, so a copy of the database opens no door.

    ``seen_ms`` is when it was last prolonged.
    """

    __tablename__ = "sessions"

    token_sha256: Mapped[Hex] = mapped_column(primary_key=True)
    user_id: Mapped[Id] = mapped_column(ForeignKey("users.id"), index=True)
    csrf: Mapped[str] = mapped_column(String(64))
    created_ms: Mapped[Millis]
    expires_ms: Mapped[Millis] = mapped_column(index=True)
    seen_ms: Mapped[Millis]
