"""A room's storage in memory, honest about its contract and small enough for endless runs.

Of each room only what it is rebuilt from is kept: :meth:`Books.load_room` gives what the database would.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from app.economy.ledger import COMPUTER_ID, ISSUANCE, Posting, purse
from app.rooms.ports import (
    ActionRecord,
    AlreadyAnswered,
    AlreadySettled,
    AnswerRecord,
    BalanceMoved,
    Batch,
    EventRecord,
    Player,
    RoomRecord,
    RoundRecord,
    RoundStatus,
    StoredRoom,
    StoreError,
    book_of,
)
from app.rooms.practice import COMPUTER

ANSWERS_KEPT = 10_000
_BEGUN = (RoundStatus.RUNNING, RoundStatus.FINISHED, RoundStatus.VOIDED)


@dataclass(slots=True)
class _Shelf:
    """One room as stored."""

    head: RoomRecord
    updated_ms: int
    proposal: RoundRecord | None = None
    round: RoundRecord | None = None
    actions: list[ActionRecord] = field(default_factory=list)
    events: list[EventRecord] = field(default_factory=list)


class Books:
    """:class:`app.rooms.ports.RoomStore` without a disk: all of a batch or nothing."""

    def __init__(self, coins: Mapping[str, int]) -> None:
        self.balances: dict[str, int] = {purse(user_id): held for user_id, held in coins.items()}
        self.balances[ISSUANCE] = -sum(coins.values())
        self.points: dict[str, int] = dict.fromkeys(coins, 0)
        self.answers: dict[tuple[str, str], AnswerRecord] = {}
        self.keys: set[str] = set()
        self.open_rooms: Sequence[str] = ()
        self._shelves: dict[str, _Shelf] = {}

    async def commit(self, batch: Batch) -> None:
        self._check(batch)
        self._pay(batch)
        self._keep(batch)

    def _check(self, batch: Batch) -> None:
        for answer in batch.answers:
            if (answer.user_id, answer.action_id) in self.answers:
                raise AlreadyAnswered(answer.action_id)
        self._check_room(batch)
        self._check_held(batch.held)
        for posting in batch.postings:
            self._check_posting(posting)
        for result in batch.results:
            if self.points[result.user_id] != result.points_before:
                raise BalanceMoved(result.user_id)

    def _check_room(self, batch: Batch) -> None:
        shelf = self._shelves.get(batch.room.id)
        if batch.commits_before != (shelf.head.commits if shelf is not None else 0):
            raise StoreError("not as it was known: rooms")

    def _check_posting(self, posting: Posting) -> None:
        if posting.key in self.keys:
            raise AlreadySettled(posting.key)
        self._check_held(posting.expect)

    def _check_held(self, held: Mapping[str, int]) -> None:
        for account, coins in held.items():
            if self.balances.get(account, 0) != coins:
                raise BalanceMoved(account)

    def _pay(self, batch: Batch) -> None:
        for posting in batch.postings:
            self.keys.add(posting.key)
            for account, amount in posting.entries.items():
                self.balances[account] = self.balances.get(account, 0) + amount
        for result in batch.results:
            self.points[result.user_id] = result.points_after
        for answer in batch.answers:
            self.answers[answer.user_id, answer.action_id] = answer
        while len(self.answers) > ANSWERS_KEPT:
            del self.answers[next(iter(self.answers))]

    def _keep(self, batch: Batch) -> None:
        shelf = self._shelves.setdefault(batch.room.id, _Shelf(batch.room, batch.at_ms))
        shelf.head, shelf.updated_ms = batch.room, batch.at_ms
        for record in batch.rounds:
            if record.status in _BEGUN:
                if shelf.round is None or shelf.round.id != record.id:
                    shelf.actions, shelf.events = [], []
                shelf.round = record
            shelf.proposal = _proposal_after(shelf.proposal, record)
        shelf.actions += [a for a in batch.actions if shelf.round and a.round_id == shelf.round.id]
        shelf.events += batch.events
        started = [n for n, event in enumerate(shelf.events) if event.kind == "round_started"]
        if started:
            del shelf.events[: started[-1]]

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
        self._shelves[room.id] = _Shelf(room, at_ms)

    async def load_room(self, room_id: str) -> StoredRoom | None:
        shelf = self._shelves.get(room_id)
        if shelf is None or shelf.head.phase == "closed":
            return None
        return StoredRoom(
            room=shelf.head,
            updated_ms=shelf.updated_ms,
            proposal=shelf.proposal,
            round=shelf.round,
            actions=tuple(shelf.actions),
            events=tuple(shelf.events),
        )

    async def stop_room(self, room_id: str, reason: str, at_ms: int) -> None:
        shelf = self._shelves[room_id]
        closed = replace(shelf.head, phase="closed", seats=(None, None), commits=shelf.head.commits + 1)
        shelf.head, shelf.updated_ms = closed, at_ms

    async def open_room_ids(self) -> Sequence[str]:
        return self.open_rooms


def _proposal_after(proposal: RoundRecord | None, record: RoundRecord) -> RoundRecord | None:
    """The open proposal once this round's head is written."""
    if record.status is RoundStatus.PROPOSED:
        return record
    return None if proposal is not None and proposal.id == record.id else proposal
