"""Tickets that let a signed-in player open one WebSocket. Source: PROTOCOL §2.

A browser cannot send headers with a WebSocket, and a session must not stand in an address; so the session
buys a ticket that is good once, for seconds, for one room.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum


class Purpose(StrEnum):
    PLAY = "play"
    WATCH = "watch"


@dataclass(frozen=True, slots=True)
class Ticket:
    user_id: str
    user_name: str
    room_id: str
    purpose: Purpose
    expires_ms: int


class TicketBox:
    """Tickets not yet used, in memory: a restart voids them, and clients ask for new ones."""

    def __init__(self, now_ms: Callable[[], int], life_ms: int = 30_000) -> None:
        self._now_ms = now_ms
        self._life_ms = life_ms
        self._tickets: dict[str, Ticket] = {}  # oldest first

    def issue(self, user_id: str, user_name: str, room_id: str, purpose: Purpose) -> str:
        now = self._now_ms()
        self._drop_expired(now)
        ticket = secrets.token_urlsafe(24)
        self._tickets[ticket] = Ticket(user_id, user_name, room_id, purpose, now + self._life_ms)
        return ticket

    def redeem(self, ticket: str, room_id: str) -> Ticket | None:
        """What the ticket stands for, if it is good for this room. Shown once it is spent, good or not."""
        found = self._tickets.pop(ticket, None)
        if found is None or found.room_id != room_id or found.expires_ms <= self._now_ms():
            return None
        return found

    def void(self, user_id: str) -> None:
        """None of this user's tickets opens anything any more."""
        self._tickets = {text: ticket for text, ticket in self._tickets.items() if ticket.user_id != user_id}

    def _drop_expired(self, now: int) -> None:
        while self._tickets:
            oldest = next(iter(self._tickets))
            if self._tickets[oldest].expires_ms > now:
                break
            del self._tickets[oldest]
