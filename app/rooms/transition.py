"""One step of a room while it is worked out: the next state, and all that must become durable with it.

Nothing here is visible to anybody until the batch is committed; a step that fails is simply dropped.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from app.economy.ledger import Posting
from app.economy.operators import Change
from app.economy.settlement import Pair
from app.engine.state import SEATS, Seat
from app.rooms.codec import room_record
from app.rooms.model import RoomState, SeatState
from app.rooms.ports import (
    ActionRecord,
    AnswerRecord,
    Batch,
    EventRecord,
    Player,
    ResultRecord,
    RoundRecord,
)


class PlayersNeeded(Exception):
    """The step needs these players' present coins and points: read them and take it again."""

    def __init__(self, user_ids: Sequence[str]) -> None:
        super().__init__(user_ids)
        self.user_ids = user_ids


class World(NamedTuple):
    """What a step may use besides the room: time and sources of ids and randomness, all handed in.

    ``lags_ms`` is how long the way to each seat's client and back takes, 0 while unknown.
    """

    now_ms: int
    new_id: Callable[[], str]
    random_bytes: Callable[[int], bytes]
    players: Mapping[str, Player] | None = None
    lags_ms: Pair = (0, 0)


class Transition:
    """The step being worked out. ``room`` is replaced as it goes; the lists gather what to store."""

    def __init__(self, room: RoomState, world: World) -> None:
        self.room = room
        self.world = world
        self._before = room
        self._players = dict(world.players or {})
        self._moved: set[str] = set()  # whose purse holds something else after this step
        self.events: list[EventRecord] = []
        self.actions: list[ActionRecord] = []
        self.rounds: dict[str, RoundRecord] = {}
        self.answers: list[AnswerRecord] = []
        self.postings: list[Posting] = []
        self.results: list[ResultRecord] = []
        self.changes: list[Change] = []
        self.held: dict[str, int] = {}
        self.concerned: tuple[str, ...] = ()  # whose coins and points it goes by

    @property
    def now_ms(self) -> int:
        return self.world.now_ms

    def update(self, **changes: Any) -> None:
        self.room = self.room._replace(**changes)

    def seat(self, seat: Seat) -> SeatState:
        return self.room.at(seat)

    def update_seat(self, seat: Seat, **changes: Any) -> None:
        self.put_seat(seat, self.room.at(seat)._replace(**changes))

    def put_seat(self, seat: Seat, sitting: SeatState | None) -> None:
        """Somebody sits down here, or nobody does any more."""
        self.room = self.room._replace(seats=self.room.seats_with(seat, sitting))

    def set_player(self, seat: Seat, player: Player) -> None:
        """His purse or points change with this step."""
        self.update_seat(seat, player=player)
        self._players[player.id] = player
        self._moved.add(player.id)

    def known_players(self) -> tuple[Player, Player]:
        """Both players as they have been read for this step, else as their table knows them.

        That their purses stand so is checked as the step is stored.
        """
        self.concerned = (self.seat(0).player.id, self.seat(1).player.id)
        for seat in SEATS:
            known = self.seat(seat).player
            read = self._players.get(known.id)
            player = known if read is None else replace(read, name=known.name)  # as he sat down
            if known.id not in self._moved:
                self.held[self.room.book.purse(known.id)] = player.coins
            if player != known:
                self.update_seat(seat, player=player)
        return self.seat(0).player, self.seat(1).player

    def fresh_players(self) -> tuple[Player, Player]:
        """Both players as they stand now, read for this step and kept up by it.

        Raises:
            PlayersNeeded: they have not been read yet.
        """
        return self.players((self.seat(0).player.id, self.seat(1).player.id))

    def players(self, ids: tuple[str, str]) -> tuple[Player, Player]:
        """Two players who sit at one table, or are about to, as they stand now.

        Raises:
            PlayersNeeded: they have not been read yet.
        """
        self.concerned = ids
        if any(user_id not in self._players for user_id in ids):
            raise PlayersNeeded(ids)
        return self._players[ids[0]], self._players[ids[1]]

    def log(self, kind: str, data: Mapping[str, Any], round_id: str | None = None) -> None:
        """Append an event to the room's one ordered log."""
        seq = self.room.seq + 1
        self.update(seq=seq)
        self.events.append(EventRecord(seq, self.now_ms, round_id, kind, data))

    def save_round(self, record: RoundRecord) -> None:
        self.rounds[record.id] = record

    @property
    def is_durable(self) -> bool:
        """Whether there is anything to commit: a step that only refuses changes nothing."""
        return bool(self.events or self.answers or self.rounds) or self.room != self._before

    def seal(self) -> None:
        """It is worked out: with what there is to commit the room is one commit further."""
        if self.is_durable:
            self.update(commits=self._before.commits + 1)

    def batch(self) -> Batch:
        return Batch(
            room=room_record(self.room),
            at_ms=self.now_ms,
            new_terms=_terms(self.room) != _terms(self._before),
            rounds=tuple(self.rounds.values()),
            actions=tuple(self.actions),
            events=tuple(self.events),
            answers=tuple(self.answers),
            postings=tuple(self.postings),
            results=tuple(self.results),
            changes=tuple(self.changes),
            held=self.held,
        )


def _terms(room: RoomState) -> tuple[Any, ...]:
    seated = tuple(sitting and sitting.player.id for sitting in room.seats)
    return room.tier, room.base_stake, room.private, room.invite, room.phase, seated
