"""A file under a backup's name is whole, whatever happened on the way. Source: docs/OPERATIONS.md."""

from __future__ import annotations

import asyncio
import errno
import os
import resource
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from sqlalchemy import Connection

from app.cli.registry import main
from app.store import backup
from app.store.audit import audit
from app.store.database import Database
from tests.integration.stories import execute, play_a_round
from tests.integration.test_keeping import command

Said = pytest.CaptureFixture[str]


@pytest.fixture
def target(tmp_path: Path) -> Path:
    (tmp_path / "backups").mkdir()
    return tmp_path / "backups" / "erma.sqlite3"


def names_beside(target: Path) -> list[str]:
    return sorted(path.name for path in target.parent.iterdir())


@contextmanager
def no_file_beyond(size: int) -> Iterator[None]:
    """What a full disk is like."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


async def test_a_full_disk_is_told_and_nothing_stays(database_url: str, target: Path, capsys: Said) -> None:
    with no_file_beyond(100_000):
        assert await command("backup", str(target), "--database-url", database_url) == 1
    assert capsys.readouterr().err.startswith(f"{target}: ")
    assert names_beside(target) == []


async def test_a_folder_that_is_not_there_is_told(database_url: str, target: Path, capsys: Said) -> None:
    nowhere = target / "nowhere"
    assert await command("backup", str(nowhere), "--database-url", database_url) == 1
    assert capsys.readouterr().err.startswith(f"{nowhere}: ")


async def test_what_cannot_be_made_durable_is_no_backup(
    database_url: str, target: Path, capsys: Said, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", fails)
    assert await command("backup", str(target), "--database-url", database_url) == 1
    assert os.strerror(errno.ENOSPC) in capsys.readouterr().err
    assert names_beside(target) == []


async def test_what_is_not_sound_is_no_backup(
    database: Database, database_url: str, target: Path, capsys: Said
) -> None:
    await play_a_round(database)
    await execute(database, "PRAGMA ignore_check_constraints = ON", "UPDATE users SET points = -1")
    assert await command("backup", str(target), "--database-url", database_url) == 1
    assert "users" in capsys.readouterr().err
    assert names_beside(target) == []


async def check_whole(target: Path, database: Database) -> None:
    copy = Database(f"sqlite:///{target}")
    assert await audit(copy) == await audit(database)
    await copy.close()


async def test_what_another_has_begun_is_left_to_him(
    database: Database, database_url: str, target: Path
) -> None:
    await play_a_round(database)
    begun = target.with_name(target.name + backup.PART)
    begun.write_bytes(b"half a database")
    assert await command("backup", str(target), "--database-url", database_url) == 0
    assert names_beside(target) == [target.name, begun.name]
    assert begun.read_bytes() == b"half a database"
    await check_whole(target, database)


async def test_one_that_fails_takes_nothing_from_another_to_the_same_name(
    database: Database, database_url: str, target: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await play_a_round(database)
    copy = backup._copy

    def fails(connection: Connection, part: Path) -> None:
        raise sqlite3.OperationalError("no more")

    def meanwhile(connection: Connection, part: Path) -> None:
        copy(connection, part)
        monkeypatch.setattr(backup, "_copy", fails)
        assert main(["backup", str(target), "--database-url", database_url]) == 1

    monkeypatch.setattr(backup, "_copy", meanwhile)
    assert await command("backup", str(target), "--database-url", database_url) == 0
    assert names_beside(target) == [target.name]
    await check_whole(target, database)


def copy_nothing(connection: Connection, part: Path) -> None:
    """An empty file is a database, to SQLite."""


def lose_the_copy(connection: Connection, part: Path) -> None:
    part.unlink(missing_ok=True)


def copy_no_version(connection: Connection, part: Path) -> None:
    with sqlite3.connect(part) as copy:
        copy.execute("CREATE TABLE alembic_version (version_num)")
    copy.close()


@pytest.mark.parametrize("copies", [copy_nothing, lose_the_copy, copy_no_version])
async def test_what_is_no_copy_of_ours_is_no_backup(
    database_url: str,
    target: Path,
    capsys: Said,
    monkeypatch: pytest.MonkeyPatch,
    copies: Callable[[Connection, Path], None],
) -> None:
    monkeypatch.setattr(backup, "_copy", copies)
    assert await command("backup", str(target), "--database-url", database_url) == 1
    assert capsys.readouterr().err.startswith(f"{target}: ")
    assert names_beside(target) == []


async def test_any_name_will_do(database_url: str, target: Path) -> None:
    odd = target.with_name("a%41?mode=memory#b.sqlite3")
    assert await command("backup", str(odd), "--database-url", database_url) == 0
    assert names_beside(odd) == [odd.name]


async def test_the_name_is_given_last_and_never_to_another(
    database_url: str, target: Path, capsys: Said, monkeypatch: pytest.MonkeyPatch
) -> None:
    def somebody_is_quicker(part: Path) -> None:
        assert names_beside(target) == [part.name]
        target.write_bytes(b"another's")

    monkeypatch.setattr(backup, "_check", somebody_is_quicker)
    assert await command("backup", str(target), "--database-url", database_url) == 2
    assert "exists" in capsys.readouterr().err
    assert names_beside(target) == [target.name]
    assert await asyncio.to_thread(target.read_bytes) == b"another's"


async def test_a_file_system_without_links_will_do(
    database_url: str, target: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(source: Path, target: Path) -> None:
        raise PermissionError(errno.EPERM, os.strerror(errno.EPERM))

    monkeypatch.setattr(os, "link", fails)
    assert await command("backup", str(target), "--database-url", database_url) == 0
    assert names_beside(target) == [target.name]


async def test_who_made_it_alone_may_read_it(database_url: str, target: Path) -> None:
    assert await command("backup", str(target), "--database-url", database_url) == 0
    assert (await asyncio.to_thread(target.stat)).st_mode & 0o077 == 0
