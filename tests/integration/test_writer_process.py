"""The process that writes to SQLite: whatever happens to it, what it was given is written whole or not at
all, and only who is sure says so.
"""

from __future__ import annotations

import asyncio
import fcntl
import os
import resource
import signal
import socket
import sqlite3
import sys
import termios
import threading
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import orjson
import pytest
from sqlalchemy import Connection, func, select
from sqlalchemy.exc import DatabaseError, IntegrityError, OperationalError, ProgrammingError

from app.chaos.server import Server
from app.economy.ledger import HOUSE_FEES, HOUSE_RAKE, purse
from app.economy.postings import fee_posting
from app.economy.users import User
from app.rooms.connection import CloseCode
from app.rooms.faults import BEFORE_COMMIT, MID_SETTLEMENT
from app.rooms.ports import Batch, RoomRecord, RoundRecord
from app.store import checkpoints, writer, writer_process
from app.store.audit import audit
from app.store.backend import carry_out
from app.store.database import Database
from app.store.models import AnswerRow
from app.store.pragmas import PRAGMAS
from app.store.room_store import SqlRoomStore
from app.store.steps import MissingRow, Refused, Step
from app.store.writer import HEADER, packed, serve
from app.store.writer_process import WriterProcess
from tests.integration.sql_tables import SqlTable, sql_table
from tests.integration.stories import ZONE, a_room, a_round, execute, guest, later, play_a_round, won_batch
from tests.tables import Reader

PATIENCE = 30.0


def opens(*names: str) -> Step:
    return Step("INSERT INTO accounts (id, balance) VALUES (?1, 0)", [(name,) for name in names])


@pytest.fixture
async def database(database_url: str) -> AsyncIterator[Database]:
    database = Database(database_url, apart=True)
    yield database
    await database.close()


async def opened(database: Database) -> list[str]:
    rows = await execute(database, "SELECT id FROM accounts WHERE id LIKE 't-%' ORDER BY id")
    return [row[0] for row in rows]


def process_of(database: Database) -> WriterProcess:
    backend: Any = database._backend
    process: WriterProcess = backend._apart
    return process


def pid_of(database: Database) -> int:
    process = process_of(database)._process
    assert process is not None
    return process.pid


async def sent(database: Database) -> None:
    """Until something is on its way to the process."""
    async with asyncio.timeout(PATIENCE):
        # nobody signals that the other end has not read
        while (line := process_of(database)._line) is None or not unread(line[1]):  # noqa: ASYNC110
            await asyncio.sleep(0)


def unread(line: asyncio.StreamWriter) -> int:
    """Bytes that have not been taken at the other end."""
    count = fcntl.ioctl(line.get_extra_info("socket").fileno(), termios.TIOCOUTQ, b"\0" * 4)
    return int.from_bytes(count, sys.byteorder)


async def gone(pid: int) -> None:
    async with asyncio.timeout(PATIENCE):
        while is_running(pid):  # noqa: ASYNC110  # nobody signals that
            await asyncio.sleep(0.01)


def is_running(pid: int) -> bool:
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False
    return stat.rpartition(")")[2].split()[0] != "Z"


# --- what becomes of steps ----------------------------------------------------------------------------------


async def test_steps_are_done_all_or_none(database: Database) -> None:
    await database.write_at_once([opens("t-1", "t-2"), opens("t-3")])
    with pytest.raises(Refused) as taken:
        await database.write_at_once([opens("t-4"), opens("t-3")])
    assert isinstance(taken.value.reason, IntegrityError)
    assert "INSERT INTO accounts" in str(taken.value.reason)
    finds = Step("UPDATE accounts SET balance = 1 WHERE id = ?1", [("t-1",), ("nobody",)], "accounts")
    asks = Step("SELECT 1 FROM accounts WHERE id = ?1", [("t-1",), ("nobody",)], "accounts", asks=True)
    for step in (finds, asks):
        with pytest.raises(Refused) as missing:
            await database.write_at_once([opens("t-5"), step])
        assert isinstance(missing.value.reason, MissingRow)
        assert missing.value.reason.table == "accounts"
    await database.write_at_once([finds._replace(rows=finds.rows[:1]), asks._replace(rows=asks.rows[:1])])
    assert await opened(database) == ["t-1", "t-2", "t-3"]


