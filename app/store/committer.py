"""Group commit: the batches of many rooms that wait together are made durable together.

A disk is told once a transaction to keep what was written, however much that is. So a batch that arrives
while a transaction runs waits for it, and all that wait go into the next one. Nobody is told anything before
the transaction that holds his batch is committed. Source: PROTOCOL §3.12; docs/adr/0008.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from app.rooms.faults import reach
from app.rooms.ports import Batch, StoreError
from app.store.faults import concerns_all, let_go

GROUP = 128  # batches in one transaction at most


class NotWritten(Exception):
    """A group was refused while it was being written: nothing of it is stored. The cause says why."""

    @property
    def concerns_one(self) -> bool:
        """Whether one batch is at fault and the others may do without it; else it is the database itself, or
        parts of the group would fare no better.
        """
        cause = self.__cause__
        if isinstance(cause, InterfaceError | OperationalError | OSError | PoolTimeout):
            return False
        if concerns_all(cause):
            return False
        if not isinstance(cause, DBAPIError):
            return True
        has_begun = cause.statement is not None  # else not even a connection was to be had
        return has_begun and not cause.connection_invalidated


@dataclass(frozen=True, slots=True)
class _Waiting:
    batch: Batch
    done: asyncio.Future[None]

    @property
    def is_abandoned(self) -> bool:
        """Who waited is gone: the batch goes its way all the same, and nobody is told."""
        return self.done.cancelled()


class Committer:
    """``write`` makes a group of at most ``group`` batches durable, all or none; ``lanes`` run at a time, all
    but one of them only while at least ``crowd`` batches wait.

    ``write`` raises :class:`NotWritten` when it knows that nothing is stored.
    """

    def __init__(
        self,
        write: Callable[[Sequence[Batch]], Awaitable[None]],
        lanes: int,
        group: int = GROUP,
        crowd: int = 1,
    ) -> None:
        self._write = write
        self._lanes = lanes
        self._group = group
        self._crowd = crowd
        self._waiting: list[_Waiting] = []
        self._running: set[asyncio.Task[None]] = set()
        self._open = 0  # lanes that will still look who waits: counted down the moment one no longer does

    async def commit(self, batch: Batch) -> None:
        """Return when the batch is durable; it goes its way also when the caller is cancelled.

        Raises:
            BalanceMoved, AlreadyAnswered, AlreadySettled: this batch was refused; it is not written.
            StoreError: it may be written or not, but never in part.
        """
        waiting = _Waiting(batch, asyncio.get_running_loop().create_future())
        self._waiting.append(waiting)
        if self._open < self._lanes and self._has_work(beside=self._open):
            self._open += 1
            lane = asyncio.create_task(self._run(), name="committer")
            self._running.add(lane)
            lane.add_done_callback(self._running.discard)
        await waiting.done

    async def close(self) -> None:
        """Return when everything that waits has been dealt with."""
        while self._running:
            await asyncio.wait(self._running)

    def _has_work(self, beside: int) -> bool:
        """Whether there is a group for a lane, with so many others."""
        return len(self._waiting) >= (self._crowd if beside else 1)

    async def _run(self) -> None:
        """One lane: group after group, until nobody waits."""
        try:
            while self._has_work(beside=self._open - 1):
                group, self._waiting = self._waiting[: self._group], self._waiting[self._group :]
                await self._commit(group)
                await asyncio.sleep(0)  # who has an answer now goes before the next group, and may join it
        finally:
            self._open -= 1

    async def _commit(self, group: Sequence[_Waiting]) -> None:
        """All together; if one is at fault, each half for itself, until it stands alone."""
        try:
            await self._write([waiting.batch for waiting in group])
        except NotWritten as refusal:
            if len(group) > 1 and refusal.concerns_one:
                middle = len(group) // 2
                await self._commit(group[:middle])
                await self._commit(group[middle:])
            else:
                cause = refusal.__cause__
                _fail(group, type(cause) if isinstance(cause, StoreError) else StoreError, refusal)
        except Exception as error:
            _fail(group, StoreError, error)
        else:
            reach("after_commit")
            for waiting in group:
                if not waiting.is_abandoned:
                    waiting.done.set_result(None)


def _fail(group: Sequence[_Waiting], kind: type[StoreError], error: Exception) -> None:
    """Each room gets an error of its own, for a raised one grows a traceback."""
    reason = error.__cause__ if isinstance(error, NotWritten) else error
    let_go(reason)
    for waiting in group:
        own = kind(str(reason) if isinstance(reason, StoreError) else type(reason).__name__)
        own.__cause__ = reason
        if not waiting.is_abandoned:
            waiting.done.set_exception(own)
