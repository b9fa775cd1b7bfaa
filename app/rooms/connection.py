"""One reader's way out of a room: a bounded queue that room code fills and never waits for.

Source: PROTOCOL §3.9, §3.11.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum

from app.engine.state import Seat

MAX_QUEUED_FRAMES = 64
MAX_QUEUED_BYTES = 256 * 1024


class CloseCode(IntEnum):
    """Source: PROTOCOL §3.11."""

    END = 1000
    NOT_UTF8 = 1007
    RESTART = 1012
    TOO_BIG = 1009
    OVERLOAD = 1013
    BAD_FRAMES = 4400
    TICKET = 4401
    FORBIDDEN = 4403
    NO_ROOM = 4404
    SLOW = 4408
    REPLACED = 4409
    REMOVED = 4410
    PROTOCOL = 4426
    RATE = 4429


@dataclass(frozen=True, slots=True)
class Closing:
    """The last thing in a queue: close the socket with this code."""

    code: CloseCode


class Connection:
    """A socket as its room sees it.

    ``reader`` is a seat, or WATCHER. ``lag_ms`` tells how long the way to the client and back takes, 0 while
    unknown. On overflow the queue is emptied of everything but answers, and once it
    has drained ``on_drained`` asks the room for a fresh snapshot.
    """

    def __init__(
        self,
        user_id: str,
        name: str,
        reader: Seat,
        on_drained: Callable[[Connection], None],
        lag_ms: Callable[[], int] = lambda: 0,
    ) -> None:
        self.user_id = user_id
        self.name = name
        self.reader = reader
        self.lag_ms = lag_ms
        self.asked_dp = 0  # the last decision this connection has been sent
        self.is_lagging = False
        self.is_leaving = False  # its going offline is not yet committed
        self._on_drained = on_drained
        self._frames: deque[tuple[bytes, bool]] = deque()
        self._bytes = 0
        self._closing: Closing | None = None
        self._wake = asyncio.Event()

    @property
    def is_closing(self) -> bool:
        """Nothing more is taken from it or queued for it."""
        return self._closing is not None

    @property
    def queued_frames(self) -> int:
        """Frames that wait to be written."""
        return len(self._frames)

    @property
    def queued_bytes(self) -> int:
        return self._bytes

    def send(self, frame: bytes, *, is_answer: bool = False) -> None:
        """Queue a frame; answers (``ack``, ``err``) survive an overflow, the snapshot has all the rest."""
        if self._closing is not None or (self.is_lagging and not is_answer):
            return
        self._frames.append((frame, is_answer))
        self._bytes += len(frame)
        if len(self._frames) > MAX_QUEUED_FRAMES or self._bytes > MAX_QUEUED_BYTES:
            self._overflow()
        self._wake.set()

    def close(self, code: CloseCode) -> None:
        """Close after what is queued; the first code stands."""
        if self._closing is None:
            self._closing = Closing(code)
            self._wake.set()

    def caught_up(self) -> None:
        """The room is about to send a snapshot: events may follow again."""
        self.is_lagging = False

    async def next(self) -> bytes | Closing:
        """The next frame to write, or the close that ends the connection."""
        while (item := self.take()) is None:
            self._wake.clear()
            await self._wake.wait()
        return item

    def take(self) -> bytes | Closing | None:
        """Like :meth:`next`, None when nothing is queued."""
        if self._frames:
            frame, _ = self._frames.popleft()
            self._bytes -= len(frame)
            return frame
        if self._closing is None and self.is_lagging:
            self._on_drained(self)
        return self._closing

    def _overflow(self) -> None:
        answers = [entry for entry in self._frames if entry[1]][-MAX_QUEUED_FRAMES:]
        self._frames = deque(answers)
        self._bytes = sum(len(frame) for frame, _ in answers)
        self.is_lagging = True
