"""The WebSocket endpoint: from a socket to a room's inbox and back. Source: PROTOCOL §3.

Nothing is decided here. Frames are measured, counted and read; what is left goes into the room's inbox, and
what the room queued for this connection is written out.
"""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from typing import cast

from fastapi import APIRouter, WebSocket, WebSocketDisconnect
from fastapi.responses import Response
from starlette.websockets import WebSocketState

from app.api import frames
from app.api.addresses import household
from app.api.bounded import ROUND_TRIPS, RoundTrips
from app.api.chat import Unsayable, words_of
from app.api.deps import House, host_of
from app.api.frames import MAX_FRAME_BYTES, FrameError, read_frame
from app.api.origins import is_own_origin
from app.api.rate import TokenBucket
from app.api.tickets import Purpose, Ticket
from app.rooms import commands as cmd
from app.rooms.audience import Resume
from app.rooms.connection import CloseCode, Closing, Connection
from app.rooms.frames import PROTOCOL, encode, error_frame
from app.rooms.room import Room

CLOSE_SECONDS = 5.0  # how long a peer may take to hear that it is over

router = APIRouter()


class _Ended(Exception):
    """The conversation is over; close with this code."""

    def __init__(self, code: CloseCode) -> None:
        super().__init__(code)
        self.code = code


@router.websocket("/ws/rooms/{room_id}")
async def play_socket(websocket: WebSocket, room_id: str) -> None:
    """One reader of one room, from ``hello`` to its close code."""
    house = cast(House, websocket.app.state.house)
    address = household(host_of(websocket))
    headers = websocket.headers
    if not is_own_origin(headers.get("origin"), headers.get("host"), house.policy.origins):
        await websocket.close()  # before accept: HTTP 403
        return
    if not house.sockets.addresses.take(address):
        await websocket.send_denial_response(Response(status_code=429))
        return
    try:
        offered = websocket.scope.get("subprotocols", [])
        await websocket.accept(subprotocol=PROTOCOL if PROTOCOL in offered else None)
        if PROTOCOL not in offered:
            raise _Ended(CloseCode.PROTOCOL)
        await _Conversation(websocket, house, room_id).run()
    except _Ended as end:
        await _close(websocket, end.code)
    except WebSocketDisconnect:
        pass
    finally:
        house.sockets.addresses.give_back(address)


