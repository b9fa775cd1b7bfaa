"""A room's inbox: what enters it, and what those are told whom the room cannot serve.

Source: PROTOCOL §3.5, §3.12.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TypeAlias

from app.rooms import commands as cmd
from app.rooms.audience import Resume
from app.rooms.connection import CloseCode, Connection
from app.rooms.errors import RoomError
from app.rooms.frames import error_frame
from app.rooms.model import RoomState
from app.rooms.ports import Clock, StoreError


@dataclass(frozen=True, slots=True)
class Attach:
    connection: Connection
    resume: Resume | None


@dataclass(frozen=True, slots=True)
class Detach:
    connection: Connection


@dataclass(frozen=True, slots=True)
class Sync:
    connection: Connection


@dataclass(frozen=True, slots=True)
class ShutOut:
    """Nobody of this user stays connected."""

    user_id: str


@dataclass(frozen=True, slots=True)
class Requested:
    """A client's request, answered on its connection."""

    connection: Connection
    request: cmd.Request


@dataclass(frozen=True, slots=True)
class Told:
    """A command from inside the server, answered through ``done``."""

    command: cmd.Command
    done: asyncio.Future[RoomState]


Message: TypeAlias = Attach | Detach | Sync | ShutOut | Requested | Told | cmd.Tick


class RoomClosed(RoomError):
    """The room ended before the command came to its turn."""

    code = "no_such_room"


def turn_away(message: Message, code: CloseCode) -> None:
    """The room has ended: whoever waits for it is told."""
    if isinstance(message, Attach):
        message.connection.close(code)
    elif isinstance(message, Told) and not message.done.done():
        message.done.set_exception(RoomClosed())


class Inbox:
    """What waits for a room, in order; once it is shut everything is turned away."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._queue: asyncio.Queue[Message] = asyncio.Queue()
        self._later: set[Message] = set()
        self._is_shut = False

    def put(self, message: Message) -> None:
        if self._is_shut:
            turn_away(message, CloseCode.END)
        else:
            self._queue.put_nowait(message)

    def put_at(self, at_ms: int, message: Message) -> None:
        """Put it in then, and once, however often it is asked for until then."""
        if message in self._later:
            return
        self._later.add(message)

        def put() -> None:
            self._later.discard(message)
            self.put(message)

        self._clock.call_at(at_ms, put)

    def put_off(self, message: Message, error: StoreError, until_ms: int) -> None:
        """It cannot be served before: who waits for an answer is told so, what nobody waits for comes again.
        Time itself needs no reminder.
        """
        match message:
            case Requested():
                message.connection.send(error_frame("internal", id=message.request.id), is_answer=True)
            case Attach():
                message.connection.close(CloseCode.OVERLOAD)
            case Told() if not message.done.done():
                message.done.set_exception(error)
            case Detach() | ShutOut():
                self.put_at(until_ms, message)
            case Sync() if not message.connection.is_closing:
                self.put_at(until_ms, message)

    async def next(self) -> Message:
        """The next message; :meth:`done` when it has been dealt with."""
        return await self._queue.get()

    def done(self) -> None:
        self._queue.task_done()

    async def idle(self) -> None:
        """Until everything put in so far has been dealt with."""
        await self._queue.join()

    def shut(self, code: CloseCode) -> None:
        self._is_shut = True
        while not self._queue.empty():
            turn_away(self._queue.get_nowait(), code)
            self._queue.task_done()
