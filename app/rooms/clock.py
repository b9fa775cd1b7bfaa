"""The real clock of the rooms, on the running event loop."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

from app.rooms.ports import Timer


class LoopClock:
    """Epoch ms from the system; timers from the loop, which measures them on its own steady clock.

    ``pending`` counts the timers that have neither gone off nor been cancelled.
    """

    def __init__(self) -> None:
        self.pending = 0

    def now_ms(self) -> int:
        return time.time_ns() // 1_000_000

    def call_at(self, at_ms: int, callback: Callable[[], None]) -> Timer:
        return _LoopTimer(self, max(0, at_ms - self.now_ms()) / 1_000, callback)


class _LoopTimer:
    """One timer; it is counted until it goes off or is cancelled."""

    def __init__(self, clock: LoopClock, delay: float, callback: Callable[[], None]) -> None:
        self._clock = clock
        self._callback = callback
        self._handle: asyncio.TimerHandle | None = asyncio.get_running_loop().call_later(delay, self._go_off)
        clock.pending += 1

    def cancel(self) -> None:
        if self._handle is not None:
            self._handle.cancel()
            self._done()

    def _go_off(self) -> None:
        self._done()
        self._callback()

    def _done(self) -> None:
        self._handle = None
        self._clock.pending -= 1
