"""A clock that stands still until told, and a store that keeps everything in memory, honestly."""

from __future__ import annotations

import heapq
import itertools
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from app.rooms.commits import Sources
from app.rooms.ports import Batch, StoredRoom, StoreError
from app.soak.books import Books

START_MS = 1_764_450_000_000


@dataclass(order=True)
class FakeTimer:
    at_ms: int
    number: int
    callback: Callable[[], None] = field(compare=False)
    is_cancelled: bool = field(default=False, compare=False)

    def cancel(self) -> None:
        self.is_cancelled = True


class FakeClock:
    """Epoch ms that move only when :meth:`advance_to` says so."""

    def __init__(self) -> None:
        self._now = START_MS
        self._timers: list[FakeTimer] = []
        self._numbers = itertools.count()

    def now_ms(self) -> int:
        return self._now

    def call_at(self, at_ms: int, callback: Callable[[], None]) -> FakeTimer:
        timer = FakeTimer(at_ms, next(self._numbers), callback)
        heapq.heappush(self._timers, timer)
        return timer

    def next_due_ms(self) -> int | None:
        while self._timers and self._timers[0].is_cancelled:
            heapq.heappop(self._timers)
        return self._timers[0].at_ms if self._timers else None

    def advance_to(self, at_ms: int) -> None:
        """Move on to ``at_ms`` and call what is due by then."""
        self._now = max(self._now, at_ms)
        while (due := self.next_due_ms()) is not None and due <= self._now:
            heapq.heappop(self._timers).callback()


class MemoryStore(Books):
    """Books that remember every batch, and fail when told."""

    def __init__(self, coins: Mapping[str, int]) -> None:
        super().__init__(coins)
        self.batches: list[Batch] = []
        self.fail_next: Exception | None = None
        self.lose_next_answer = False  # the next commit is written, and seems to have failed all the same
        self.give_up_next = False  # the next commit fails, and may be carried out later
        self._late: Batch | None = None
        self.is_unreadable = False  # no room can be looked at

    async def commit(self, batch: Batch) -> None:
        if self.fail_next is not None:
            fault, self.fail_next = self.fail_next, None
            raise fault
        if self.give_up_next:
            self.give_up_next, self._late = False, batch
            raise StoreError("no answer")
        await super().commit(batch)
        self.batches.append(batch)
        if self.lose_next_answer:
            self.lose_next_answer = False
            raise StoreError("the connection broke")

    async def carry_out_late(self) -> None:
        """What was given up, as a database does that has stood still."""
        assert self._late is not None
        await self.commit(self._late)

    async def load_room(self, room_id: str) -> StoredRoom | None:
        if self.is_unreadable:
            raise StoreError("gone")
        return await super().load_room(room_id)


def fake_sources(store: MemoryStore, clock: FakeClock, seed: int = 0) -> Sources:
    """Deterministic ids and bytes from ``seed``."""
    rng = random.Random(seed)
    numbers = itertools.count(1)
    return Sources(store, clock, lambda: f"id-{next(numbers):06}", rng.randbytes)
