"""A running room: one inbox, one task. Everything that changes the room passes through here in order.

Take a command, work it out (pure), commit, and only then let anybody see it: the answer, the events, the
questions, the timer. A commit that fails changes nothing. Source: PROTOCOL §3.1, §3.3, §3.5, §3.12.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from app.engine.views import WATCHER
from app.rooms import commands as cmd
from app.rooms.connection import CloseCode, Connection
from app.rooms.errors import RoomError
from app.rooms.frames import PROTOCOL, ack_frame, ask_frame, encode, error_frame, event_frame
from app.rooms.model import RoomState
from app.rooms.ports import (
    AlreadyAnswered,
    AnswerRecord,
    BalanceMoved,
    Clock,
    EventRecord,
    RoomStore,
    StoreError,
    Timer,
)
from app.rooms.steps import Refusal, next_due_ms, take
from app.rooms.transition import PlayersNeeded, Transition, World
from app.rooms.view import room_view

log = logging.getLogger(__name__)

MAX_TAKES = 8  # how often a step is worked out anew while purses move under it
RETRY_AFTER_MS = 1_000  # after a failed commit of something that happens by itself


@dataclass(frozen=True, slots=True)
class Sources:
    """Where a room gets time, ids, randomness and storage from; all handed in."""

    store: RoomStore
    clock: Clock
    new_id: Callable[[], str]
    random_bytes: Callable[[int], bytes]


@dataclass(frozen=True, slots=True)
class Resume:
    """What a returning client has: all events of ``round`` up to ``seq``."""

    round: str
    seq: int


@dataclass(frozen=True, slots=True)
class _Attach:
    connection: Connection
    resume: Resume | None


@dataclass(frozen=True, slots=True)
class _Detach:
    connection: Connection


@dataclass(frozen=True, slots=True)
class _Sync:
    connection: Connection


@dataclass(frozen=True, slots=True)
class _Asked:
    """A client's request, answered on its connection."""

    connection: Connection
    request: cmd.Request


@dataclass(frozen=True, slots=True)
class _Told:
    """A command from inside the server, answered through ``done``."""

    command: cmd.Command
    done: asyncio.Future[RoomState]


