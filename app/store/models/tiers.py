"""Tiers (場) as operators set them. Source: RULES §12."""

from __future__ import annotations

from sqlalchemy import CheckConstraint
from sqlalchemy.orm import Mapped, mapped_column

from app.store.models.base import Base, Code, Coins, Json, Name


class TierRow(Base):
    """``position`` orders a rule set's tiers; ``clocks`` holds the times that differ from the defaults;
    ``version`` counts the changes, from 1.
    """

    __tablename__ = "tiers"
    __table_args__ = (
        CheckConstraint("base_stake > 0", name="base_stake"),
        CheckConstraint("entry_min >= 0", name="entry_min"),
        CheckConstraint("entry_max >= entry_min", name="entry_max"),
        CheckConstraint("rake_bp BETWEEN 0 AND 10000", name="rake_bp"),
        CheckConstraint("table_fee >= 0", name="table_fee"),
    )

    id: Mapped[Code] = mapped_column(primary_key=True)
    ruleset: Mapped[Code]
    position: Mapped[int]
    name: Mapped[Name]
    base_stake: Mapped[Coins]
    entry_min: Mapped[Coins]
    entry_max: Mapped[Coins | None]
    rake_bp: Mapped[int]
    table_fee: Mapped[Coins]
    open_hand: Mapped[bool]
    double: Mapped[bool]
    min_fan: Mapped[int | None]
    is_open: Mapped[bool]
    clocks: Mapped[Json]
    version: Mapped[int]
