"""Rooms of one process played on without sockets: what a client would be sent is read as it is queued."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections import deque
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

import orjson
from ulid import ULID

from app.rooms import commands as cmd
from app.rooms.clock import LoopClock
from app.rooms.codec import room_record
from app.rooms.commits import Sources
from app.rooms.connection import CloseCode, Connection
from app.rooms.model import RoomState
from app.rooms.ports import AnswerRecord, Batch, Player, RoomRecord, RoomStore, StoredRoom
from app.rooms.room import Room
from app.rooms.stopping import Stops
from app.rooms.tiers import Clocks, Tier

_HOURS = 10**7  # ms: nobody's time runs out while another store has its turn
CLOCKS = Clocks(_HOURS, _HOURS, _HOURS, _HOURS, _HOURS, _HOURS, _HOURS)
TIER = Tier("classic64-1", "雀仔場", "classic64", base_stake=10, entry_min=500, clocks=CLOCKS)
COINS = 10**9
REFUSALS = ("keep_closed", "no_double", "pass", "confirm")
_EVENT = b'{"m":"ev","seq":'
READY = ("ready", "discard_ready")


class NoStore:
    """Commits switched off: everything is as durable as it will ever be at once."""

    def __init__(self) -> None:
        self._players: dict[str, Player] = {}

    def welcome(self, player: Player) -> None:
        self._players[player.id] = player

    async def commit(self, batch: Batch) -> None:
        pass

    async def create_room(self, room: RoomRecord, at_ms: int) -> None:
        pass

    async def players(self, user_ids: Sequence[str]) -> Mapping[str, Player]:
        return {user_id: self._players[user_id] for user_id in user_ids}

    async def answer(self, room_id: str, user_id: str, action_id: str) -> AnswerRecord | None:
        return None

    async def load_room(self, room_id: str) -> StoredRoom | None:
        return None

    async def stop_room(self, room_id: str, reason: str, at_ms: int) -> None:
        pass

    async def open_room_ids(self) -> Sequence[str]:
        return []


def _seq(event: bytes) -> int:
    """All that is read of an event here: reading the rest would be measured with the rooms."""
    return int(event[len(_EVENT) : event.index(b",", len(_EVENT))])


class Tap(Connection):
    """A connection whose frames are read at once and thrown away."""

    def __init__(self, user_id: str, seat: int, table: BusyTable) -> None:
        super().__init__(user_id, user_id, seat, on_drained=lambda _: None)
        self.seat = seat
        self._table = table

    def send(self, frame: bytes, *, is_answer: bool = False) -> None:
        self._table.sent(
            self, {"m": "ev", "seq": _seq(frame)} if frame.startswith(_EVENT) else orjson.loads(frame)
        )


class BusyTable:
    """One room of two players who answer whatever is asked, when they are told to."""

    def __init__(self, room: Room, players: tuple[Player, Player], house: House) -> None:
        self.room = room
        self._house = house
        self.taps = [Tap(player.id, seat, self) for seat, player in enumerate(players)]
        self._sent: dict[str, float] = {}  # by action id: when it was due
        self._unseen: dict[int, float] = {}  # by event number the other seat still waits for
        self._numbers = 0

    def act(self, tap: Tap, question: dict[str, Any], due: float) -> None:
        """Answer a question; ``due`` is when that was to happen."""
        options = [option for option in question["opts"] if option["kind"] not in READY]
        chosen = next((o for o in options if o["kind"] in REFUSALS), None) or self._house.rng.choice(options)
        self._numbers += 1
        action_id = f"{tap.seat}-{self._numbers}"
        self._sent[action_id] = due
        self.room.ask(tap, cmd.Act(action_id, question["dp"], chosen["o"]))

    def sent(self, tap: Tap, frame: dict[str, Any]) -> None:
        match frame["m"]:
            case "ask":
                self._house.asked.append((self, tap, frame))
            case "ack":
                due = self._sent.pop(frame["id"])
                self._house.acks.append((due, time.perf_counter() - due))
                self._unseen[frame["seq"]] = due
            case "err":
                raise AssertionError(frame)
            case "ev":
                due = self._unseen.pop(frame["seq"], 0.0)
                if due:
                    self._house.both.append((due, time.perf_counter() - due))


class House:
    """Busy rooms over one store. ``acks`` and ``both`` hold (due, seconds taken)."""

    def __init__(self, store: RoomStore, seed: int = 1) -> None:
        self.store = store
        self.rng = Random(seed)
        self.asked: deque[tuple[BusyTable, Tap, dict[str, Any]]] = deque()
        self.acks: list[tuple[float, float]] = []
        self.both: list[tuple[float, float]] = []
        self.tables: list[BusyTable] = []
        self.sources = Sources(store, LoopClock(), lambda: str(ULID()), secrets.token_bytes)

    async def open(self, players: tuple[Player, Player]) -> None:
        """A room for these two, both connected, the first round proposed."""
        state = RoomState(str(ULID()), TIER, TIER.base_stake, private=True, invite=str(ULID()))
        await self.store.create_room(room_record(state), self.sources.clock.now_ms())
        stops = Stops(self.store, self.sources.clock)
        table = BusyTable(Room(state, self.sources, stops, lambda _before, _after: None), players, self)
        for player in players:
            await table.room.tell(cmd.TakeSeat(player))
        for tap in table.taps:
            table.room.attach(tap, None)
        self.tables.append(table)

    async def play(self, rate: float, seconds: float) -> None:
        """So many actions a second, whatever they take."""
        started, sent = time.perf_counter(), 0
        while (now := time.perf_counter() - started) < seconds:
            due = int(now * rate)
            while sent < due and self.asked:
                table, tap, question = self.asked.popleft()
                table.act(tap, question, started + sent / rate)
                sent += 1
            await asyncio.sleep(0.001)
        await self.idle()

    async def rush(self, seconds: float) -> float:
        """As many as it can: every question is answered at once. Actions a second."""
        before, started = len(self.acks), time.perf_counter()
        while (now := time.perf_counter()) - started < seconds:
            while self.asked:
                table, tap, question = self.asked.popleft()
                table.act(tap, question, now)
            await asyncio.sleep(0.0005)  # who writes needs his turns
        taken = time.perf_counter() - started
        done = len(self.acks) - before
        await self.idle()
        return done / taken

    async def spread(self, actions: int) -> None:
        """Play each room on by a number of actions of its own, below this: rounds end at all times then."""
        left = {table: self.rng.randrange(actions) for table in self.tables}
        resting: list[tuple[BusyTable, Tap, dict[str, Any]]] = []
        while any(left.values()):
            while self.asked:
                table, tap, question = self.asked.popleft()
                if left[table]:
                    left[table] -= 1
                    table.act(tap, question, time.perf_counter())
                else:
                    resting.append((table, tap, question))
            await asyncio.sleep(0.0005)
        await self.idle()
        self.asked.extend(resting)

    async def record(self, actions: int) -> list[list[Batch]]:
        """Play each room on, the store hearing nothing: so many batches it would have got from each."""
        batches: dict[str, list[Batch]] = {table.room.state.id: [] for table in self.tables}

        async def keep(batch: Batch) -> None:
            batches[batch.room.id].append(batch)

        commit, self.store.commit = self.store.commit, keep  # type: ignore[method-assign]  # for a while
        while min(map(len, batches.values())) < actions:
            await self.rush(0.1)
        self.store.commit = commit  # type: ignore[method-assign]
        return [each[:actions] for each in batches.values()]

    async def idle(self) -> None:
        await asyncio.gather(*(table.room.idle() for table in self.tables))

    async def close(self) -> None:
        await asyncio.gather(*(table.room.stop(CloseCode.RESTART) for table in self.tables))
