"""Who runs the house, and the log of what they change. Source: PROTOCOL §2.8.

Storage implements the Protocols. An operator is a user with a role. Whatever he changes is one
:class:`Change`, written in the transaction that makes it so and never touched again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol


class Role(StrEnum):
    """From the least to the most that one may do."""

    VIEWER = "viewer"  # sees everything operators see
    OPERATOR = "operator"  # changes tiers, rooms and players
    OWNER = "owner"  # gives and takes roles

    def includes(self, other: Role) -> bool:
        """Whether this role may do all that the other may.

        >>> Role.OWNER.includes(Role.VIEWER), Role.VIEWER.includes(Role.OPERATOR)
        (True, False)
        """
        order = list(Role)
        return order.index(self) >= order.index(other)


@dataclass(frozen=True, slots=True)
class By:
    """Who changes something, why, and when (epoch ms)."""

    operator_id: str
    reason: str
    at_ms: int


@dataclass(frozen=True, slots=True)
class Change:
    """What was done to one subject. ``action`` is like ``tier.change``, its first part the subject's kind.

    ``before`` and ``after`` hold what it concerned, as JSON values; None where there was nothing.
    """

    by: By
    action: str
    subject: str
    before: Mapping[str, Any] | None
    after: Mapping[str, Any] | None


@dataclass(frozen=True, slots=True)
class LogLine:
    """A change as it stands in the log."""

    id: str
    operator_name: str
    change: Change


class AuditLog(Protocol):
    async def page(
        self, operator_id: str | None, subject: str | None, before: str | None, limit: int
    ) -> Sequence[LogLine]:
        """Newest first, from just below the line ``before``; of one operator or subject where named."""