class _Conversation:
    """One accepted socket."""

    def __init__(self, websocket: WebSocket, house: House, room_id: str) -> None:
        self._websocket = websocket
        self._house = house
        self._room_id = room_id
        self._limits = limits = house.sockets.limits
        self._rate = TokenBucket(limits.frames_per_second, limits.frames_burst, time.monotonic)
        self._phrase_rate = TokenBucket(1 / limits.seconds_between_phrases, 1, time.monotonic)
        self._bad_in_a_row = 0
        self._refused_in_a_row = 0

    async def run(self) -> None:
        hello = await self._hello()
        ticket = self._house.tickets.redeem(hello.ticket, self._room_id)
        if ticket is None:
            raise _Ended(CloseCode.TICKET)
        room = self._house.rooms.find(self._room_id)
        if room is None:
            raise _Ended(CloseCode.NO_ROOM)
        users = self._house.sockets.users
        if not users.take(ticket.user_id):
            raise _Ended(CloseCode.RATE)
        try:
            connection = self._connection(room, ticket)
            self._house.sockets.opened(connection, ticket.session)
            if ticket.purpose is Purpose.PLAY:
                self._house.whereabouts.note(ticket.user_id, host_of(self._websocket))
            try:
                await self._converse(room, connection, hello.resume)
            finally:
                self._house.sockets.closed(connection)
        finally:
            users.give_back(ticket.user_id)

    def _connection(self, room: Room, ticket: Ticket) -> Connection:
        """A connection to attach. Whoever comes to play must sit there already, and only some rooms may be
        watched."""
        watches = ticket.purpose is Purpose.WATCH
        if not watches and room.state.seat_of(ticket.user_id) is None:
            raise _Ended(CloseCode.FORBIDDEN)
        if watches and room.watchers >= self._limits.watchers_per_room:
            raise _Ended(CloseCode.OVERLOAD)
        round_trips: RoundTrips = self._websocket.scope.get("state", {}).get(ROUND_TRIPS) or RoundTrips()
        return room.connection(ticket.user_id, ticket.user_name, watch=watches, lag_ms=round_trips.median_ms)

    async def _hello(self) -> frames.Hello:
        try:
            async with asyncio.timeout(self._limits.hello_seconds):
                frame = read_frame(await self._receive())
        except TimeoutError:
            raise _Ended(CloseCode.TICKET) from None
        except FrameError:
            raise _Ended(CloseCode.BAD_FRAMES) from None
        if not isinstance(frame, frames.Hello):
            raise _Ended(CloseCode.BAD_FRAMES)
        return frame

    async def _converse(self, room: Room, connection: Connection, resume: frames.ResumeFrom | None) -> None:
        room.attach(connection, None if resume is None else Resume(resume.round, resume.seq))
        reader = asyncio.create_task(self._read(room, connection))
        try:
            await self._write(connection)
        finally:
            room.detach(connection)
            reader.cancel()
            with suppress(asyncio.CancelledError):
                await reader

    async def _read(self, room: Room, connection: Connection) -> None:
        """Take what comes until it is over; the writer, who always has an end, then ends the conversation."""
        try:
            while not connection.is_closing:
                frame = await self._receive()
                if not connection.is_closing:
                    self._take(room, connection, frame)
        except _Ended as end:
            connection.close(end.code)
        except WebSocketDisconnect:
            pass
        finally:
            connection.close(CloseCode.END)

    async def _receive(self) -> str | bytes:
        """The next frame; a binary one is no JSON text, whatever is in it."""
        message = await self._websocket.receive()
        if message["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(message.get("code", CloseCode.END))
        text = message.get("text")
        if text is None:
            return b""
        if len(text.encode("utf-8", "surrogatepass")) > MAX_FRAME_BYTES:
            raise _Ended(CloseCode.TOO_BIG)
        return cast(str, text)

    def _take(self, room: Room, connection: Connection, raw: str | bytes) -> None:
        """Size, schema and rate, then the inbox. Source: PROTOCOL §3.12."""
        try:
            frame = read_frame(raw)
        except FrameError as fault:
            self._bad_in_a_row += 1
            connection.send(error_frame(fault.code, id=fault.action_id), is_answer=True)
            if self._bad_in_a_row >= self._limits.bad_frames_in_a_row:
                connection.close(CloseCode.BAD_FRAMES)
            return
        self._bad_in_a_row = 0
        if not self._rate.take():
            self._refused_in_a_row += 1
            connection.send(error_frame("rate_limited", id=getattr(frame, "id", None)), is_answer=True)
            if self._refused_in_a_row >= self._limits.refused_in_a_row:
                connection.close(CloseCode.RATE)
            return
        self._refused_in_a_row = 0
        self._dispatch(room, connection, frame)

    def _dispatch(self, room: Room, connection: Connection, frame: frames.ClientFrame) -> None:
        match frame:
            case frames.Act():
                room.ask(connection, cmd.Act(frame.id, frame.dp, frame.o, frame.entropy))
            case frames.Auto():
                room.ask(connection, cmd.SwitchAuto(frame.id, frame.on))
            case frames.Leave():
                room.ask(connection, cmd.Leave(frame.id, frame.force, frame.penalty_seen))
            case frames.Sync():
                room.sync(connection)
            case frames.Ping():
                pong = {"n": frame.n, "t": frame.t, "server_ms": self._house.now_ms()}
                connection.send(encode("pong", pong), is_answer=True)
            case frames.Say():
                self._say(room, connection, frame)
            case frames.Hello():
                connection.send(error_frame("bad_schema"), is_answer=True)

    def _say(self, room: Room, connection: Connection, say: frames.Say) -> None:
        try:
            words = words_of(say, self._house.policy.chat)
        except Unsayable:
            connection.send(error_frame("bad_schema"), is_answer=True)
            return
        if connection.user_id in self._house.sockets.muted:
            connection.send(error_frame("muted"), is_answer=True)
        elif self._phrase_rate.take():
            room.say(connection, words)
        else:
            connection.send(error_frame("rate_limited"), is_answer=True)

    async def _write(self, connection: Connection) -> None:
        """Write what the room queued; a reader that takes nothing for too long is dropped."""
        while True:
            item = await connection.next()
            if isinstance(item, Closing):
                await _close(self._websocket, item.code)
                return
            try:
                async with asyncio.timeout(self._limits.write_seconds):
                    await self._websocket.send_text(item.decode())
            except TimeoutError:
                connection.close(CloseCode.SLOW)
                await _close(self._websocket, CloseCode.SLOW)
                return
            except (WebSocketDisconnect, RuntimeError):
                return  # gone


async def _close(websocket: WebSocket, code: CloseCode) -> None:
    """Close if it is still open; a peer that has gone, or that reads nothing, must not hold us up."""
    if websocket.application_state is not WebSocketState.CONNECTED:
        return
    with suppress(WebSocketDisconnect, RuntimeError, TimeoutError):
        async with asyncio.timeout(CLOSE_SECONDS):
            await websocket.close(code)