class Room:
    """The runtime of one room. ``on_change(before, after)`` hears every committed change.

    ``events`` are those of the current round so far, for a room that is rebuilt.
    """

    def __init__(
        self,
        state: RoomState,
        sources: Sources,
        on_change: Callable[[RoomState, RoomState], None],
        events: Sequence[EventRecord] = (),
    ) -> None:
        self.state = state
        self._sources = sources
        self._on_change = on_change
        self._inbox: asyncio.Queue[_Attach | _Detach | _Sync | _Asked | _Told | cmd.Tick] = asyncio.Queue()
        self._connections: list[Connection] = []
        self._numbers = 0
        self._log: list[EventRecord] = list(events)  # of the current round, from its round_started on
        self._answers: dict[tuple[str, str], AnswerRecord] = {}
        self._timer: Timer | None = None
        self._task = asyncio.create_task(self._run(), name=f"room {state.id}")

    # --- the door: everything enters the inbox, nothing waits for the room --------------------------------

    def connection(self, user_id: str, name: str, *, watch: bool) -> Connection:
        """A connection of this user, to be attached; who comes to play gets his own seat then."""
        return Connection(user_id, name, WATCHER if watch else 0, on_drained=self.sync)

    def attach(self, connection: Connection, resume: Resume | None) -> None:
        self._inbox.put_nowait(_Attach(connection, resume))

    def detach(self, connection: Connection) -> None:
        self._inbox.put_nowait(_Detach(connection))

    def sync(self, connection: Connection) -> None:
        self._inbox.put_nowait(_Sync(connection))

    def ask(self, connection: Connection, request: cmd.Request) -> None:
        self._inbox.put_nowait(_Asked(connection, request))

    def say(self, connection: Connection, phrase: str) -> None:
        """Pass a phrase on to everybody; it is part of no log."""
        if connection in self._connections and connection.reader != WATCHER:
            frame = encode("said", {"seat": connection.reader, "phrase": phrase})
            for reader in self._connections:
                reader.send(frame)

    async def tell(self, command: cmd.Command) -> RoomState:
        """Carry out a command of the server's own.

        Raises:
            RoomError: the room refuses.
            StoreError: it could not be made durable; nothing has changed.
        """
        done: asyncio.Future[RoomState] = asyncio.get_running_loop().create_future()
        self._inbox.put_nowait(_Told(command, done))
        return await done

    async def stop(self, code: CloseCode) -> None:
        """End the task and close every connection; what is committed stays."""
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)
        self._shut(code)

    # --- the task -----------------------------------------------------------------------------------------

    async def _run(self) -> None:
        self._arm()
        while not self.state.is_closed:
            message = await self._inbox.get()
            try:
                await self._handle(message)
            except Exception:
                log.exception("room %s: a step failed", self.state.id)
                await self._fault(message)
            self._arm()
        self._shut(CloseCode.END)

    async def _handle(self, message: _Attach | _Detach | _Sync | _Asked | _Told | cmd.Tick) -> None:
        match message:
            case _Asked():
                await self._answer(message.connection, message.request)
            case cmd.Tick():
                await self._step(message)
            case _Attach():
                await self._attach(message.connection, message.resume)
            case _Detach():
                await self._detach(message.connection)
            case _Sync():
                if message.connection in self._connections:
                    self._snapshot(message.connection)
            case _Told():
                await self._carry_out(message)

    async def _carry_out(self, told: _Told) -> None:
        try:
            await self._step(told.command)
        except (RoomError, StoreError) as refusal:
            if not told.done.cancelled():
                told.done.set_exception(refusal)
        else:
            if not told.done.cancelled():
                told.done.set_result(self.state)

    async def _fault(self, message: object) -> None:
        """A broken invariant: whoever asked is told, and the round is voided rather than left standing."""
        if isinstance(message, _Asked):
            message.connection.send(error_frame("internal", id=message.request.id), is_answer=True)
        if isinstance(message, _Told) and not message.done.done():
            message.done.set_exception(StoreError("the room failed"))
        try:
            await self._step(cmd.VoidRound("fault"))
        except Exception:
            log.exception("room %s: voiding failed", self.state.id)

    # --- one step -----------------------------------------------------------------------------------------

    async def _step(self, command: cmd.Command) -> None:
        step = await self._commit(command)
        self._publish(step)

    async def _commit(self, command: cmd.Command) -> Transition:
        """Work a command out and make it durable.

        Raises:
            Refusal, RoomError: the command changes nothing.
            StoreError: nothing could be written.
        """
        sources = self._sources
        players = None
        for _ in range(MAX_TAKES):
            world = World(sources.clock.now_ms(), sources.new_id, sources.random_bytes, players)
            try:
                step = take(self.state, command, world)
                if step.is_durable:
                    await sources.store.commit(step.batch())
            except PlayersNeeded as need:
                players = await sources.store.players(need.user_ids)
            except BalanceMoved:
                players = None
            else:
                return step
        raise StoreError("purses keep moving")

    def _publish(self, step: Transition, answered: Connection | None = None) -> None:
        """The step is durable: make it the room's state and let everybody see it."""
        before, self.state = self.state, step.room
        for answer in step.answers:
            self._answers[answer.user_id, answer.action_id] = answer
            if answered is not None:
                answered.send(ack_frame(answer.action_id, answer.seq, dup=False), is_answer=True)
        self._remember(step.events)
        for connection in self._connections:
            self._send_events(connection, step.events)
        for connection in self._connections:
            self._send_ask(connection)
        if before != self.state:
            self._drop_unseated(step)
            self._on_change(before, self.state)

    def _remember(self, events: Sequence[EventRecord]) -> None:
        for event in events:
            if event.kind == "round_started":
                self._log.clear()
            self._log.append(event)

    def _arm(self) -> None:
        """One timer, for whatever is due next; it enters the inbox like everything else."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        due = None if self.state.is_closed else next_due_ms(self.state)
        if due is not None:
            self._timer = self._sources.clock.call_at(due, lambda: self._inbox.put_nowait(cmd.Tick()))

    # --- requests -----------------------------------------------------------------------------------------

    async def _answer(self, connection: Connection, request: cmd.Request) -> None:
        """Exactly one answer per action id. Source: PROTOCOL §3.3."""
        if connection not in self._connections or connection.reader == WATCHER:
            connection.send(error_frame("not_seated", id=request.id), is_answer=True)
            return
        known = self._answers.get((connection.user_id, request.id))
        if known is not None:
            self._repeat(connection, request, known)
            return
        try:
            step = await self._commit(request)
        except Refusal as refusal:
            await self._refuse(connection, request, refusal)
        except AlreadyAnswered:
            await self._refuse(connection, request, Refusal("id_conflict"))
        except StoreError:
            log.exception("room %s: not committed", self.state.id)
            connection.send(error_frame("internal", id=request.id), is_answer=True)
        else:
            self._publish(step, answered=connection)

    def _repeat(self, connection: Connection, request: cmd.Request, known: AnswerRecord) -> None:
        if known.digest == request.digest:
            frame = ack_frame(request.id, known.seq, dup=True)
        else:
            frame = error_frame("id_conflict", id=request.id)
        connection.send(frame, is_answer=True)

    async def _refuse(self, connection: Connection, request: cmd.Request, refusal: Refusal) -> None:
        """Before an id is called stale, look whether it was answered in an earlier life of this room."""
        if refusal.code in ("stale", "id_conflict"):
            known = await self._sources.store.answer(self.state.id, connection.user_id, request.id)
            if known is not None:
                self._repeat(connection, request, known)
                return
        frame = error_frame(
            refusal.code, id=request.id, dp=refusal.dp, seq=self.state.seq, penalty=refusal.penalty
        )
        connection.send(frame, is_answer=True)

    # --- connections --------------------------------------------------------------------------------------

    async def _attach(self, connection: Connection, resume: Resume | None) -> None:
        """Newest connection wins the seat. Source: PROTOCOL §3.7, §3.8."""
        seat = self.state.seat_of(connection.user_id)
        if connection.reader != WATCHER:
            if seat is None:
                connection.close(CloseCode.REMOVED)
                return
            connection.reader = seat
            for older in self._readers_of(seat):
                self._connections.remove(older)
                older.close(CloseCode.REPLACED)
        self._numbers += 1
        connection.number = self._numbers
        self._welcome(connection)
        if connection.reader != WATCHER:
            await self._step(cmd.GoOnline(connection.reader))
        self._connections.append(connection)
        if not self._resume(connection, resume):
            self._snapshot(connection)
        else:
            self._send_ask(connection)

    async def _detach(self, connection: Connection) -> None:
        if connection not in self._connections:
            return  # replaced or removed already: its clean-up touches nobody
        self._connections.remove(connection)
        if connection.reader != WATCHER and self.state.seats[connection.reader] is not None:
            await self._step(cmd.GoOffline(connection.reader))

    def _drop_unseated(self, step: Transition) -> None:
        """Close the connections of seats that were freed: 1000 for who left himself, else 4410."""
        left = {
            event.data["seat"]: event.data["reason"] for event in step.events if event.kind == "seat_left"
        }
        for connection in list(self._connections):
            if connection.reader in left and self.state.seat_of(connection.user_id) is None:
                by_himself = left[connection.reader] in ("left", "escaped")
                self._connections.remove(connection)
                connection.close(CloseCode.END if by_himself else CloseCode.REMOVED)

    def _readers_of(self, seat: int) -> list[Connection]:
        return [connection for connection in self._connections if connection.reader == seat]

    def _shut(self, code: CloseCode) -> None:
        if self._timer is not None:
            self._timer.cancel()
        for connection in self._connections:
            connection.close(code)
        self._connections.clear()
        while not self._inbox.empty():
            message = self._inbox.get_nowait()
            if isinstance(message, _Attach):
                message.connection.close(code)
            elif isinstance(message, _Told) and not message.done.done():
                message.done.set_exception(RoomClosed())

    # --- what a connection is sent ------------------------------------------------------------------------

    def _welcome(self, connection: Connection) -> None:
        is_watcher = connection.reader == WATCHER
        connection.send(
            encode(
                "welcome",
                {
                    "user": {"id": connection.user_id, "name": connection.name},
                    "room": self.state.id,
                    "seat": None if is_watcher else connection.reader,
                    "conn": connection.number,
                    "proto": PROTOCOL,
                    "server_ms": self._sources.clock.now_ms(),
                    "mode": "watch" if is_watcher else "play",
                },
            )
        )

    def _snapshot(self, connection: Connection) -> None:
        connection.caught_up()
        play = self.state.play
        snap = {
            "seq": self.state.seq,
            "round": None if play is None else play.record.id,
            "view": room_view(self.state, connection.reader),
        }
        connection.send(encode("snap", snap))
        connection.asked_dp = 0
        self._send_ask(connection)

    def _resume(self, connection: Connection, resume: Resume | None) -> bool:
        """Send the events missed since ``resume``; False when it is not inside the current round."""
        play = self.state.play
        if resume is None or play is None or resume.round != play.record.id or not self._log:
            return False
        if not self._log[0].seq <= resume.seq <= self.state.seq:
            return False
        self._send_events(connection, [event for event in self._log if event.seq > resume.seq])
        return True

    def _send_events(self, connection: Connection, events: Sequence[EventRecord]) -> None:
        """The choke point: every event on its way to a socket is redacted for its reader here."""
        play = self.state.play
        sees = play.state.sees[connection.reader] if play is not None else (False, False)
        for event in events:
            connection.send(event_frame(event, sees))

    def _send_ask(self, connection: Connection) -> None:
        if connection.reader == WATCHER or connection.is_lagging:
            return
        sitting = self.state.seats[connection.reader]
        decision = None if sitting is None else sitting.decision
        if decision is not None and decision.dp > connection.asked_dp:
            connection.asked_dp = decision.dp
            connection.send(ask_frame(connection.reader, decision))


class RoomClosed(RoomError):
    """The room ended before the command came to its turn."""

    code = "no_such_room"
