"""uvicorn's HTTP protocol with an end for requests that never come to theirs. Source: docs/SECURITY.md.

uvicorn bounds the pause between two requests of a connection. It waits for ever for the first one, for the
rest of a header, and for the rest of a body; a few thousand such connections would be all it can hold.
"""

from __future__ import annotations

import asyncio
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

REQUEST_SECONDS = 15.0  # for a whole request, from its first byte, or from the connection's beginning


class BoundedHttp(H11Protocol):
    """Lets go of a peer that takes too long to say what it wants."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._giving_up: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn has it
        super().connection_made(transport)
        self._look()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._look()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._look()

    def connection_lost(self, exc: Exception | None) -> None:
        self._go_on()
        super().connection_lost(exc)

    def _look(self) -> None:
        """Whether the rest of a request is being waited for: then its time runs."""
        theirs = self.conn.their_state
        has_begun = self.cycle is None or bool(self.conn.trailing_data[0])
        is_owed = theirs is h11.SEND_BODY or (theirs is h11.IDLE and has_begun)
        is_ours = self.transport.get_protocol() is self  # else it is a WebSocket by now
        if not (is_owed and is_ours) or self.transport.is_closing():
            self._go_on()
        elif self._giving_up is None:
            self._giving_up = self.loop.call_later(REQUEST_SECONDS, self.transport.abort)

    def _go_on(self) -> None:
        if self._giving_up is not None:
            self._giving_up.cancel()
            self._giving_up = None
