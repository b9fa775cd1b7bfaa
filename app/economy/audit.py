"""What a proof of the ledger says. Source: RULES §9, §11."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Fault:
    """The first thing that does not hold, and the row it was seen at."""

    check: str
    row: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class AuditReport:
    """``issued`` and ``held`` are coins; equal when ``fault`` is None. The practice book is proved as well,
    but not counted in them, and the computer is none of the users.
    """

    fault: Fault | None
    accounts: int
    postings: int
    entries: int
    rounds: int
    users: int
    issued: int
    held: int