@pytest.mark.parametrize(
    ("step", "reason"),
    [
        (Step("INSERT INTO nowhere VALUES (1)", [()]), OperationalError),
        (Step("nonsense", [()]), OperationalError),
        (opens("t-1")._replace(rows=[(object(),)]), TypeError),
        (opens("t-1")._replace(rows=[(2**70,)]), TypeError),
        (opens("t-1")._replace(rows=[([1],)]), ProgrammingError),
        (opens("t-1")._replace(rows=[()]), ProgrammingError),
    ],
)
async def test_what_cannot_be_done_is_refused_and_harms_nothing(
    database: Database, step: Step, reason: type[Exception]
) -> None:
    await database.prepare()
    pid = pid_of(database)
    with pytest.raises(Refused) as refusal:
        await database.write_at_once([opens("t-0"), step])
    assert isinstance(refusal.value.reason, reason)
    await database.write_at_once([opens("t-2")])
    assert await opened(database) == ["t-2"]
    assert pid_of(database) == pid


async def test_what_is_forbidden_as_it_is_committed_is_refused(database: Database) -> None:
    late = Step("PRAGMA defer_foreign_keys = ON", [()], asks=True)
    orphan = Step("INSERT INTO entries (posting_id, account_id, amount) VALUES ('t', 'house:rake', 0)", [()])
    with pytest.raises(Refused) as refusal:
        await database.write_at_once([opens("t-1"), late, orphan])
    assert isinstance(refusal.value.reason, IntegrityError)
    assert await opened(database) == []


async def test_a_disk_that_fails_as_it_is_committed_leaves_a_doubt(database: Database) -> None:
    await database.write_at_once([opens("t-1")])
    unlimited = resource.prlimit(pid_of(database), resource.RLIMIT_FSIZE)
    resource.prlimit(pid_of(database), resource.RLIMIT_FSIZE, (1, unlimited[1]))
    with pytest.raises(OperationalError):
        await database.write_at_once([opens("t-2")])
    resource.prlimit(pid_of(database), resource.RLIMIT_FSIZE, unlimited)
    await database.write_at_once([opens("t-3")])
    assert await opened(database) == ["t-1", "t-3"]


