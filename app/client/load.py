"""Load on a running server: rooms of two real clients each, playing as fast as they are asked.

What is measured: from sending an action to its ``ack``, and to the moment both seats have the events it led
to. Source: PROTOCOL §1 (`loadtest`).
"""

from __future__ import annotations

import asyncio
import json
import random
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from http.client import HTTPException
from typing import Any
from urllib.request import Request, urlopen

from app.client.table import TableClient

REFUSALS = ("keep_closed", "no_double", "pass")  # how often rounds are short is not what is measured


@dataclass
class Measured:
    """Samples in milliseconds, and what went wrong, by name."""

    acks: list[float] = field(default_factory=list)
    both: list[float] = field(default_factory=list)
    errors: Counter[str] = field(default_factory=Counter)


class Api:
    """The few HTTP calls a client needs, as a guest of its own."""

    def __init__(self, url: str, name: str) -> None:
        self._url = url
        self._headers = {"content-type": "application/json"}
        signed_in = self.post("/api/guest", name=name)
        self.user_id: str = signed_in["user"]["id"]
        self._headers["authorization"] = f"Bearer {signed_in['token']}"

    def post(self, path: str, **body: Any) -> dict[str, Any]:
        """Post a JSON body; the JSON answer.

        Raises:
            OSError: the server refused, or is not there, or went away before it had said all.
        """
        request = Request(self._url + path, json.dumps(body).encode(), self._headers, method="POST")  # noqa: S310 - who runs it names the server
        try:
            with urlopen(request, timeout=30) as answer:  # noqa: S310 - likewise
                found: dict[str, Any] = json.load(answer)
        except (HTTPException, ValueError) as gone:  # cut off in its head an answer seems whole
            raise ConnectionResetError(str(gone)) from gone
        return found


class LoadedRoom:
    """One room and its two players."""

    def __init__(self, url: str, tier: str, number: int, measured: Measured) -> None:
        self._url = url
        self._tier = tier
        self._number = number
        self._measured = measured
        self._sent: dict[int, float] = {}  # event number an action led to → when it was sent
        self._rng = random.Random(number)  # noqa: S311 - reproducible, not secret

    async def play(self, until: float) -> None:
        """Play until ``until`` (seconds of the steady clock); a failure is counted, not raised."""
        try:
            host, guest = [await asyncio.to_thread(Api, self._url, f"l{self._number}{side}") for side in "ab"]
            room = await asyncio.to_thread(host.post, "/api/rooms", tier=self._tier, private=True)
            path = f"/api/rooms/{room['room_id']}/join"
            await asyncio.to_thread(guest.post, path, invite=room["invite"])
            tables = [await self._table(api, room["room_id"]) for api in (host, guest)]
            async with tables[0], tables[1]:
                await asyncio.gather(*(self._sit(table, until) for table in tables))
        except Exception as error:
            self._measured.errors[type(error).__name__] += 1

    async def _table(self, api: Api, room_id: str) -> TableClient:
        body = await asyncio.to_thread(api.post, "/api/ws-tickets", room_id=room_id, purpose="play")
        url = f"{self._url.replace('http', 'ws', 1)}/ws/rooms/{room_id}"
        return TableClient(url, body["ticket"], folds=False)

    async def _sit(self, table: TableClient, until: float) -> None:
        while (left := until - time.monotonic()) > 0:
            if table.question is not None:
                await self._act(table)
                continue
            try:
                async with asyncio.timeout(left):
                    await table.receive()
            except TimeoutError:
                return
            self._notice(table)

    async def _act(self, table: TableClient) -> None:
        assert table.question is not None
        question = table.question
        started = time.perf_counter()
        answer = await table.act(self._choose(question["opts"]))
        self._measured.acks.append((time.perf_counter() - started) * 1_000)
        if answer["m"] == "err":
            self._measured.errors[answer["code"]] += 1
        else:
            self._sent[answer["seq"]] = started
        table.events.clear()

    def _choose(self, options: Sequence[dict[str, Any]]) -> str:
        refusals = [option for option in options if option["kind"] in REFUSALS]
        return str(self._rng.choice(refusals or options)["o"])

    def _notice(self, table: TableClient) -> None:
        """The other side of an action: the second seat has its events too."""
        sent = self._sent.pop(table.seq, None)
        if sent is not None:
            self._measured.both.append((time.perf_counter() - sent) * 1_000)


async def load(url: str, tier: str, rooms: int, seconds: float) -> Measured:
    """Play ``rooms`` rooms at once for ``seconds``."""
    measured = Measured()
    until = time.monotonic() + seconds
    await asyncio.gather(*(LoadedRoom(url, tier, number, measured).play(until) for number in range(rooms)))
    return measured


def quantile(samples: Sequence[float], share: float) -> float | None:
    """The sample below which this share of them lies, rounded to microseconds; None without samples."""
    if not samples:
        return None
    return round(sorted(samples)[min(len(samples) - 1, int(share * len(samples)))], 3)
