"""How a process that runs rooms wants its interpreter."""

from __future__ import annotations

import gc
import sys

SWITCH_SECONDS = 0.00005  # after each call into SQLite the writer's thread waits so long for a busy loop

# Rooms are frozen values and free themselves. What the collector finds between them are a few cycles of
# tasks and errors: looking for those in everything took a sixth of all time, and stopped the server for 10–30
# ms at once. So it looks at what is new often, for 50 µs, and at what is older every half minute of a busy
# server, since that is all rooms as they have become meanwhile. (A look is taken when so many more objects
# were made than freed, old ones included. What is new is many times that: with a thousand it took 1–5 ms.)
COLLECT_AFTER = (100, 20_000, 20)


def tune_interpreter() -> None:
    """Set this process up for a loop that is always busy, before anything runs."""
    sys.setswitchinterval(SWITCH_SECONDS)
    gc.set_threshold(*COLLECT_AFTER)
    gc.freeze()  # modules and tables stay for ever
