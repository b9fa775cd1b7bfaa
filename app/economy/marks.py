"""Who shares an address with whom, and nothing else about addresses. Storage implements :class:`Marks`.

A mark is the first 4 bytes of a keyed hash of an address. Its key is random, a new one every day of the
server's zone, and is destroyed when the day is over: from then on no mark can be traced to an address, or
compared with one of another day. Source: PROTOCOL §2.8.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import date
from hashlib import blake2b
from typing import Protocol

MARK_BYTES = 4
KEPT_DAYS = 30  # marks, today's included


@dataclass(frozen=True, slots=True)
class Seen:
    """A player, and the household that he comes from: an address or the like."""

    user_id: str
    household: str


def mark_of(household: str, salt: bytes) -> str:
    """In hex. A short hash: what it was made of could be one of many, even for who has the salt.

    >>> mark_of("203.0.113.5", bytes(32)) == mark_of("203.0.113.5", bytes(32))
    True
    >>> len(mark_of("203.0.113.5", bytes(32)))
    8
    """
    return blake2b(household.encode(), key=salt).digest()[:MARK_BYTES].hex()


class Marks(Protocol):
    async def note(self, seen: Collection[Seen], today: date) -> None:
        """Add today's marks of these, and destroy what is over: salts of days before, marks of days long
        past. Who has left for good is not noted.
        """
