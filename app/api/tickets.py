"""Tickets that let a signed-in player open one WebSocket. Source: PROTOCOL §2.

A browser cannot send headers with a WebSocket, and a session must not stand in an address; so the session
buys a ticket that is good once, for seconds, for one room, and no longer than the session.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Collection
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
    session: str  # the SHA-256 of its token
    expires_ms: int


class TicketBox:
    """Tickets not yet used, in memory: a restart voids them, and clients ask for new ones."""

    def __init__(self, now_ms: Callable[[], int], life_ms: int = 30_000) -> None:
        self._now_ms = now_ms
        self._life_ms = life_ms
        self._tickets: dict[str, Ticket] = {}  # oldest first
        self._ended: dict[str, int] = {}  # sessions: until when a call may still be under way; oldest first

    def issue(self, user_id: str, user_name: str, room_id: str, purpose: Purpose, session: str) -> str:
        """A ticket; one for a session that has just ended is void from the beginning."""
        expires_ms = self._now_ms() + self._life_ms
        self._drop_expired()
        ticket = secrets.token_urlsafe(24)
        if session not in self._ended:
            self._tickets[ticket] = Ticket(user_id, user_name, room_id, purpose, session, expires_ms)
        return ticket

    def void(self, sessions: Collection[str]) -> None:
        """These sessions have ended: nothing they bought or are about to buy is good."""
        self._drop_expired()
        until_ms = self._now_ms() + self._life_ms
        self._ended |= dict.fromkeys(sessions, until_ms)
        self._tickets = {
            ticket: bought for ticket, bought in self._tickets.items() if bought.session not in sessions
        }

    def redeem(self, ticket: str, room_id: str) -> Ticket | None:
        """What the ticket stands for, if it is good for this room. Shown once it is spent, good or not."""
        found = self._tickets.pop(ticket, None)
        if found is None or found.room_id != room_id or found.expires_ms <= self._now_ms():
            return None
        return found

    def void_user(self, user_id: str) -> None:
        """None of this user's tickets opens anything any more."""
        self._tickets = {text: ticket for text, ticket in self._tickets.items() if ticket.user_id != user_id}

    def _drop_expired(self) -> None:
        now = self._now_ms()
        while self._tickets:
            oldest = next(iter(self._tickets))
            if self._tickets[oldest].expires_ms > now:
                break
            del self._tickets[oldest]
        while self._ended:
            session = next(iter(self._ended))
            if self._ended[session] > now:
                break
            del self._ended[session]
