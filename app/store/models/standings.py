"""Standings: what leaderboards and profiles are read from, kept up by whoever writes the causes."""

from __future__ import annotations

from sqlalchemy import BigInteger, CheckConstraint, ForeignKey, Index, desc
from sqlalchemy.orm import Mapped, mapped_column

from app.store.models.base import Base, Code, Coins, Id


class StandingRow(Base):
    """A player in a period (``all``, ``day:2026-11-29``, ``week:2026-11-23``).

    For ``all`` ``points`` and ``coins`` are those held and every player has a row; in a day or week they are
    what its rounds brought, and only who has finished one has a row. Who is banned keeps his rows and is in
    no tally.
    """

    __tablename__ = "standings"
    __table_args__ = (
        CheckConstraint("period <> 'all' OR (points >= 0 AND coins >= 0)", name="held"),
        Index("ix_standings_points", "period", desc("points"), "user_id"),
        Index("ix_standings_coins", "period", desc("coins"), "user_id"),
        Index("ix_standings_wins", "period", desc("wins"), "user_id"),
        {"sqlite_with_rowid": False},
    )

    period: Mapped[Code] = mapped_column(primary_key=True)
    user_id: Mapped[Id] = mapped_column(ForeignKey("users.id"), primary_key=True)
    points: Mapped[int] = mapped_column(BigInteger)
    coins: Mapped[Coins]
    wins: Mapped[int]
    draws: Mapped[int]
    losses: Mapped[int]
    escapes: Mapped[int]
    deserted: Mapped[int]
    best_fan: Mapped[int]
    dealt_in: Mapped[int]


class TallyRow(Base):
    """How many standings have a value that begins with ``prefix``: value ÷ 256^``level``, rounded down.

    Level 0 counts each value; each level sums 256 numbers of the one below. A rank is then the sum of a few
    hundred of these rows at most, however many players there are.
    """

    __tablename__ = "tallies"
    __table_args__ = ({"sqlite_with_rowid": False},)

    period: Mapped[Code] = mapped_column(primary_key=True)
    measure: Mapped[Code] = mapped_column(primary_key=True)
    level: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    prefix: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    n: Mapped[int] = mapped_column(BigInteger)
