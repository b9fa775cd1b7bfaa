"""What rooms need from the floor above them, as Protocols: durable storage and a clock.

A room hands over one :class:`Batch` per accepted step and waits. When ``commit`` returns, everything in the
batch is durable, together; when it raises, nothing is – or, where no answer came to what was sent, all of
it: a room then looks what is stored.

What comes with every step is a tuple with names, as the room's own state (docs/adr/0012).
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, NamedTuple, Protocol

from app.economy.ledger import COMPUTER_ID, PLAY, Book, Posting
from app.economy.operators import Change
from app.rooms.tiers import Tier


@dataclass(frozen=True, slots=True)
class Player:
    """Who sits down: coins and points as they stand now."""

    id: str
    name: str
    coins: int
    points: int


@dataclass(frozen=True, slots=True)
class RoomRecord:
    """A room's durable head, written with every batch.

    ``seats`` holds user ids; ``state`` is the room's own JSON value (match, clocks, open decisions with
    their deadlines), which only rooms read. ``seq`` is the last event number, ``commits`` counts the batches.
    """

    id: str
    tier: Tier
    base_stake: int
    private: bool
    invite: str | None
    phase: str  # waiting, confirm, playing, closed
    seats: tuple[str | None, str | None]
    seq: int
    state: Mapping[str, Any]
    commits: int = 0

    @property
    def book(self) -> Book:
        """Whose coins are played for."""
        return book_of(self.seats)


def book_of(user_ids: Sequence[str | None]) -> Book:
    """The book of a table where these sit: practice as soon as the computer is one of them."""
    if COMPUTER_ID not in user_ids:
        return PLAY
    return Book(learner=next((each for each in user_ids if each not in (None, COMPUTER_ID)), ""))


class RoundStatus(StrEnum):
    PROPOSED = "proposed"  # commitment issued, not yet confirmed by both
    RUNNING = "running"
    FINISHED = "finished"  # won, drawn or forfeited
    VOIDED = "voided"
    WITHDRAWN = "withdrawn"  # proposed and never started; its proof is published too


@dataclass(frozen=True, slots=True)
class RoundRecord:
    """A round's durable head. ``secret``, ``nonce`` and ``entropy`` (by seat) are lower-case hex.

    ``result`` is the data of the closing events once it has ended. Actions are rows of their own.
    """

    id: str
    room_id: str
    number: int
    status: RoundStatus
    ruleset: str
    ruleset_version: int
    record_version: int
    options: Mapping[str, Any]  # what start_round was given besides the seed
    base_stake: int
    players: tuple[str, str]  # user ids by seat
    dealer: int | None
    shuffle: str
    secret: str
    nonce: str
    commitment: str
    entropy: tuple[str, str] | None
    result: Mapping[str, Any] | None


class ActionRecord(NamedTuple):
    """The ``n``-th action (from 0) of a round, in the engine's text form."""

    round_id: str
    n: int
    seat: int
    code: str
    at_ms: int


class EventRecord(NamedTuple):
    """One event of a room's log, in full: redaction happens on the way out, never in the store."""

    seq: int
    at_ms: int
    round_id: str | None
    kind: str
    data: Mapping[str, Any]


class AnswerRecord(NamedTuple):
    """The answer given to a client's action id; ``digest`` tells a resend from another content."""

    user_id: str
    action_id: str
    digest: str
    seq: int


@dataclass(frozen=True, slots=True)
class ResultRecord:
    """How a round ended for one player. Points change by nothing else, so they are the sum of these.

    ``dealt_in``: he lost by a tile of his own.
    """

    round_id: str
    user_id: str
    seat: int
    outcome: str  # won, lost, drawn, escaped, deserted (the opponent escaped)
    coins_delta: int
    points_before: int
    points_after: int
    total_fan: int
    dealt_in: bool = False


@dataclass(frozen=True, slots=True)
class Batch:
    """Everything one accepted step changes, to be made durable in one transaction.

    ``new_terms``: the room's tier, base stake, privacy, invite, phase or seats may be others than are stored.
    ``held`` is what accounts must hold before anything moves: the step was worked out from that.
    """

    room: RoomRecord
    at_ms: int
    new_terms: bool = True
    rounds: tuple[RoundRecord, ...] = ()
    actions: tuple[ActionRecord, ...] = ()
    events: tuple[EventRecord, ...] = ()
    answers: tuple[AnswerRecord, ...] = ()
    postings: tuple[Posting, ...] = ()
    results: tuple[ResultRecord, ...] = ()
    changes: tuple[Change, ...] = ()  # for the audit log
    held: Mapping[str, int] = field(default_factory=dict)  # coins, by account

    @property
    def commits_before(self) -> int:
        """How many the room must have had beforehand: else the step was worked out from something else."""
        return self.room.commits - 1


