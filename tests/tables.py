"""A running room on a clock that stands still, with players whose sockets are plain lists of frames."""

from __future__ import annotations

import json
from typing import Any

from app.client.messages import read_message
from app.client.view import View, apply_event
from app.economy.ledger import COMPUTER_ID
from app.engine.state import Seat
from app.rooms import commands as cmd
from app.rooms.audience import Resume
from app.rooms.connection import Closing, Connection
from app.rooms.model import RoomState
from app.rooms.room import Room, Sources
from app.rooms.tiers import Tier
from tests.fakes import FakeClock, MemoryStore, fake_sources

CLASSIC = Tier("classic64-1", "雀仔場", "classic64", base_stake=10, entry_min=500)


class Reader:
    """One connection and everything that has come through it."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
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
        if frame["m"] == "snap":
            self.view, self.seq = frame["view"], frame["seq"]
        elif frame["m"] == "ev":
            assert frame["seq"] == self.seq + 1, f"{frame['seq']} after {self.seq}"
            self.seq = frame["seq"]
            if self.view is not None:
                self.view = apply_event(self.view, frame["k"], frame["d"])


class Table:
    """A room of ann (seat 0) and ben (seat 1); ``lag_ms`` is what the way to a client and back takes."""

    lag_ms = 0

    def __init__(
        self, tier: Tier = CLASSIC, coins: dict[str, int] | None = None, seed: int = 0, lag_ms: int = 0
    ) -> None:
        self.lag_ms = lag_ms
        self.store = MemoryStore(coins or {"ann": 10_000, "ben": 10_000})
        clock = FakeClock()
        self.open(
            RoomState("room", tier, tier.base_stake, private=False, invite=None),
            fake_sources(self.store, clock, seed),
            clock,
        )

    def open(self, state: RoomState, sources: Sources, clock: FakeClock) -> None:
        """Begin with an empty table: this room, and nobody connected."""
        self.clock, self.sources = clock, sources
        self.states = {state.seq: state}  # by the number of the last event
        self.readers: list[Reader] = []
        self._ids = 0
        self.room = Room(state, sources, self._follow)

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
        for player in (await self.store.players([COMPUTER_ID, "ann"])).values():
            await self.room.tell(cmd.TakeSeat(player))
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
        reader = Reader(connection)
        reader.seq = resume.seq if resume else 0
        self.readers.append(reader)
        self.room.attach(connection, resume)
        await self.quiet()
        return reader

    async def drop(self, reader: Reader) -> None:
        """The socket is gone."""
        self.room.detach(reader.connection)
        self.readers.remove(reader)
        await self.quiet()

    async def act(self, reader: Reader, o: str, **fields: Any) -> dict[str, Any]:
        """Answer the reader's open question; the ``ack`` or ``err`` that came back."""
        return await self.request(reader, **{"dp": reader.question["dp"], "o": o, **fields})

    async def request(self, reader: Reader, *, id: str | None = None, **fields: Any) -> dict[str, Any]:
        """An ``act`` by default, or the request given by ``kind``."""
        self._ids += 1
        action_id = id or f"{reader.connection.user_id}-{self._ids}"
        kind = fields.pop("kind", cmd.Act)
        self.room.ask(reader.connection, kind(action_id, **fields))
        await self.quiet()
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

    def seat_of(self, reader: Reader) -> Seat:
        return reader.connection.reader
