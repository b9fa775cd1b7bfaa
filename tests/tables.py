"""A running room on a clock that stands still, with players whose sockets are plain lists of frames."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

from app.client.messages import read_message
from app.client.view import View, apply_event
from app.engine.state import Seat
from app.engine.views import WATCHER
from app.rooms import commands as cmd
from app.rooms.audience import Resume
from app.rooms.commits import Sources
from app.rooms.connection import CloseCode, Closing, Connection
from app.rooms.model import Decision, RoomState
from app.rooms.ports import EventRecord
from app.rooms.recovery import restore
from app.rooms.room import Room
from app.rooms.stopping import RETRY_AFTER_MS, Stops
from app.rooms.tiers import Tier
from tests.fakes import FakeClock, MemoryStore, fake_sources

CLASSIC = Tier("classic64-1", "雀仔場", "classic64", base_stake=10, entry_min=500)


class Reader:
    """One connection and everything that has come through it.

    ``hears`` is told each frame as it is read; with ``folds`` the reader keeps a view up to date.
    """

    def __init__(
        self,
        connection: Connection,
        hears: Callable[[dict[str, Any]], None] = lambda frame: None,
        *,
        folds: bool = True,
    ) -> None:
        self.connection = connection
        self._hears = hears
        self._folds = folds
        self.frames: list[dict[str, Any]] = []
        self.closed: int | None = None
        self.view: View | None = None
        self.seq = 0

    def of(self, name: str) -> list[dict[str, Any]]:
        return [frame for frame in self.frames if frame["m"] == name]

    def kinds(self) -> list[str]:
        """Event kinds, in the order received."""
        return [frame["k"] for frame in self.of("ev")]

    @property
    def question(self) -> dict[str, Any]:
        """The last ``ask``."""
        return self.of("ask")[-1]

    def answer(self, action_id: str) -> dict[str, Any]:
        """The last answer to this id."""
        return [frame for frame in self.frames if frame.get("id") == action_id][-1]

    def has_answer(self, action_id: str) -> bool:
        return any(frame.get("id") == action_id for frame in self.frames)

    async def read(self) -> None:
        """Take everything that is queued; events must follow each other without a gap."""
        while (waiting := self.connection.take()) is not None:
            if isinstance(waiting, Closing):
                self.closed = waiting.code
                return
            read_message(waiting)  # every frame is what the protocol describes
            self._take(json.loads(waiting))

    def _take(self, frame: dict[str, Any]) -> None:
        self.frames.append(frame)
        self._hears(frame)
        if frame["m"] == "snap":
            self.view, self.seq = frame["view"] if self._folds else None, frame["seq"]
        elif frame["m"] == "ev":
            assert frame["seq"] == self.seq + 1, f"{frame['seq']} after {self.seq}"
            self.seq = frame["seq"]
            if self.view is not None:
                self.view = apply_event(self.view, frame["k"], frame["d"])


class Table:
    """A room of ann (seat 0) and ben (seat 1); ``lag_ms`` is what the way to a client and back takes."""

    lag_ms = 0

    def __init__(
        self,
        tier: Tier = CLASSIC,
        coins: dict[str, int] | None = None,
        seed: int = 0,
        lag_ms: int = 0,
        practice: bool = False,
    ) -> None:
        self.lag_ms = lag_ms
        self.store = MemoryStore(coins or {"ann": 10_000, "ben": 10_000})
        clock = FakeClock()
        self.open(
            RoomState("room", tier, tier.base_stake, private=False, invite=None, practice=practice),
            fake_sources(self.store, clock, seed),
            clock,
        )

    def open(
        self,
        state: RoomState,
        sources: Sources,
        clock: FakeClock,
        events: Sequence[EventRecord] = (),
        first: cmd.Reopen | None = None,
    ) -> None:
        """Begin with this room, and nobody connected; ``events`` and ``first`` as for one that is rebuilt."""
        self.clock, self.sources = clock, sources
        self.states = {state.seq: state}  # by the number of the last event
        self.readers: list[Reader] = []
        self._ids = 0
        self.stops = Stops(sources.store, clock)
        self.room = Room(state, sources, self.stops, self._follow, events, first)

    def _follow(self, before: RoomState, after: RoomState) -> None:
        self.states[after.seq] = after

    @property
    def state(self) -> RoomState:
        return self.room.state

    async def seated(self) -> tuple[Reader, Reader]:
        """Both sit down and connect: the confirm is asked."""
        for user_id in ("ann", "ben"):
            await self.room.tell(cmd.TakeSeat(self.store.player(user_id)))
        return await self.connect("ann"), await self.connect("ben")

    async def practising(self) -> Reader:
        """Ann sits across from the computer and is connected: the confirm is asked."""
        await self.room.tell(cmd.Practise(self.store.player("ann")))
        return await self.connect("ann")

    async def playing(self) -> tuple[Reader, Reader]:
        """Both have confirmed: a round runs, the 明牌 offer is open."""
        ann, ben = await self.seated()
        await self.act(ann, "ok")
        await self.act(ben, "ok")
        return ann, ben

    async def at_first_turn(self) -> tuple[Reader, Reader]:
        """Dealt, nobody opened or doubled: the dealer is to discard. The readers come dealer first."""
        ann, ben = await self.playing()
        for answer in ("kc", "nd"):
            await self.act(ann, answer)
            await self.act(ben, answer)
        assert self.state.play is not None
        return (ann, ben) if self.state.play.state.dealer == 0 else (ben, ann)

    async def connect(self, user_id: str, *, watch: bool = False, resume: Resume | None = None) -> Reader:
        connection = self.room.connection(user_id, user_id.title(), watch=watch, lag_ms=lambda: self.lag_ms)
        reader = self.reader(connection)
        reader.seq = resume.seq if resume else 0
        self.readers.append(reader)
        self.room.attach(connection, resume)
        await self.quiet()
        return reader

    def reader(self, connection: Connection) -> Reader:
        """Who reads a new connection."""
        return Reader(connection)

    async def drop(self, reader: Reader) -> None:
        """The socket is gone."""
        self.room.detach(reader.connection)
        self.readers.remove(reader)
        await self.quiet()

    async def act(self, reader: Reader, o: str, **fields: Any) -> dict[str, Any]:
        """Answer the reader's open question; the ``ack`` or ``err`` that came back."""
        return await self.request(reader, **{"dp": reader.question["dp"], "o": o, **fields})

    async def request(
        self, reader: Reader, *, id: str | None = None, waits: bool = False, **fields: Any
    ) -> dict[str, Any]:
        """An ``act`` by default, or the request given by ``kind``; ``waits`` lets a pause pass that holds the
        answer back.
        """
        self._ids += 1
        action_id = id or f"{reader.connection.user_id}-{self._ids}"
        kind = fields.pop("kind", cmd.Act)
        self.room.ask(reader.connection, kind(action_id, **fields))
        await self.quiet()
        while waits and not reader.has_answer(action_id):
            await self.pass_time(100)
        return reader.answer(action_id)

    async def pass_time(self, ms: int) -> None:
        """Let ``ms`` pass, stopping at every timer on the way."""
        end = self.clock.now_ms() + ms
        while (due := self.clock.next_due_ms()) is not None and due <= end:
            self.clock.advance_to(due)
            await self.quiet()
        self.clock.advance_to(end)

    async def quiet(self) -> None:
        """Until everything that entered the inbox has been dealt with; then read all sockets."""
        await self.room.idle()
        for reader in self.readers:
            await reader.read()

    def holds(self, reader: Reader) -> bool:
        """Whether this is a player's connection, and his seat is his."""
        seat = self.state.seat_of(reader.connection.user_id)
        return reader.closed is None and seat is not None and reader.connection.reader == seat

    def decision_of(self, reader: Reader) -> Decision | None:
        """What the reader's seat is asked now."""
        return self.state.at(reader.connection.reader).decision if self.holds(reader) else None

    async def restart(self, down_ms: int = 0) -> None:
        """The server stops and comes back after ``down_ms``; whoever was connected connects again."""
        readers = self.readers
        await self.room.stop(CloseCode.RESTART)
        for reader in readers:
            await reader.read()
        self.clock.advance_to(self.clock.now_ms() + down_ms)
        stored = await self.store.load_room(self.state.id)
        assert stored is not None
        players = await self.store.players([user_id for user_id in stored.room.seats if user_id])
        ids = self._ids
        first = cmd.Reopen(stored.updated_ms)
        self.open(restore(stored, players), self.sources, self.clock, stored.events, first)
        self._ids = ids
        await self.room.idle()
        if not self.room._is_sure:
            await self.pass_time(RETRY_AFTER_MS)
        for reader in [each for each in readers if each.closed == CloseCode.RESTART]:
            await self.connect(reader.connection.user_id, watch=reader.connection.reader == WATCHER)

    async def close(self) -> None:
        """End the room's task."""
        await self.room.stop(CloseCode.END)

    def seat_of(self, reader: Reader) -> Seat:
        return reader.connection.reader
