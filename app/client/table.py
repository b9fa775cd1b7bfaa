"""A seat at a table, over a real socket: what the room says, folded into a view, and a way to answer."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Origin, Subprotocol

from app.client.view import View, apply_event

PROTOCOL = Subprotocol("erma.v1")


class OutOfOrder(Exception):
    """The server skipped or repeated an event number."""


class TableClient:
    """One connection to one room.

    ``view`` is what this reader sees (left as it came without ``folds``), ``seq`` the last event applied,
    ``question`` the open ``ask`` or None, ``events`` every event received, ``answers`` each ``ack`` and
    ``err`` by action id.

    >>> async def play(url: str, ticket: str) -> None:
    ...     async with TableClient(url, ticket) as table:
    ...         await table.until(lambda: table.question is not None)
    ...         await table.act(table.question["opts"][0]["o"])
    """

    def __init__(
        self,
        url: str,
        ticket: str,
        *,
        resume: Mapping[str, Any] | None = None,
        origin: str | None = None,
        folds: bool = True,
    ) -> None:
        self._url = url
        self._hello: dict[str, Any] = {"m": "hello", "ticket": ticket}
        if resume is not None:
            self._hello["resume"] = dict(resume)
        self._origin = origin
        self._folds = folds
        self._socket: ClientConnection | None = None
        self._numbers = 0
        self.welcome: dict[str, Any] | None = None
        self.view: View | None = None
        self.seq = 0
        self.question: dict[str, Any] | None = None
        self.events: list[dict[str, Any]] = []
        self.answers: dict[str, dict[str, Any]] = {}

    async def __aenter__(self) -> TableClient:
        self._socket = await connect(
            self._url,
            subprotocols=[PROTOCOL],
            compression=None,
            origin=None if self._origin is None else Origin(self._origin),
        )
        await self.send(self._hello)
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.socket.close()

    @property
    def socket(self) -> ClientConnection:
        assert self._socket is not None, "not connected"
        return self._socket

    async def send(self, frame: Mapping[str, Any]) -> None:
        await self.socket.send(json.dumps(frame))

    async def receive(self) -> dict[str, Any]:
        """The next frame, already applied.

        Raises:
            websockets.ConnectionClosed: the room closed the connection.
            OutOfOrder: an event number is not the next one.
        """
        frame: dict[str, Any] = json.loads(await self.socket.recv())
        self._apply(frame)
        return frame

    async def until(self, is_done: Callable[[], bool], seconds: float = 10.0) -> None:
        """Receive until the condition holds.

        Raises:
            TimeoutError: it did not in time.
        """
        async with asyncio.timeout(seconds):
            while not is_done():
                await self.receive()

    async def until_closed(self, seconds: float = 10.0) -> int | None:
        """Receive until the server closes; its close code.

        Raises:
            TimeoutError: it did not in time.
        """
        async with asyncio.timeout(seconds):
            while True:
                try:
                    await self.receive()
                except ConnectionClosed as closed:
                    return closed.rcvd.code if closed.rcvd else None

    async def act(
        self, o: str, *, entropy: str | None = None, action_id: str | None = None
    ) -> dict[str, Any]:
        """Answer the open question with option ``o`` and wait for the answer to that."""
        assert self.question is not None, "nothing is asked"
        frame: dict[str, Any] = {"m": "act", "dp": self.question["dp"], "o": o}
        if entropy is not None:
            frame["entropy"] = entropy
        return await self.request(frame, action_id)

    async def request(self, frame: Mapping[str, Any], action_id: str | None = None) -> dict[str, Any]:
        """Send a request under an id of its own and wait for its ``ack`` or ``err``."""
        self._numbers += 1
        conn = (self.welcome or {}).get("conn", 0)
        unique = action_id or f"{conn}-{self._numbers}-{id(self):x}"
        self.answers.pop(unique, None)
        await self.send({**frame, "id": unique})
        await self.until(lambda: unique in self.answers)
        return self.answers[unique]

    def _apply(self, frame: dict[str, Any]) -> None:
        match frame["m"]:
            case "welcome":
                self.welcome = frame
            case "snap":
                self.view, self.seq, self.question = frame["view"], frame["seq"], None
            case "ev":
                self._apply_event(frame)
            case "ask":
                self.question = frame
            case "ack" | "err" if "id" in frame:
                self.answers[frame["id"]] = frame
                if frame["m"] == "ack" and not frame["dup"]:
                    self._close_question()

    def _apply_event(self, frame: dict[str, Any]) -> None:
        if frame["seq"] != self.seq + 1:
            raise OutOfOrder(f"{frame['seq']} after {self.seq}")
        self.seq = frame["seq"]
        self.events.append(frame)
        if self.view is not None and self._folds:
            self.view = apply_event(self.view, frame["k"], frame["d"])
        if frame["k"] in _OVERTAKING:
            self._close_question()

    def _close_question(self) -> None:
        self.question = None


# Events after which an open question no longer stands; a new ``ask`` follows where there is one.
_OVERTAKING = frozenset(
    {"offer_closed", "discarded", "drawn", "won", "exhausted", "forfeited", "voided"}
    | {"seat_left", "round_started"}
)
