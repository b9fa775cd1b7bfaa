"""The ledger's rows: accounts with their cached balance, postings, entries. Source: RULES §9."""

from __future__ import annotations

from sqlalchemy import CheckConstraint, ForeignKey, Index, String
from sqlalchemy.orm import Mapped, mapped_column

from app.store.models.base import AccountId, Base, Code, Coins, Id, Millis


class AccountRow(Base):
    """``balance`` caches the sum of the account's entries; only coins not yet issued may be owed."""

    __tablename__ = "accounts"
    __table_args__ = (
        CheckConstraint("balance >= 0 OR id IN ('issuance', 'practice:issuance')", name="balance"),
    )

    id: Mapped[AccountId] = mapped_column(primary_key=True)
    balance: Mapped[Coins]


class PostingRow(Base):
    """One indivisible movement; ``key`` makes sure that it happens once."""

    __tablename__ = "postings"

    id: Mapped[Id] = mapped_column(primary_key=True)
    key: Mapped[str] = mapped_column(String(64), unique=True)
    kind: Mapped[Code]
    round_id: Mapped[Id | None] = mapped_column(ForeignKey("rounds.id"), index=True)
    at_ms: Mapped[Millis]


class EntryRow(Base):
    """Signed coins of one account in one posting; a posting's entries sum to zero."""

    __tablename__ = "entries"
    __table_args__ = (
        Index(None, "account_id", "posting_id"),
        {"sqlite_with_rowid": False},
    )

    posting_id: Mapped[Id] = mapped_column(ForeignKey("postings.id"), primary_key=True)
    account_id: Mapped[AccountId] = mapped_column(ForeignKey("accounts.id"), primary_key=True)
    amount: Mapped[Coins]
