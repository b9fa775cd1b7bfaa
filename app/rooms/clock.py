"""The real clock of the rooms, on the running event loop."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

from app.rooms.ports import Timer


class LoopClock:
    """Epoch ms from the system; timers from the loop, which measures them on its own steady clock."""

    def now_ms(self) -> int:
        return time.time_ns() // 1_000_000

    def call_at(self, at_ms: int, callback: Callable[[], None]) -> Timer:
        delay = max(0, at_ms - self.now_ms()) / 1_000
        return asyncio.get_running_loop().call_later(delay, callback)
