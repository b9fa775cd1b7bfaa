"""A running room: one inbox, one task. Everything that changes the room passes through here in order.

Take a command, work it out (pure), commit, and only then let anybody see it: the answer, the events, the
questions, the timer. After a commit that fails nobody knows what the store holds: the room looks, and goes on
from there. Source: PROTOCOL §3.1, §3.3, §3.5, §3.12.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress

from app.engine.views import WATCHER
from app.rooms import commands as cmd
from app.rooms.alarm import Alarm
from app.rooms.answers import Answers
from app.rooms.audience import Audience, Resume
from app.rooms.commits import Commits, Sources
from app.rooms.connection import CloseCode, Connection
from app.rooms.errors import RoomError
from app.rooms.frames import ack_frame, error_frame
from app.rooms.inbox import Attach, Detach, Inbox, Message, Requested, ShutOut, Sync, Told
from app.rooms.model import RoomState
from app.rooms.ports import AlreadyAnswered, EventRecord, StoreError, reason_of
from app.rooms.steps import NotYet, Refusal, next_due_ms
from app.rooms.stopping import RETRY_AFTER_MS, Stops
from app.rooms.transition import Transition

log = logging.getLogger(__name__)


class Room:
    """The runtime of one room. ``on_change(before, after)`` hears every committed change, and after every
    doubt how the room stands, changed or not.

    For a room that is rebuilt: ``events`` are those of the current round so far, ``first`` is done before
    anything else.
    """

    def __init__(
        self,
        state: RoomState,
        sources: Sources,
        stops: Stops,
        on_change: Callable[[RoomState, RoomState], None],
        events: Sequence[EventRecord] = (),
        first: cmd.Reopen | None = None,
    ) -> None:
        self.state = state
        self._first = first
        self._sure_after_ms = 0  # not to be tried before: how the room stands could not be made sure of
        self._sources = sources
        self._stops = stops
        self._on_change = on_change
        self._inbox = Inbox(sources.clock)
        self._audience = Audience(state, events)
        self._answers = Answers(state.id, sources.store)
        self._commits = Commits(sources, stops)
        self._alarm = Alarm(sources.clock, lambda: self._inbox.put(cmd.Tick()))
        if first is not None:
            self._inbox.put(cmd.Tick())
        self._task = asyncio.create_task(self._run(), name=f"room {state.id}")

    # --- the door: everything enters the inbox, nothing waits for the room --------------------------------

    def connection(
        self, user_id: str, name: str, *, watch: bool, lag_ms: Callable[[], int] = lambda: 0
    ) -> Connection:
        """A connection of this user, to be attached; who comes to play gets his own seat then."""
        return Connection(user_id, name, WATCHER if watch else 0, on_drained=self.sync, lag_ms=lag_ms)

    def attach(self, connection: Connection, resume: Resume | None) -> None:
        self._inbox.put(Attach(connection, resume))

    def detach(self, connection: Connection) -> None:
        self._inbox.put(Detach(connection))

    def sync(self, connection: Connection) -> None:
        self._inbox.put(Sync(connection))

    def ask(self, connection: Connection, request: cmd.Request) -> None:
        self._inbox.put(Requested(connection, request))

    def say(self, connection: Connection, words: Mapping[str, str]) -> None:
        """Pass a phrase or a text on to everybody; it is part of no log."""
        if connection in self._audience and connection.reader != WATCHER:
            self._audience.say(connection.reader, words)

    @property
    def watchers(self) -> int:
        """Connections that only watch."""
        return len(self._audience.readers_of(WATCHER))

    @property
    def shown(self) -> RoomState:
        """The room as watchers have it: in a round some events behind."""
        return self._audience.shown

    @property
    def is_in_doubt(self) -> bool:
        """Whether more may be stored than ``state`` tells: the room looks until it knows."""
        return self._commits.in_doubt

    def shut_out(self, user_id: str) -> None:
        """Close the user's connections, those that have just come as soon as they are here."""
        self._audience.shut_out(user_id)
        self._inbox.put(ShutOut(user_id))

    async def tell(self, command: cmd.Command) -> RoomState:
        """Carry out a command of the server's own.

        Raises:
            RoomError: the room refuses.
            StoreError: it could not be made durable, or may be all the same: the room finds out.
        """
        done: asyncio.Future[RoomState] = asyncio.get_running_loop().create_future()
        self._inbox.put(Told(command, done))
        return await done

    async def idle(self) -> None:
        """Until everything that has entered the inbox so far has been dealt with."""
        await self._inbox.idle()

    async def stop(self, code: CloseCode) -> None:
        """End the task and close every connection; what is committed stays."""
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)
        self._shut(code)

    # --- the task -----------------------------------------------------------------------------------------

    async def _run(self) -> None:
        """Until the room has ended. Whatever kills the task, nobody is left waiting here."""
        try:
            await self._serve()
        except (Exception, asyncio.CancelledError):
            if self._task.cancelling():
                raise  # :meth:`stop` does the rest
            log.exception("room %s: the task has died", self.state.id)
            await self._stop_for_good()
        self._shut(CloseCode.END)

    async def _serve(self) -> None:
        self._set_alarm()
        while not self.state.is_closed:
            message = await self._inbox.next()
            try:
                await self._take(message)
                self._set_alarm()
            except (Exception, asyncio.CancelledError):
                self._inbox.put(message)  # to be turned away with the rest
                raise
            finally:
                self._inbox.done()

    async def _take(self, message: Message) -> None:
        try:
            if not isinstance(message, ShutOut):  # which needs no database
                await self._make_sure()
        except StoreError as error:
            self._put_off(message, error)
            return
        if self.state.is_closed:
            self._inbox.put(message)  # to be turned away with the rest
            return
        try:
            await self._handle(message)
        except StoreError as error:
            log.error("room %s: not committed: %s", self.state.id, reason_of(error))
            self._put_off(message, error)  # first: to make sure may take as long again
            with suppress(StoreError):  # else it is tried again soon
                await self._make_sure()
        except Exception:
            log.exception("room %s: a step failed", self.state.id)
            await self._fault(message)

    async def _handle(self, message: Message) -> None:
        match message:
            case Requested():
                await self._answer(message.connection, message.request)
            case cmd.Tick():
                await self._step(message)
            case Attach():
                await self._attach(message.connection, message.resume)
            case Detach():
                await self._detach(message.connection)
            case Sync():
                if message.connection in self._audience:
                    self._audience.snapshot(message.connection, self.state)
            case ShutOut():
                self._audience.shut_out(message.user_id)
            case Told():
                await self._carry_out(message)

    async def _carry_out(self, told: Told) -> None:
        try:
            await self._step(told.command)
        except RoomError as refusal:
            if not told.done.cancelled():
                told.done.set_exception(refusal)
        else:
            if not told.done.cancelled():
                told.done.set_result(self.state)

    def _put_off(self, message: Message, error: StoreError) -> None:
        """Who asked is told that it failed; what happens by itself is tried again later."""
        retry_ms = self._sources.clock.now_ms() + RETRY_AFTER_MS
        self._inbox.put_off(message, error, retry_ms)
        if isinstance(message, cmd.Tick):
            self._alarm.silence(retry_ms)

    async def _fault(self, message: Message) -> None:
        """A broken invariant: whoever asked is told, and the round, running or proposed, is given up rather
        than left standing. A room that cannot even do that is given up itself.
        """
        self._put_off(message, StoreError("the room failed"))
        # whoever asked: what is due by itself may fail the same way
        self._alarm.silence(self._sources.clock.now_ms() + RETRY_AFTER_MS)
        try:
            await self._make_sure()
            await self._step(cmd.GiveUpRound("fault"))
        except Exception as fault:
            log.exception("room %s: the round could not be given up", self.state.id)
            if not (isinstance(fault, StoreError) or self.is_in_doubt):
                raise

    async def _make_sure(self) -> None:
        """Stand as the store does after a failed commit, and on the clocks of this start.

        Raises:
            StoreError: that cannot be had now. Until it is tried again, a second later, nobody else waits for
                a database that may say nothing for long.
        """
        if self._is_sure:
            return
        # a clock that is put back meanwhile must not make it a long moment
        if 0 < self._sure_after_ms - self._sources.clock.now_ms() <= RETRY_AFTER_MS:
            raise StoreError("it was tried a moment ago")
        try:
            await self._look_again()
            if self._first is not None and not self.state.is_closed:
                await self._step(self._first)
            self._first = None
            await self._meet_presence()
        except StoreError as error:
            if not self._sure_after_ms:
                log.error("room %s: how it stands cannot be told: %s", self.state.id, reason_of(error))
            self._sure_after_ms = self._sources.clock.now_ms() + RETRY_AFTER_MS
            raise
        if self._sure_after_ms:
            log.warning("room %s: how it stands is known again", self.state.id)
            self._sure_after_ms = 0

    async def _meet_presence(self) -> None:
        """Who is here is who is connected: a step that said so may have been lost, or stored for nobody."""
        for seat in self.state.people:
            is_here = bool(self._audience.readers_of(seat))
            if self.state.seats[seat] is not None and self.state.at(seat).is_online != is_here:
                await self._step(cmd.GoOnline(seat) if is_here else cmd.GoOffline(seat))

    @property
    def _is_sure(self) -> bool:
        return not self.is_in_doubt and self._first is None

    async def _look_again(self) -> None:
        """Go on from what is stored, and show it if it was written after all. A room that nobody sits in then
        goes.

        Raises:
            StoreError: it cannot be read.
        """
        if not self.is_in_doubt:
            return
        before = self.state
        self.state, missed = await self._commits.stored(before)
        if before != self.state:
            self._audience.catch_up(self.state, missed)
        self._on_change(before, self.state)
        if not (self.state.is_closed or self.state.people):
            await self._step(cmd.CloseRoom("empty"))

    async def _stop_for_good(self) -> None:
        """Its players are free when they are in the store, too."""
        before, self.state = self.state, self.state.ended()
        self._shut(CloseCode.END)
        await self._stops.stop_at_last(before.id)
        self._on_change(before, self.state)

    # --- one step -----------------------------------------------------------------------------------------

    async def _step(self, command: cmd.Command) -> None:
        step = await self._commit(command)
        self._publish(step)

    async def _commit(self, command: cmd.Command) -> Transition:
        lags_ms = (self._audience.lag_ms(0), self._audience.lag_ms(1))
        return await self._commits.commit(self.state, command, lags_ms)

    def _publish(self, step: Transition, answered: Connection | None = None) -> None:
        """The step is durable: make it the room's state and let everybody see it."""
        before, self.state = self.state, step.room
        for answer in step.answers:
            self._answers.keep(answer)
            if answered is not None:
                answered.send(ack_frame(answer.action_id, answer.seq, dup=False), is_answer=True)
        self._audience.publish(self.state, step.events)
        if before != self.state:
            self._audience.drop_unseated(self.state, step.events)
            self._on_change(before, self.state)

    def _set_alarm(self) -> None:
        """For whatever is due next, or to make sure; it enters the inbox like everything else."""
        if not self._is_sure:
            self._alarm.set_for(self._sources.clock.now_ms() + RETRY_AFTER_MS)
        else:
            self._alarm.set_for(None if self.state.is_closed else next_due_ms(self.state))

    # --- requests -----------------------------------------------------------------------------------------

    async def _answer(self, connection: Connection, request: cmd.Request) -> None:
        """Exactly one answer per action id. Source: PROTOCOL §3.3."""
        if connection not in self._audience or connection.reader == WATCHER:
            connection.send(error_frame("not_seated", id=request.id), is_answer=True)
            return
        if self._answers.repeat(connection, request):
            return
        try:
            step = await self._commit(cmd.Asked(connection.reader, request))
        except Refusal as refusal:
            await self._refuse(connection, request, refusal)
        except NotYet as not_yet:
            again = Requested(connection, request)
            self._sources.clock.call_at(not_yet.at_ms, lambda: self._inbox.put(again))
        except AlreadyAnswered:
            await self._make_sure()  # by a commit we do not know of?
            await self._refuse(connection, request, Refusal("id_conflict"))
        else:
            self._publish(step, answered=connection)

    async def _refuse(self, connection: Connection, request: cmd.Request, refusal: Refusal) -> None:
        """Before an id is called stale, look whether it was answered in an earlier life of this room."""
        may_be_known = refusal.code in ("stale", "id_conflict")
        if may_be_known and await self._answers.find_and_repeat(connection, request):
            return
        frame = error_frame(
            refusal.code, id=request.id, dp=refusal.dp, seq=self.state.seq, penalty=refusal.penalty
        )
        connection.send(frame, is_answer=True)

    # --- connections --------------------------------------------------------------------------------------

    async def _attach(self, connection: Connection, resume: Resume | None) -> None:
        if connection.reader != WATCHER:
            seat = self.state.seat_of(connection.user_id)
            if seat is None:
                connection.close(CloseCode.REMOVED)
                return
            connection.reader = seat
        self._audience.welcome(connection, self.state, self._sources.clock.now_ms())
        if connection.reader != WATCHER:
            await self._step(cmd.GoOnline(connection.reader))
        self._audience.admit(connection, self.state, resume)

    async def _detach(self, connection: Connection) -> None:
        """A connection that was replaced or dropped is gone already: its clean-up touches nobody."""
        if not self._audience.remove(connection) and not connection.is_leaving:
            return
        connection.is_leaving = True
        seat = connection.reader
        sits_there = self.state.seat_of(connection.user_id) == seat
        if sits_there and not self._audience.readers_of(seat):
            await self._step(cmd.GoOffline(seat))
        connection.is_leaving = False

    def _shut(self, code: CloseCode) -> None:
        self._alarm.end()
        self._audience.close(code)
        self._inbox.shut(code)
