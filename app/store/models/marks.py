"""Where players come from, as little of it as tells who shares an address. Source: PROTOCOL §2.8."""

from __future__ import annotations

from datetime import date

from sqlalchemy import ForeignKey, String
from sqlalchemy.orm import Mapped, mapped_column

from app.store.models.base import Base, Hex, Id


class DaySaltRow(Base):
    """The key of a day's marks, 32 random bytes in hex; it goes with its day."""

    __tablename__ = "day_salts"

    day: Mapped[date] = mapped_column(primary_key=True)
    salt: Mapped[Hex]


class MarkRow(Base):
    """A player sat down, or was connected, at an address of this mark on this day."""

    __tablename__ = "marks"
    __table_args__ = ({"sqlite_with_rowid": False},)

    day: Mapped[date] = mapped_column(primary_key=True)
    mark: Mapped[str] = mapped_column(String(8), primary_key=True)
    user_id: Mapped[Id] = mapped_column(ForeignKey("users.id"), primary_key=True, index=True)
