"""The log of what operators change."""

from __future__ import annotations

from typing import Any

from sqlalchemy import ForeignKey, Index, String
from sqlalchemy.orm import Mapped, mapped_column

from app.store.models.base import Base, Code, Id, Millis, json_type


class ChangeRow(Base):
    """Who changed what, when and why; rows are only ever added. ``subject`` is an id of the kind that
    ``action`` begins with.
    """

    __tablename__ = "audit_log"
    __table_args__ = (
        Index(None, "operator_id", "id"),
        Index(None, "subject", "id"),
    )

    id: Mapped[Id] = mapped_column(primary_key=True)
    at_ms: Mapped[Millis]
    operator_id: Mapped[Id] = mapped_column(ForeignKey("users.id"))
    action: Mapped[Code]
    subject: Mapped[Code]
    before: Mapped[dict[str, Any] | None] = mapped_column(json_type(none_as_null=True))
    after: Mapped[dict[str, Any] | None] = mapped_column(json_type(none_as_null=True))
    reason: Mapped[str] = mapped_column(String(200))