async def test_here_and_there_in_turn(database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody meets a locked database, whoever writes where: here he would not wait for it."""
    monkeypatch.setitem(PRAGMAS, "busy_timeout", "0")
    database = Database(database_url, apart=True)
    wanted = [f"t-{number:03}" for number in range(100)]

    async def write(number: int, name: str) -> None:
        if number % 2:
            await database.write_at_once([opens(name)])
        else:
            await database.write(lambda connection: carry_out(connection, [opens(name)]))

    await asyncio.gather(*(write(*each) for each in enumerate(wanted)))
    assert await opened(database) == wanted
    await database.close()


# --- what becomes of the process ----------------------------------------------------------------------------


async def test_one_that_has_died_is_begun_anew(database: Database) -> None:
    await database.write_at_once([opens("t-1")])
    pid = pid_of(database)
    line = process_of(database)._line
    assert line is not None
    os.kill(pid, signal.SIGKILL)
    await asyncio.wait_for(line[0].read(), PATIENCE)  # until the line is closed
    await database.write_at_once([opens("t-2")])
    assert pid_of(database) != pid
    assert await opened(database) == ["t-1", "t-2"]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
async def test_signals_are_meant_for_the_server(database: Database, number: int) -> None:
    await database.write_at_once([opens("t-1")])
    pid = pid_of(database)
    os.kill(pid, number)
    await database.write_at_once([opens("t-2")])
    assert pid_of(database) == pid


async def test_one_that_dies_at_work_leaves_a_doubt(database: Database) -> None:
    await database.prepare()
    pid = pid_of(database)
    os.kill(pid, signal.SIGSTOP)
    writing = asyncio.create_task(database.write_at_once([opens("t-1")]))
    await sent(database)
    os.kill(pid, signal.SIGKILL)
    with pytest.raises(ConnectionResetError):
        await asyncio.wait_for(writing, PATIENCE)
    await database.write_at_once([opens("t-2")])
    assert await opened(database) == ["t-2"]


async def test_one_that_stands_still_is_given_up(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    await database.prepare()
    pid = pid_of(database)
    os.kill(pid, signal.SIGSTOP)
    monkeypatch.setattr(writer_process, "ANSWER_SECONDS", 0.05)
    with pytest.raises(TimeoutError):
        await database.write_at_once([opens("t-1")])
    monkeypatch.undo()
    process = process_of(database)._process
    assert process is not None
    await asyncio.wait_for(process.wait(), PATIENCE)  # it cannot write later what has been given up
    await database.write_at_once([opens("t-2")])
    assert await opened(database) == ["t-2"]


async def test_nobody_gets_the_answer_to_who_has_gone_away(database: Database) -> None:
    await database.write_at_once([opens("t-1")])
    for _ in range(20):
        refused = asyncio.create_task(database.write_at_once([opens("t-1")]))
        await asyncio.sleep(0)
        refused.cancel()
        await asyncio.gather(refused, return_exceptions=True)
        await database.write_at_once([Step("SELECT 1", [()], asks=True)])
    assert await opened(database) == ["t-1"]


async def test_it_cannot_be_started(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.executable", "/nowhere/python")
    assert not await database.answers()
    with pytest.raises(Refused) as refusal:
        await database.write_at_once([opens("t-1")])
    assert isinstance(refusal.value.reason, FileNotFoundError)
    monkeypatch.undo()
    assert await database.answers()
    await database.write_at_once([opens("t-1")])
    assert await opened(database) == ["t-1"]


async def test_a_file_that_cannot_be_written_to_is_told(tmp_path: Path) -> None:
    file = tmp_path / "no.sqlite3"
    file.write_bytes(b"no database" * 1_000)
    for url in (f"sqlite:///{file}", f"sqlite:///{tmp_path}/nowhere/db.sqlite3"):
        database = Database(url, apart=True)
        with pytest.raises(Refused) as refusal:
            await database.prepare()
        assert isinstance(refusal.value.reason, DatabaseError)
        await database.close()


async def test_it_ends_with_its_database(database: Database) -> None:
    """What is under way is done first, and nothing begins it anew."""
    await database.prepare()
    pid = pid_of(database)
    os.kill(pid, signal.SIGSTOP)
    writing = asyncio.create_task(database.write_at_once([opens("t-1")]))
    await sent(database)
    ending = asyncio.create_task(database.close())
    await asyncio.sleep(0)
    os.kill(pid, signal.SIGCONT)
    await ending
    await writing
    assert not is_running(pid)
    with pytest.raises(Refused):
        await database.write_at_once([opens("t-2")])


async def test_who_goes_away_while_he_writes_here_keeps_his_turn(database: Database) -> None:
    begun, goes_on = threading.Event(), threading.Event()

    def work(connection: Connection) -> None:
        begun.set()
        goes_on.wait(PATIENCE)
        carry_out(connection, [opens("t-1")])

    await database.prepare()
    line = process_of(database)._line
    assert line is not None
    here = asyncio.create_task(database.write(work))
    await asyncio.to_thread(begun.wait, PATIENCE)
    here.cancel()
    await asyncio.gather(here, return_exceptions=True)
    os.kill(pid_of(database), signal.SIGSTOP)  # so that it takes nothing that is sent
    there = asyncio.create_task(database.write_at_once([opens("t-2")]))
    for _ in range(10):
        await asyncio.sleep(0)
    assert unread(line[1]) == 0
    os.kill(pid_of(database), signal.SIGCONT)
    goes_on.set()
    await there
    assert await opened(database) == ["t-1", "t-2"]


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
async def test_it_ends_with_the_server(database_url: str, tmp_path: Path, number: signal.Signals) -> None:
    server = Server(database_url, tmp_path / "log")
    await server.start()
    try:
        assert await server.ready()
        [writer] = server.writers()
        if number == signal.SIGKILL:  # not even then
            os.kill(writer, signal.SIGSTOP)
        server.signal(number)
        await gone(writer)
    finally:
        await server.kill()


# --- where it can be told to die ----------------------------------------------------------------------------


class Died(Exception):
    """In place of the process."""


@pytest.fixture
def reached(database: Database, monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, int, int]]:
    """The points that the process comes to, with the rake and the points of all players there. What is
    written is tried beforehand, to the last point, and undone.
    """
    at_once = database.write_at_once
    reached: list[tuple[str, int, int]] = []
    stands = (
        f"SELECT (SELECT balance FROM accounts WHERE id = '{HOUSE_RAKE}'), (SELECT sum(points) FROM users)"
    )

    async def write_at_once(steps: Sequence[Step]) -> None:
        with closing(sqlite3.connect(str(database.file), isolation_level=None)) as connection:

            def reach(point: str) -> None:
                reached.append((point, *connection.execute(stands).fetchone()))
                if point == BEFORE_COMMIT:
                    raise Died

            monkeypatch.setattr(writer, "reach", reach)
            with pytest.raises(Died):
                writer.transact(connection, steps)
        await at_once(steps)

    monkeypatch.setattr(database, "write_at_once", write_at_once)
    return reached


async def test_points_lie_where_they_are_named(
    database: Database, reached: list[tuple[str, int, int]]
) -> None:
    settled = await play_a_round(database)
    points = sum(result.points_after for result in settled.results)
    rake = settled.postings[0].entries[HOUSE_RAKE]
    assert rake > 0
    assert points > 0
    assert reached[-2:] == [(MID_SETTLEMENT, rake, 0), (BEFORE_COMMIT, rake, points)]


async def test_coins_that_settle_no_round_reach_no_settlement(
    database: Database, reached: list[tuple[str, int, int]]
) -> None:
    """A table fee."""
    store, room, record, _ = await a_table(database)
    fee = fee_posting(record.id, 5, record.players, (10_000, 10_000))
    await store.commit(Batch(room=later(room), at_ms=4_000, postings=(fee,)))
    assert [point for point, *_ in reached] == [BEFORE_COMMIT] * 2
    fees = await execute(database, f"SELECT balance FROM accounts WHERE id = '{HOUSE_FEES}'")
    assert fees == [(10,)]


async def test_a_round_that_moves_no_coins_is_settled_all_the_same(
    database: Database, reached: list[tuple[str, int, int]]
) -> None:
    store, room, record, players = await a_table(database)
    held = dict.fromkeys(map(purse, record.players), 10_000)
    await store.commit(replace(won_batch(room, record, players), postings=(), held=held))
    assert [point for point, *_ in reached] == [BEFORE_COMMIT, MID_SETTLEMENT, BEFORE_COMMIT]


async def a_table(database: Database) -> tuple[SqlRoomStore, RoomRecord, RoundRecord, list[User]]:
    """A store, in it a room as it stands with a round that runs, and who plays."""
    players = [await guest(database, name) for name in ("ann", "bob")]
    room, store = a_room(players), SqlRoomStore(database, ZONE)
    record = a_round(room)
    await store.create_room(room, 2_000)
    await store.commit(Batch(room=later(room), at_ms=3_000, rounds=(record,)))
    return store, later(room), record, players


# --- what becomes of a table --------------------------------------------------------------------------------


async def test_a_table_whose_writer_is_killed_at_work_goes_on(database: Database) -> None:
    table = await sql_table(database)
    readers = await table.playing()
    for _ in range(5):
        reader, choice = asked(table, readers)
        os.kill(pid_of(database), signal.SIGSTOP)
        answering = asyncio.create_task(table.act(reader, choice))
        await sent(database)
        os.kill(pid_of(database), signal.SIGKILL)
        answer = await asyncio.wait_for(answering, PATIENCE)
        assert (answer["m"], answer["code"]) == ("err", "internal")
        assert (await table.act(reader, choice))["m"] == "ack"
        while not any(table.state.at(seat).decision for seat in (0, 1)):
            await table.pass_time(1_000)
    assert (await audit(database)).fault is None
    await table.room.stop(CloseCode.END)


async def test_a_move_that_is_stored_though_its_answer_is_lost_counts_once(database: Database) -> None:
    table = await sql_table(database)
    readers = await table.playing()
    reader, choice = asked(table, readers)
    move = {"id": "lost", "dp": reader.question["dp"], "o": choice}
    before, line = await answers_in(database), process_of(database)._line
    assert line is not None
    line[1].transport.pause_reading()  # type: ignore[attr-defined]  # a transport that reads, too
    answering = asyncio.create_task(table.request(reader, **move))
    async with asyncio.timeout(PATIENCE):
        while await answers_in(database) == before:  # noqa: ASYNC110  # nobody is told
            await asyncio.sleep(0)
    line[0].set_exception(ConnectionResetError())
    assert (await answering)["code"] == "internal"
    again = await table.request(reader, **move)
    assert (again["m"], again["dup"]) == ("ack", True)
    assert await answers_in(database) == before + 1
    assert (await audit(database)).fault is None
    await table.room.stop(CloseCode.END)


async def answers_in(database: Database) -> int:
    count = select(func.count()).select_from(AnswerRow)
    return await database.read(lambda connection: connection.scalars(count).one())


async def test_a_table_whose_disk_is_full_goes_on_when_there_is_room(database: Database) -> None:
    """It is noticed as a batch is committed: nobody knows, and the room looks."""
    table = await sql_table(database)
    readers = await table.playing()
    before = table.state
    unlimited = resource.prlimit(pid_of(database), resource.RLIMIT_FSIZE)
    resource.prlimit(pid_of(database), resource.RLIMIT_FSIZE, (1, unlimited[1]))
    reader, choice = asked(table, readers)
    for _ in range(3):
        answer = await table.act(reader, choice)
        assert (answer["m"], answer["code"], answer["retry"]) == ("err", "internal", True)
    assert table.state == before
    resource.prlimit(pid_of(database), resource.RLIMIT_FSIZE, unlimited)
    assert (await table.act(reader, choice))["m"] == "ack"
    assert (await audit(database)).fault is None
    await table.room.stop(CloseCode.END)


def asked(table: SqlTable, readers: tuple[Reader, Reader]) -> tuple[Reader, str]:
    """Somebody who is asked something, and an answer."""
    reader = next(each for each in readers if table.state.at(table.seat_of(each)).decision is not None)
    return reader, reader.question["opts"][0]["o"]


# --- its own side -------------------------------------------------------------------------------------------


@contextmanager
def serving(file: Path) -> Iterator[socket.socket]:
    """Served in a thread of this process, until the line closes."""
    ours, theirs = socket.socketpair()
    thread = threading.Thread(target=serve, args=(theirs, str(file)))
    thread.start()
    with ours:
        assert told(ours) == ["done"]
        yield ours
    thread.join()
    theirs.close()


def answer(line: socket.socket, *steps: Step) -> list[Any]:
    line.sendall(packed([tuple(step) for step in steps]))
    return told(line)


def told(line: socket.socket) -> list[Any]:
    size = int.from_bytes(line.recv(HEADER, socket.MSG_WAITALL))
    answer: list[Any] = orjson.loads(line.recv(size, socket.MSG_WAITALL))
    return answer


def test_its_log_begins_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkpoints, "ROWS", 50)
    file = tmp_path / "db.sqlite3"
    row = Step("INSERT INTO t (text) VALUES (?1)", [("x" * 4_096,)] * 10)
    with serving(file) as line:
        assert answer(line, Step("CREATE TABLE t (n INTEGER PRIMARY KEY, text TEXT)", [()])) == ["done"]
        for _ in range(200):
            assert answer(line, row) == ["done"]
        log = file.with_name(file.name + "-wal")
        assert log.stat().st_size < file.stat().st_size
    with closing(sqlite3.connect(file)) as connection:
        assert connection.execute("SELECT count(*) FROM t").fetchone() == (2_000,)
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_a_line_that_closes_within_a_message_ends_it(tmp_path: Path) -> None:
    with serving(tmp_path / "db.sqlite3") as line:
        line.sendall(packed([tuple(Step("CREATE TABLE t (n)", [()]))])[:-1])
    with serving(tmp_path / "db.sqlite3") as line:
        line.sendall(b"\0\0")
    with closing(sqlite3.connect(tmp_path / "db.sqlite3")) as connection:
        assert connection.execute("SELECT count(*) FROM sqlite_schema").fetchone() == (0,)
