"""A player who outlives the server: he reconnects, resumes, and sends again what was not answered.

Source: PROTOCOL §3.3, §3.7.
"""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any
from urllib.error import HTTPError

from websockets.exceptions import ConnectionClosed, WebSocketException

from app.chaos.journal import Acked, Journal
from app.client.load import Api
from app.client.table import TableClient

RETRY_SECONDS = 0.1
ANSWER_SECONDS = 30.0
PREFERRED = ("confirm", "win", "keep_closed", "no_double", "kong", "pung", "chow")
AVOIDED = ("ready", "discard_ready")  # a ready hand is played by the server: then it would act for the player


class Unseated(Exception):
    """The player has no seat in this room any more."""


@dataclass(frozen=True, slots=True)
class Act:
    """An answer on its way; ``round_id`` is None for a confirm, which is no action of a round."""

    frame: dict[str, Any]
    round_id: str | None


class CheckedTable(TableClient):
    """Compares every whole view with the one its own events have led to."""

    journal: Journal

    def _apply(self, frame: dict[str, Any]) -> None:
        if frame["m"] == "snap" and self.view is not None and frame["seq"] == self.seq:
            self.journal.counts["views_compared"] += 1
            if frame["view"] != self.view:
                self.journal.fault(f"at {self.seq} a view is not what its events led to")
        super()._apply(frame)


class Player:
    """A guest at his table, however often the server is started anew."""

    def __init__(self, api: Api, url: str, rng: Random, journal: Journal) -> None:
        self.api = api
        self.user_id = api.user_id
        self._url = url
        self._rng = rng
        self._journal = journal
        self._numbers = itertools.count(1)
        self._open: Act | None = None
        self._last: TableClient | None = None

    async def play(self, room_id: str, over: asyncio.Event) -> None:
        """Play until ``over`` and nothing is unanswered, or until the seat is lost."""
        while not (over.is_set() and self._open is None):
            try:
                async with await self._table(room_id) as table:
                    await self._converse(table, over)
                    return
            except Unseated:
                self._journal.counts["seats_lost"] += 1
                break
            except (OSError, WebSocketException, TimeoutError) as gone:
                if isinstance(gone, ConnectionClosed) and gone.rcvd is not None:
                    self._journal.counts[f"closed_{gone.rcvd.code}"] += 1
                self._journal.counts["reconnects"] += 1
                await asyncio.sleep(RETRY_SECONDS)
        if self._open is not None and self._open.round_id is not None:
            self._journal.open[self._open.round_id, self.user_id] = self._open.frame["o"]

    async def _table(self, room_id: str) -> CheckedTable:
        """A connection that goes on where the last one ended."""
        try:
            body = await asyncio.to_thread(self.api.post, "/api/ws-tickets", room_id=room_id, purpose="play")
        except HTTPError as refused:
            if refused.code in (403, 404):
                raise Unseated from refused
            raise
        last, resume = self._last, None
        if last is not None and last.view is not None and last.view["round"] is not None:
            resume = {"round": last.view["round"]["id"], "seq": last.seq}
        url = f"{self._url.replace('http', 'ws', 1)}/ws/rooms/{room_id}"
        table = CheckedTable(url, body["ticket"], resume=resume)
        table.journal = self._journal
        if last is not None:
            table.view, table.seq = last.view, last.seq
        self._last = table
        return table

    async def _converse(self, table: TableClient, over: asyncio.Event) -> None:
        await table.until(lambda: table.welcome is not None, ANSWER_SECONDS)
        if self._open is not None:
            self._journal.counts["resent"] += 1
            await self._send(table, self._open)
        await self._sync(table)
        while not over.is_set():
            if table.question is not None:
                await self._send(table, self._choose(table))
            else:
                await self._receive(table, over)
        await self._sync(table)

    async def _receive(self, table: TableClient, over: asyncio.Event) -> None:
        """The next frame, or the end of the play."""
        end = asyncio.create_task(over.wait())
        frame = asyncio.create_task(table.receive())
        try:
            await asyncio.wait((end, frame), return_when=asyncio.FIRST_COMPLETED)
            if frame.done():
                await frame
        finally:
            for task in (end, frame):
                task.cancel()
            await asyncio.gather(end, frame, return_exceptions=True)

    async def _sync(self, table: TableClient) -> None:
        """A whole view, to be compared."""
        await table.send({"m": "sync"})
        async with asyncio.timeout(ANSWER_SECONDS):
            while (await table.receive())["m"] != "snap":
                continue

    def _choose(self, table: TableClient) -> Act:
        question, view = table.question, table.view
        assert question is not None
        assert view is not None
        options = [option for option in question["opts"] if option["kind"] not in AVOIDED]
        frame = {"m": "act", "dp": question["dp"], "o": self._option(options)["o"]}
        frame["id"] = f"{self.user_id}-{next(self._numbers)}"
        if question["q"] == "confirm":
            return Act(frame | {"entropy": self._rng.randbytes(32).hex()}, None)
        return Act(frame, view["round"]["id"])

    def _option(self, options: Sequence[dict[str, Any]]) -> dict[str, Any]:
        """What ends rounds in a win now and then."""
        for kind in PREFERRED:
            found = [option for option in options if option["kind"] == kind]
            if found and (kind not in ("kong", "pung", "chow") or self._rng.random() < 0.5):
                return self._rng.choice(found)
        return self._rng.choice(options)

    async def _send(self, table: TableClient, act: Act) -> None:
        """Send an action until it is answered for good, and write down what was said."""
        self._open = act
        while True:
            table.answers.pop(act.frame["id"], None)
            await table.send(act.frame)
            self._journal.counts["sent"] += 1
            await table.until(lambda: act.frame["id"] in table.answers, ANSWER_SECONDS)
            self._journal.counts["answered"] += 1
            answer = table.answers[act.frame["id"]]
            if answer["m"] == "ack" or not answer["retry"]:
                break
            self._journal.counts["retried"] += 1
            await asyncio.sleep(RETRY_SECONDS)
        self._open = None
        if answer["m"] == "ack":
            self._note(act, answer)
            if table.question is not None and table.question["dp"] == act.frame["dp"]:
                table.question = None  # a repeated ack leaves it standing
        elif act.round_id is not None:
            self._journal.fault(f"{act.frame['o']} was refused: {answer['code']}")
        else:
            self._journal.counts["confirms_overtaken"] += 1
            table.question = None

    def _note(self, act: Act, answer: dict[str, Any]) -> None:
        journal = self._journal
        journal.counts["acks_repeated" if answer["dup"] else "acks"] += 1
        journal.acked.append(Acked(self.user_id, act.frame["id"], answer["seq"]))
        if act.round_id is not None:
            journal.played[act.round_id, self.user_id].append(act.frame["o"])
