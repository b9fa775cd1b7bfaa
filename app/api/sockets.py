"""How many sockets one address and one user may hold. Source: PROTOCOL §3.10."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

SOCKETS_PER_ADDRESS = 32
SOCKETS_PER_USER = 8


class Places:
    """At most ``limit`` places for each holder; who holds none is forgotten."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._held: Counter[str] = Counter()

    def take(self, holder: str) -> bool:
        """Take a place; False when the holder has all of his."""
        if self._held[holder] >= self._limit:
            return False
        self._held[holder] += 1
        return True

    def give_back(self, holder: str) -> None:
        self._held[holder] -= 1
        if self._held[holder] <= 0:
            del self._held[holder]


@dataclass(frozen=True, slots=True)
class Sockets:
    addresses: Places = field(default_factory=lambda: Places(SOCKETS_PER_ADDRESS))
    users: Places = field(default_factory=lambda: Places(SOCKETS_PER_USER))
