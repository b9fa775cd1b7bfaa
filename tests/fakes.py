"""A clock that stands still until told, and a store that keeps everything in memory, honestly."""

from __future__ import annotations

import heapq
import itertools
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from app.economy.ledger import COMPUTER_ID, ISSUANCE, Posting, purse
from app.rooms.ports import (
    AlreadyAnswered,
    AlreadySettled,
    AnswerRecord,
    BalanceMoved,
    Batch,
    Player,
    RoomRecord,
    RoundStatus,
    StoredRoom,
    StoreError,
    book_of,
)
from app.rooms.practice import COMPUTER
from app.rooms.room import Sources

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


class MemoryStore:
    """The room store's contract without a disk: all of a batch or nothing."""

    def __init__(self, coins: Mapping[str, int]) -> None:
        self.balances: dict[str, int] = {purse(user_id): held for user_id, held in coins.items()}
        self.balances[ISSUANCE] = -sum(coins.values())
        self.points: dict[str, int] = dict.fromkeys(coins, 0)
        self.batches: list[Batch] = []
        self.answers: dict[tuple[str, str], AnswerRecord] = {}
        self.keys: set[str] = set()
        self.open_rooms: Sequence[str] = ()
        self.fail_next: Exception | None = None
        self.lose_next_answer = False  # the next commit is written, and seems to have failed all the same

    async def commit(self, batch: Batch) -> None:
        if self.fail_next is not None:
            fault, self.fail_next = self.fail_next, None
            raise fault
        self._write(batch)
        if self.lose_next_answer:
            self.lose_next_answer = False
            raise StoreError("the connection broke")

    def _write(self, batch: Batch) -> None:
        for answer in batch.answers:
            if (answer.user_id, answer.action_id) in self.answers:
                raise AlreadyAnswered(answer.action_id)
        for posting in batch.postings:
            self._check(posting)
        for result in batch.results:
            if self.points[result.user_id] != result.points_before:
                raise BalanceMoved(result.user_id)
        for posting in batch.postings:
            self.keys.add(posting.key)
            for account, amount in posting.entries.items():
                self.balances[account] = self.balances.get(account, 0) + amount
        for result in batch.results:
            self.points[result.user_id] = result.points_after
        self.answers |= {(answer.user_id, answer.action_id): answer for answer in batch.answers}
        self.batches.append(batch)

    def _check(self, posting: Posting) -> None:
        if posting.key in self.keys:
            raise AlreadySettled(posting.key)
        for account, expected in posting.expect.items():
            if self.balances.get(account, 0) != expected:
                raise BalanceMoved(account)

    async def players(self, user_ids: Sequence[str]) -> Mapping[str, Player]:
        book = book_of(user_ids)
        return {
            user_id: replace(self.player(user_id), coins=self.balances.get(book.purse(user_id), 0))
            for user_id in user_ids
        }

    def player(self, user_id: str) -> Player:
        if user_id == COMPUTER_ID:
            return COMPUTER
        return Player(user_id, user_id.title(), self.balances[purse(user_id)], self.points[user_id])

    async def answer(self, room_id: str, user_id: str, action_id: str) -> AnswerRecord | None:
        return self.answers.get((user_id, action_id))

    async def create_room(self, room: RoomRecord, at_ms: int) -> None:
        pass

    async def load_room(self, room_id: str) -> StoredRoom | None:
        """Put together from the batches, as the database puts it together from its rows."""
        batches = [batch for batch in self.batches if batch.room.id == room_id]
        if not batches or batches[-1].room.phase == "closed":
            return None
        rounds = {record.id: record for batch in batches for record in batch.rounds}
        statuses = (RoundStatus.RUNNING, RoundStatus.FINISHED, RoundStatus.VOIDED)
        begun_rounds = [record for record in rounds.values() if record.status in statuses]
        proposed = [record for record in rounds.values() if record.status is RoundStatus.PROPOSED]
        current = begun_rounds[-1] if begun_rounds else None
        events = tuple(event for batch in batches for event in batch.events)
        begun = [event.round_id for event in events if event.round_id is not None]
        first = next((n for n, event in enumerate(events) if begun and event.round_id == begun[-1]), 0)
        return StoredRoom(
            room=batches[-1].room,
            updated_ms=batches[-1].at_ms,
            proposal=proposed[-1] if proposed else None,
            round=current,
            actions=tuple(
                action
                for batch in batches
                for action in batch.actions
                if current is not None and action.round_id == current.id
            ),
            events=events[first:],
        )

    async def stop_room(self, room_id: str, reason: str, at_ms: int) -> None:
        last = [batch for batch in self.batches if batch.room.id == room_id][-1]
        closed = replace(last.room, phase="closed", seats=(None, None))
        self.batches.append(Batch(room=closed, at_ms=at_ms))

    async def open_room_ids(self) -> Sequence[str]:
        return self.open_rooms


def fake_sources(store: MemoryStore, clock: FakeClock, seed: int = 0) -> Sources:
    """Deterministic ids and bytes from ``seed``."""
    rng = random.Random(seed)
    numbers = itertools.count(1)
    return Sources(store, clock, lambda: f"id-{next(numbers):06}", rng.randbytes)
