"""Group commit: who waits together is written together, and only the one at fault is refused."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest
from sqlalchemy.exc import DBAPIError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from app.rooms.ports import AlreadyAnswered, BalanceMoved, Batch, RoomRecord, StoreError
from app.store.committer import GROUP, Committer, NotWritten
from tests.tables import CLASSIC


def a_batch(name: str) -> Batch:
    room = RoomRecord(name, CLASSIC, 10, False, None, "playing", (None, None), 0, {})
    return Batch(room=room, at_ms=1)


class Locked(Exception):
    sqlstate = "55P03"


class Disk:
    """Writes groups when it is let to; ``faults`` are those of batches, ``broken`` the next commit's."""

    def __init__(self) -> None:
        self.groups: list[list[str]] = []
        self.written: list[str] = []
        self.faults: dict[str, Exception] = {}
        self.broken: Exception | None = None
        self.may_write = asyncio.Event()
        self.may_write.set()
        self.begun: asyncio.Queue[list[str]] = asyncio.Queue()

    async def write(self, batches: Sequence[Batch]) -> None:
        names = [batch.room.id for batch in batches]
        self.groups.append(names)
        self.begun.put_nowait(names)
        await self.may_write.wait()
        if self.broken is not None:
            broken, self.broken = self.broken, None
            raise broken
        for name in names:
            if name in self.faults:
                raise NotWritten from self.faults[name]
        self.written += names


async def commit(committer: Committer, *names: str) -> list[BaseException | None]:
    return await asyncio.gather(*(committer.commit(a_batch(name)) for name in names), return_exceptions=True)


async def test_who_has_an_answer_goes_before_the_next_group_and_may_join_it() -> None:
    disk = Disk()
    committer = Committer(disk.write, lanes=1)
    disk.may_write.clear()

    async def twice() -> None:
        await committer.commit(a_batch("a"))
        await committer.commit(a_batch("again"))

    first = asyncio.create_task(twice())
    await disk.begun.get()
    other = asyncio.create_task(committer.commit(a_batch("b")))
    await asyncio.sleep(0)
    disk.may_write.set()
    await asyncio.gather(first, other)
    assert [sorted(group) for group in disk.groups] == [["a"], ["again", "b"]]


async def test_what_arrives_while_one_is_written_goes_together() -> None:
    disk = Disk()
    committer = Committer(disk.write, lanes=1)
    disk.may_write.clear()
    first = asyncio.create_task(committer.commit(a_batch("a")))
    await disk.begun.get()
    others = [asyncio.create_task(committer.commit(a_batch(name))) for name in "bcd"]
    await asyncio.sleep(0)
    assert not first.done()  # nobody is answered before his transaction is through
    disk.may_write.set()
    await asyncio.gather(first, *others)
    assert disk.groups == [["a"], ["b", "c", "d"]]


async def test_a_group_has_its_limit() -> None:
    disk = Disk()
    names = [f"room-{number}" for number in range(GROUP + 1)]
    assert await commit(Committer(disk.write, lanes=1), *names) == [None] * (GROUP + 1)
    assert [len(group) for group in disk.groups] == [GROUP, 1]
    assert disk.written == names


@pytest.mark.parametrize("fault", [AlreadyAnswered("id"), BalanceMoved("purse"), ValueError("a row")])
async def test_only_the_one_at_fault_is_refused(fault: Exception) -> None:
    disk = Disk()
    disk.faults = {"c": fault}
    outcomes = dict(zip("abcde", await commit(Committer(disk.write, lanes=1), *"abcde"), strict=True))
    refused = outcomes.pop("c")
    assert type(refused) is (type(fault) if isinstance(fault, StoreError) else StoreError)
    assert set(outcomes.values()) == {None}
    assert sorted(disk.written) == ["a", "b", "d", "e"]


@pytest.mark.parametrize(
    "gone",
    [
        OperationalError("INSERT", {}, Exception("disk full")),
        PoolTimeout("no connection is free"),
        DBAPIError(None, None, Exception("the database system is starting up")),
        ConnectionRefusedError(),
        DBAPIError("UPDATE", {}, Locked()),
    ],
    ids=lambda error: type(error).__name__,
)
async def test_a_database_that_is_gone_is_not_asked_again_and_again(gone: Exception) -> None:
    disk = Disk()
    disk.faults = dict.fromkeys("abcd", gone)
    outcomes = await commit(Committer(disk.write, lanes=1), *"abcd")
    assert [type(outcome) for outcome in outcomes] == [StoreError] * 4
    assert len({id(outcome) for outcome in outcomes}) == 4  # to each his own
    assert len(disk.groups) == 1


async def test_a_commit_that_fails_is_in_doubt_for_all_and_never_written_twice() -> None:
    disk = Disk()
    disk.broken = AlreadyAnswered("whatever it says")
    outcomes = await commit(Committer(disk.write, lanes=1), *"ab")
    assert [type(outcome) for outcome in outcomes] == [StoreError] * 2
    assert len(disk.groups) == 1


async def test_who_goes_away_is_written_all_the_same() -> None:
    disk = Disk()
    committer = Committer(disk.write, lanes=1)
    disk.may_write.clear()
    leaving = asyncio.create_task(committer.commit(a_batch("a")))
    await disk.begun.get()
    leaving.cancel()
    disk.may_write.set()
    await committer.close()
    with pytest.raises(asyncio.CancelledError):
        await leaving
    assert disk.written == ["a"]


async def test_several_lanes_write_at_once() -> None:
    disk = Disk()
    committer = Committer(disk.write, lanes=2)
    disk.may_write.clear()
    tasks = []
    for name in "abc":
        tasks.append(asyncio.create_task(committer.commit(a_batch(name))))
        if len(tasks) <= 2:
            await disk.begun.get()
    await asyncio.sleep(0)
    assert disk.groups == [["a"], ["b"]]
    disk.may_write.set()
    await asyncio.gather(*tasks)
    assert disk.groups[2:] == [["c"]]


async def test_a_further_lane_is_for_a_crowd() -> None:
    disk = Disk()
    committer = Committer(disk.write, lanes=2, crowd=3)
    disk.may_write.clear()
    tasks = []
    for name in "abcde":
        tasks.append(asyncio.create_task(committer.commit(a_batch(name))))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert disk.groups == ([["a"]] if name < "d" else [["a"], ["b", "c", "d"]])
    disk.may_write.set()
    await asyncio.gather(*tasks)
    assert disk.groups == [["a"], ["b", "c", "d"], ["e"]]
    assert await commit(committer, *"fg") == [None, None]  # and one lane is always there
    assert disk.groups[3:] == [["f", "g"]]


@pytest.mark.parametrize("steps", range(12))
async def test_nobody_is_forgotten_who_comes_as_the_last_one_is_done(steps: int) -> None:
    committer = Committer(Disk().write, lanes=1)
    first = asyncio.create_task(committer.commit(a_batch("a")))
    for _ in range(steps):
        await asyncio.sleep(0)
    async with asyncio.timeout(5):
        await committer.commit(a_batch("b"))
    await first
