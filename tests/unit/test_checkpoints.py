"""SQLite's log is carried over beside the writer, begins anew, and a failure harms nothing."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from app.store import checkpoints
from app.store.checkpoints import Checkpoints

PAGE = 4_096
TIMES = 20


class Writer:
    """A database of one table, its writer's thread, and a way to open it once more."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.thread = ThreadPoolExecutor(1)
        self.connection = self.open()
        self.connection.execute("CREATE TABLE t (n INTEGER PRIMARY KEY, text TEXT)")
        self.opened: list[str] = []  # by which thread
        self.fails = False

    def open(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self.file, check_same_thread=False, isolation_level=None)
        for pragma in ("journal_mode=WAL", "wal_autocheckpoint=0"):
            connection.execute(f"PRAGMA {pragma}")
        return connection

    @contextmanager
    def carrying(self) -> Iterator[sqlite3.Connection]:
        if self.fails:
            raise sqlite3.OperationalError("disk is full")
        self.opened.append(threading.current_thread().name)
        connection = self.open()
        yield connection
        connection.close()

    def write(self, rows: int, checkpoints: Checkpoints) -> None:
        """So many rows of a page each in one transaction, and then whatever is left of the carrying over."""

        def work() -> None:
            self.connection.execute("BEGIN")
            self.connection.executemany("INSERT INTO t (text) VALUES (?)", [("x" * PAGE,)] * rows)
            self.connection.execute("COMMIT")
            checkpoints.follow(self.connection)

        self.thread.submit(work).result()
        with suppress(RuntimeError):  # closed
            checkpoints._own.submit(int).result()
        self.thread.submit(int).result()

    @property
    def log_pages(self) -> int:
        return self.file.with_name(self.file.name + "-wal").stat().st_size // PAGE

    @property
    def pages_carried_over(self) -> int:
        return self.file.stat().st_size // PAGE


@pytest.fixture
def writer(tmp_path: Path) -> Iterator[Writer]:
    writer = Writer(tmp_path / "db.sqlite3")
    yield writer
    writer.thread.shutdown()
    writer.connection.close()


def test_the_log_stays_small_and_nothing_is_missing(writer: Writer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkpoints, "ROWS", 50)
    following = Checkpoints(writer.carrying, writer.thread)
    for _ in range(TIMES):
        writer.write(50, following)
    assert len(writer.opened) == TIMES
    assert {name.partition("_")[0] for name in writer.opened} == {"erma-checkpoints"}
    assert writer.log_pages < 3 * 110  # it begins anew each time; all of it would be twenty times 100
    assert writer.pages_carried_over > TIMES * 50
    assert writer.connection.execute("SELECT count(*) FROM t").fetchone() == (TIMES * 50,)
    following.close()


def test_little_is_left_where_it_is(writer: Writer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkpoints, "ROWS", 50)
    following = Checkpoints(writer.carrying, writer.thread)
    for _ in range(49):
        writer.write(1, following)
    assert not writer.opened
    writer.write(1, following)
    assert len(writer.opened) == 1
    following.close()


def test_after_a_failure_it_is_tried_again(
    writer: Writer, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(checkpoints, "ROWS", 50)
    following = Checkpoints(writer.carrying, writer.thread)
    writer.fails = True
    writer.write(60, following)
    assert "cannot be carried over" in caplog.text
    writer.fails = False
    writer.write(60, following)
    assert len(writer.opened) == 1
    assert writer.pages_carried_over > 120
    following.close()


def test_a_writer_that_has_gone_meanwhile_harms_nothing(
    writer: Writer, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Its connection may have been given up while the log was carried over; the next one is followed too."""
    monkeypatch.setattr(checkpoints, "ROWS", 5)

    @contextmanager
    def carrying() -> Iterator[sqlite3.Connection]:
        with writer.carrying() as connection:
            yield connection
        writer.connection.close()

    following = Checkpoints(carrying, writer.thread)
    writer.write(10, following)
    assert "cannot be carried over" in caplog.text
    writer.connection = writer.open()
    writer.write(10, following)
    assert len(writer.opened) == 2
    following.close()


def test_what_is_written_while_it_is_closed_is_written(
    writer: Writer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checkpoints, "ROWS", 5)
    following = Checkpoints(writer.carrying, writer.thread)
    following.close()
    writer.write(10, following)
    assert not writer.opened
    assert writer.connection.execute("SELECT count(*) FROM t").fetchone() == (10,)
