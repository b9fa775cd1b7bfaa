"""What one socket, one user and one address may do. Source: PROTOCOL §3, §3.9, §3.10."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass

from app.rooms.connection import CloseCode, Connection


@dataclass(frozen=True, slots=True)
class SocketLimits:
    """All are settings. ``*_in_a_row`` frames end a conversation; times are seconds."""

    hello_seconds: float = 5.0
    write_seconds: float = 10.0  # nothing written for this long: the reader is too slow to keep
    frames_per_second: float = 10.0
    frames_burst: int = 30
    seconds_between_phrases: float = 3.0
    bad_frames_in_a_row: int = 5
    refused_in_a_row: int = 60
    per_address: int = 32
    per_user: int = 8
    watchers_per_room: int = 32


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

    @property
    def taken(self) -> int:
        """Places taken, by whomever."""
        return self._held.total()

    def give_back(self, holder: str) -> None:
        self._held[holder] -= 1
        if self._held[holder] <= 0:
            del self._held[holder]


class Sockets:
    """The limits, who holds how many sockets now, which session let each in, and who may not speak."""

    def __init__(self, limits: SocketLimits) -> None:
        self.limits = limits
        self.addresses = Places(limits.per_address)
        self.users = Places(limits.per_user)
        self.muted: set[str] = set()  # user ids
        self._let_in: dict[Connection, str] = {}  # the SHA-256 of the session's token

    def opened(self, connection: Connection, session: str) -> None:
        self._let_in[connection] = session

    def closed(self, connection: Connection) -> None:
        del self._let_in[connection]

    def end(self, sessions: Collection[str]) -> None:
        """These sessions have ended: what they let in is closed."""
        for connection, session in self._let_in.items():
            if session in sessions:
                connection.close(CloseCode.TICKET)

    def move(self, old: str, new: str) -> None:
        """The session goes on under a new token."""
        moved = [connection for connection, session in self._let_in.items() if session == old]
        self._let_in |= dict.fromkeys(moved, new)
