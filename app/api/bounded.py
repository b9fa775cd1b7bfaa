"""uvicorn's WebSocket protocol, with bounds where it has none, and the time its pings take. Source: PROTOCOL
§3.9, §3.10.

What never becomes a message – pings, fragments, whatever comes after a close – is answered or dropped below
the application, at any rate; a closed socket whose peer reads nothing stays until that peer goes, and so does
one whose handshake cannot be read. Here all three have an end.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable
from statistics import median
from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame
from websockets.http11 import Request

from app.api.rate import TokenBucket
from app.rooms.connection import CloseCode

SLICE_BYTES = 4_096  # what is parsed at once, before the frames in it are counted
UNREADABLE = b"HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
PINGS = 8  # the latest are what the network is judged by (RULES §12, the lag allowance)
ROUND_TRIPS = "round_trips"  # where the application finds them in a socket's scope state
STALLED_SECONDS = 15.0  # how long a peer may take nothing, or take to hear that it is over


class RoundTrips:
    """How long the last pings of a socket took."""

    def __init__(self) -> None:
        self._seconds: deque[float] = deque(maxlen=PINGS)
        self._median_ms = 0  # worked out when a ping is answered: it is asked for far more often

    def add(self, seconds: float) -> None:
        self._seconds.append(seconds)
        self._median_ms = round(median(self._seconds) * 1_000)

    def median_ms(self) -> int:
        """0 while no ping has been answered."""
        return self._median_ms


class BoundedSocket(WebSocketsSansIOProtocol):
    """Counts every frame of the wire, and lets go of a peer that does not read."""

    def __init__(self, *args: Any, frames_per_second: float, frames_burst: int, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._rate = TokenBucket(frames_per_second, frames_burst, time.monotonic)
        self._giving_up: asyncio.TimerHandle | None = None
        self._round_trips = RoundTrips()

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        if self.handshake_initiated and not self.close_sent:
            self.scope["state"][ROUND_TRIPS] = self._round_trips

    def start_keepalive(self) -> None:
        """The first ping goes at once: until it is answered the way is unknown."""
        self.send_keepalive_ping()

    def handle_pong(self, event: Frame) -> None:
        is_awaited = self.pending_ping_payload is not None
        super().handle_pong(event)
        if is_awaited and self.pending_ping_payload is None:
            self._round_trips.add(self.last_ping_rtt)

    def data_received(self, data: bytes) -> None:
        for start in range(0, len(data), SLICE_BYTES):
            if self.transport.is_closing():
                return
            super().data_received(data[start : start + SLICE_BYTES])
        if self.conn.handshake_exc is not None and not self.handshake_initiated:
            self.transport.write(UNREADABLE)
            self.transport.close()

    def handle_events(self) -> None:
        if self._rate.take(len(self.conn.events)):
            super().handle_events()
        elif self.handshake_complete and not self.close_sent:
            self.conn.fail(CloseCode.RATE)
            self.handle_parser_exception()
        else:
            self.transport.abort()

    def send_receive_event_to_app(self) -> None:
        if self.curr_msg_data_type == "text" and not _is_utf8(b"".join(self.frames)):
            self.frames = []
            self.conn.fail(CloseCode.NOT_UTF8)
            self.handle_parser_exception()
        else:
            super().send_receive_event_to_app()

    def pause_writing(self) -> None:
        super().pause_writing()
        self._give_up_later()

    def resume_writing(self) -> None:
        super().resume_writing()
        self._go_on()

    def keepalive_timeout(self) -> None:
        super().keepalive_timeout()
        self.transport.abort()  # closing would wait until everything is written

    def on_task_complete(self, task: asyncio.Task[None]) -> None:
        super().on_task_complete(task)
        if not self.disconnected:
            self._give_up_later()

    def connection_lost(self, exc: Exception | None) -> None:
        self._go_on()
        super().connection_lost(exc)

    def _give_up_later(self) -> None:
        self._go_on()
        self._giving_up = self.loop.call_later(STALLED_SECONDS, self.transport.abort)

    def _go_on(self) -> None:
        if self._giving_up is not None:
            self._giving_up.cancel()
            self._giving_up = None


def _is_utf8(text: bytes) -> bool:
    """Asked beforehand: uvicorn writes a traceback into the log for every text that is not."""
    try:
        text.decode()
    except UnicodeDecodeError:
        return False
    return True


def bounded_sockets(frames_per_second: float, frames_burst: int) -> Callable[..., asyncio.Protocol]:
    """The protocol for uvicorn; the bounds are on frames of any kind."""

    def protocol(*args: Any, **kwargs: Any) -> BoundedSocket:
        return BoundedSocket(*args, frames_per_second=frames_per_second, frames_burst=frames_burst, **kwargs)

    return protocol