class StoreError(Exception):
    """The database failed: what was to be written may be there or not, but never in part."""


def reason_of(error: StoreError) -> str:
    """What a database that failed has said, in a line: where it was asked is the same every time."""
    cause: BaseException = error
    while cause.__cause__ is not None:
        cause = cause.__cause__
    first, *_ = str(cause).splitlines() or [""]
    return f"{type(cause).__name__}: {first}"


class BalanceMoved(StoreError):
    """A balance (or points) is no longer what the batch was computed from: compute it anew."""


class AlreadyAnswered(StoreError):
    """An answer to this (user, action id) is stored already."""


class AlreadySettled(StoreError):
    """A posting with this key is stored already."""


class UnreadableRoom(Exception):
    """What is stored of a room does not lead back to it: it cannot go on, and trying again does not help."""


class RoomStore(Protocol):
    """Storage as rooms see it."""

    async def commit(self, batch: Batch) -> None:
        """Make the batch durable in one transaction.

        Raises:
            BalanceMoved, AlreadyAnswered, AlreadySettled: nothing was written, for the reason named.
            StoreError: the database failed; all was written or nothing.
        """

    async def players(self, user_ids: Sequence[str]) -> Mapping[str, Player]:
        """Present coins and points of these users; unknown ids are left out.

        With :data:`~app.economy.ledger.COMPUTER_ID` among them the coins are those of the practice book.
        """

    async def answer(self, room_id: str, user_id: str, action_id: str) -> AnswerRecord | None:
        """The stored answer to an action id, if it was ever accepted in this room."""

    async def create_room(self, room: RoomRecord, at_ms: int) -> None:
        """Write a new room's head, before its first batch."""

    async def load_room(self, room_id: str) -> StoredRoom | None:
        """A room that is not closed, as last committed.

        Raises:
            UnreadableRoom: something stored is no value of its kind.
            StoreError: the database failed.
        """

    async def stop_room(self, room_id: str, reason: str, at_ms: int) -> None:
        """Close a room that cannot be rebuilt: its round is voided, a table fee given back, its seats free.

        Nothing of the room but its plain columns is read. One that is closed already stays as it is.
        """

    async def open_room_ids(self) -> Sequence[str]:
        """All rooms that are not closed."""


@dataclass(frozen=True, slots=True)
class StoredRoom:
    """What a room is rebuilt from: its head, the proposal if one is open, the round at the table (running, or
    the last one, which is shown until the next starts) and that round's actions in order. ``events`` go from
    that round's first on; before the first round they are all there are. ``updated_ms`` is the time of the
    last commit.
    """

    room: RoomRecord
    updated_ms: int
    proposal: RoundRecord | None
    round: RoundRecord | None
    actions: tuple[ActionRecord, ...]
    events: tuple[EventRecord, ...]


def may_enter(room_invite: str | None, shown: str | None) -> bool:
    """Whether the invite shown opens a room; one without an invite of its own is open to all."""
    if room_invite is None:
        return True
    return secrets.compare_digest((shown or "").upper().encode(), room_invite.encode())


class Timer(Protocol):
    def cancel(self) -> None: ...


class Clock(Protocol):
    """Time as rooms see it; tests hand in one that stands still until told."""

    def now_ms(self) -> int:
        """Epoch milliseconds."""

    def call_at(self, at_ms: int, callback: Callable[[], None]) -> Timer:
        """Call once the clock shows ``at_ms`` or later; a moment already past is called soon."""


@dataclass(frozen=True, slots=True)
class RoomSummary:
    """An open room as the lobby sees it. ``seats`` holds who sits there, by seat."""

    id: str
    tier: Tier
    base_stake: int
    private: bool
    invite: str | None
    phase: str  # waiting, confirm, playing, closed
    spectators: bool
    seats: tuple[Player | None, Player | None]

    def admits_watcher(self, invite: str | None) -> bool:
        """Whether it may be watched by who shows this invite; only a private room asks for one."""
        return self.spectators and may_enter(self.invite, invite)

    @property
    def host(self) -> Player | None:
        """Who waits for company: the first who sits there."""
        return next((player for player in self.seats if player is not None), None)

    @property
    def seats_taken(self) -> int:
        return sum(player is not None for player in self.seats)
