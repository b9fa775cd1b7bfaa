"""The state of a room: frozen values, replaced whole by every accepted step. Source: RULES §2, §9–§12.

They are tuples with names because every step makes a dozen new ones: to replace a frozen dataclass of that
many fields takes ten times as long (docs/adr/0012).
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias

from app.economy.ledger import COMPUTER_ID, Book
from app.engine.state import SEATS, Seat, State
from app.rooms.ports import Player, RoundRecord, book_of
from app.rooms.tiers import Tier
from app.rules.tiles import EAST, Tile

_NOTHING: Mapping[str, Any] = MappingProxyType({})


def _later(at_ms: int | None, ms: int) -> int | None:
    return None if at_ms is None else at_ms + ms


class RoomPhase(StrEnum):
    WAITING = "waiting"  # a seat is free
    CONFIRM = "confirm"  # both are asked whether the next round may start
    PLAYING = "playing"
    CLOSED = "closed"


class Question(StrEnum):
    """What an ``ask`` is about."""

    CONFIRM = "confirm"
    OPEN_HAND = "open_hand"
    DOUBLE = "double"
    OPENING = "opening"
    TURN = "turn"
    CLAIM = "claim"

    @property
    def uses_reserve(self) -> bool:
        return self in (Question.TURN, Question.CLAIM)


class Option(NamedTuple):
    """One way to answer; ``o`` is its handle, ``data`` what the client is shown besides."""

    o: str
    data: Mapping[str, Any]


class Decision(NamedTuple):
    """A question open at one seat.

    Times are epoch ms; ``bank_ms`` is the reserve it may draw on beyond ``base_ms``; ``lag_ms`` is how much
    later than its deadline an answer may come because of the network. ``server_plays_at_ms`` is when the
    server answers for an absent or auto-playing seat, None while its player decides.
    """

    dp: int
    question: Question
    options: tuple[Option, ...]
    asked_ms: int
    base_ms: int
    bank_ms: int
    lag_ms: int = 0
    server_plays_at_ms: int | None = None
    extra: Mapping[str, Any] = _NOTHING

    @property
    def deadline_ms(self) -> int:
        return self.asked_ms + self.base_ms + self.bank_ms

    def postponed(self, ms: int) -> Decision:
        """The same, every time in it so much later."""
        return self._replace(
            asked_ms=self.asked_ms + ms, server_plays_at_ms=_later(self.server_plays_at_ms, ms)
        )

    def offers(self, o: str) -> bool:
        return any(option.o == o for option in self.options)

    @property
    def due_ms(self) -> int:
        """When the server answers if the player does not."""
        if self.server_plays_at_ms is None:
            return self.deadline_ms + self.lag_ms
        return min(self.server_plays_at_ms, self.deadline_ms)


class SeatState(NamedTuple):
    """One taken seat.

    ``timeouts`` counts turns and claims timed out in a row; ``offline_since_ms`` is None while connected.
    ``confirmed`` belongs to the open proposal, ``has_confirmed`` to the match; ``seen`` to the round:
    whether the player himself was there at any moment of it. ``lag_quota_ms`` is what is left of the round's
    allowance for a slow network. ``expelled``: the seat is freed when the round is over.
    """

    player: Player
    offline_since_ms: int | None
    auto: bool = False
    timeouts: int = 0
    confirmed: bool = False
    has_confirmed: bool = False
    entropy: str | None = None
    seen: bool = False
    absent_rounds: int = 0
    reserve_ms: int = 0
    lag_quota_ms: int = 0
    expelled: bool = False
    decision: Decision | None = None

    @property
    def is_online(self) -> bool:
        return self.offline_since_ms is None

    @property
    def is_absent(self) -> bool:
        return self.auto or not self.is_online

    def postponed(self, ms: int) -> SeatState:
        """The same, every time in it so much later."""
        return self._replace(
            offline_since_ms=_later(self.offline_since_ms, ms),
            decision=self.decision and self.decision.postponed(ms),
        )


Seats: TypeAlias = tuple[SeatState | None, SeatState | None]


class Match(NamedTuple):
    """Consecutive rounds of the same pair. Source: RULES §2.

    ``rounds`` counts those started; ``dealer`` is the next round's, None before the first, whose dealer the
    shuffle draws. ``dealt_away`` tells that the deal has left the first dealer since the wind last moved.
    """

    rounds: int = 0
    first_dealer: Seat | None = None
    dealer: Seat | None = None
    prevalent: Tile = EAST
    dealt_away: bool = False


class RoundPlay(NamedTuple):
    """The round at the table: its durable head, the engine's state and what the closing events said.

    ``forced_at_ms`` is when the server discards a ready hand's drawn tile, ``pause_ends_ms`` when a pause
    ends: the one before the first turn, or the one after a discard or added kong, before which nothing that
    follows is played. Both None when no such thing is pending.
    """

    record: RoundRecord
    state: State
    actions: int = 0
    forced_at_ms: int | None = None
    pause_ends_ms: int | None = None
    closing: Mapping[str, Any] = _NOTHING

    def postponed(self, ms: int) -> RoundPlay:
        """The same, every time in it so much later."""
        return self._replace(
            forced_at_ms=_later(self.forced_at_ms, ms), pause_ends_ms=_later(self.pause_ends_ms, ms)
        )


class RoomState(NamedTuple):
    """A room as of its last commit, the ``commits``-th.

    ``dps`` are the numbers of the last decision asked, by seat. ``grace_until_ms`` is the moment to which the
    last restart has pushed the clocks out, 0 once somebody has acted since.
    """

    id: str
    tier: Tier
    base_stake: int
    private: bool
    invite: str | None
    phase: RoomPhase = RoomPhase.WAITING
    seats: Seats = (None, None)
    seq: int = 0
    dps: tuple[int, int] = (0, 0)
    match: Match = Match()
    proposal: RoundRecord | None = None
    play: RoundPlay | None = None  # the running round, or the last one until the next starts
    matched: bool = False  # opened by quick match, which also fills its free seat
    spectators: bool = False  # may be watched
    practice: bool = False  # one of the seats is the computer's
    paused: str | None = None  # why an operator lets no round start
    grace_until_ms: int = 0
    version: int = 1  # one more with every change an operator makes
    commits: int = 0

    def postponed(self, ms: int) -> RoomState:
        """The same, every time in it so much later."""
        first, second = self.seats
        return self._replace(
            seats=(first and first.postponed(ms), second and second.postponed(ms)),
            play=self.play and self.play.postponed(ms),
        )

    @property
    def is_playing(self) -> bool:
        return self.phase is RoomPhase.PLAYING

    @property
    def is_closed(self) -> bool:
        return self.phase is RoomPhase.CLOSED

    def ended(self) -> RoomState:
        """Closed, and nobody sits there."""
        return self._replace(phase=RoomPhase.CLOSED, seats=(None, None))

    @property
    def has_begun(self) -> bool:
        """Whether a round of the present pair has started."""
        return self.is_playing or self.match.rounds > 0

    @property
    def waits_for_partner(self) -> bool:
        """One player sits here, and the seat beside him is free."""
        return self.phase is RoomPhase.WAITING and len(self.taken) == 1

    @property
    def taken(self) -> tuple[Seat, ...]:
        return tuple([seat for seat in SEATS if self.seats[seat] is not None])

    @property
    def people(self) -> tuple[Seat, ...]:
        """Seats taken by players; the others are free, or the computer's."""
        return tuple([seat for seat in self.taken if self.at(seat).player.id != COMPUTER_ID])

    @property
    def computer(self) -> Seat | None:
        """The seat the server plays itself, if there is one."""
        return self.seat_of(COMPUTER_ID)

    @property
    def user_ids(self) -> tuple[str, ...]:
        """Who sits here, the computer included."""
        return tuple([self.at(seat).player.id for seat in self.taken])

    @property
    def book(self) -> Book:
        """Whose coins are played for."""
        return book_of(self.user_ids)

    def seat_of(self, user_id: str) -> Seat | None:
        for seat, sitting in enumerate(self.seats):
            if sitting is not None and sitting.player.id == user_id:
                return seat
        return None

    def at(self, seat: Seat) -> SeatState:
        """The seat's state.

        Raises:
            LookupError: nobody sits there.
        """
        sitting = self.seats[seat]
        if sitting is None:
            raise LookupError(f"seat {seat} is free")
        return sitting

    def seats_with(self, seat: Seat, sitting: SeatState | None) -> Seats:
        """The seats with this one changed."""
        return (sitting, self.seats[1]) if seat == 0 else (self.seats[0], sitting)
