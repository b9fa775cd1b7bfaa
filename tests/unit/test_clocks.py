"""Whose time runs, and whose does not. Source: RULES §12; PROTOCOL §3.5, §3.9."""

from __future__ import annotations

from random import Random

import pytest

from app.rooms import commands as cmd
from app.rooms.connection import MAX_QUEUED_BYTES, MAX_QUEUED_FRAMES, Connection
from tests.tables import CLASSIC, Reader, Table


async def disturb(table: Table, opponent: Reader, rng: Random) -> Reader:
    """Something the opponent does while it is not his turn."""
    what = rng.randrange(6)
    if what == 0:
        await table.request(opponent, kind=cmd.SwitchAuto, on=rng.random() < 0.5)
    elif what == 1:
        table.room.say(opponent.connection, {"phrase": "hurry"})
    elif what == 2:
        table.room.sync(opponent.connection)
    elif what == 3:
        await table.request(opponent, dp=rng.randrange(9), o="w")
    elif what == 4:
        await table.request(opponent, kind=cmd.Leave)
    else:
        await table.drop(opponent)
        opponent = await table.connect(opponent.connection.user_id)
    await table.quiet()
    return opponent


@pytest.mark.parametrize("seed", range(10))
async def test_what_one_seat_does_leaves_the_others_clock_alone(seed: int) -> None:
    table, rng = Table(seed=seed), Random(seed)
    dealer, opponent = await table.at_first_turn()
    before = table.decision_of(dealer)
    assert before is not None
    deadline = dealer.question["deadline_ms"]
    assert deadline == before.asked_ms + CLASSIC.clocks.opening_ms + CLASSIC.clocks.reserve_ms
    for _ in range(12):
        opponent = await disturb(table, opponent, rng)
        await table.pass_time(rng.randrange(1_500))
        assert table.decision_of(dealer) == before
        assert dealer.question["deadline_ms"] == deadline


class Stopped(Reader):
    """A socket whose peer reads nothing."""

    async def read(self) -> None:
        pass


class TableWithStoppedReader(Table):
    """``ben`` stops reading at some moment; nobody else notices."""

    stopped = ""

    def reader(self, connection: Connection) -> Reader:
        return Stopped(connection) if connection.user_id == self.stopped else Reader(connection)


async def heard(stopped: str, minutes: int) -> tuple[list[tuple[int, str]], int, int]:
    """What ann hears and when, while ben plays by the clock alone; the most ben's queue ever held."""
    table = TableWithStoppedReader()
    table.stopped = ""
    ann, ben = await table.at_first_turn()
    if table.seat_of(ann) != 0:
        ann, ben = ben, ann
    table.stopped = stopped
    await table.drop(ben)
    await table.connect("ben")
    timeline: list[tuple[int, str]] = []
    frames = bytes_ = 0
    for _ in range(minutes * 60):
        await table.pass_time(1_000)
        if table.decision_of(ann) is not None:
            await table.act(ann, ann.question["opts"][0]["o"])
        timeline += [(table.clock.now_ms(), frame["m"]) for frame in ann.frames]
        ann.frames = [frame for frame in ann.frames if frame["m"] == "ask"][-1:]
        for reader in table.readers:
            frames = max(frames, reader.connection.queued_frames)
            bytes_ = max(bytes_, reader.connection.queued_bytes)
    await table.close()
    return timeline, frames, bytes_


async def test_a_reader_stopped_for_five_minutes_costs_a_queue_and_nobody_else_anything() -> None:
    usual, _, _ = await heard("", 5)
    timeline, frames, size = await heard("ben", 5)
    assert timeline == usual
    assert frames <= MAX_QUEUED_FRAMES
    assert size <= MAX_QUEUED_BYTES
