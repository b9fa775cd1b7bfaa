"""What watchers may see by now: the room as it was some events ago. Source: PROTOCOL §3.1, §3.4.

Whole steps are held back, so that a watcher's events always end where a view of the room exists. Once the
round is over nothing is left to hide and all of it is shown; nor is anything held back between rounds.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from app.rooms.model import RoomState
from app.rooms.ports import EventRecord

DELAY = 8  # events that must have followed before watchers are shown what a step brought


class Gallery:
    """``room`` is what watchers see: a state as it was committed, :data:`DELAY` events ago in a round."""

    def __init__(self, room: RoomState) -> None:
        self.room = room
        self._held: deque[tuple[RoomState, Sequence[EventRecord]]] = deque()
        self._events_held = 0

    def follow(self, room: RoomState, events: Sequence[EventRecord]) -> Sequence[EventRecord]:
        """Take in a committed step; the events that watchers are shown now."""
        self._held.append((room, events))
        self._events_held += len(events)
        shown: list[EventRecord] = []
        while self._held and (not room.is_playing or self._events_held - len(self._held[0][1]) >= DELAY):
            self.room, step = self._held.popleft()
            self._events_held -= len(step)
            shown += step
        return shown

    def jump_to(self, room: RoomState) -> None:
        """The room has moved on unseen: watchers begin anew from here."""
        self._held.clear()
        self._events_held = 0
        self.room = room
