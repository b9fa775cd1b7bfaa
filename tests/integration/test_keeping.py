"""Backups, archives, exports: what is taken is whole, what stays is proved. Source: docs/OPERATIONS.md."""

from __future__ import annotations

import asyncio
import json
import shutil
import subprocess
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from app.cli.registry import main
from app.rooms import commands as cmd
from app.rooms.connection import CloseCode
from app.rooms.hub import Rooms
from app.store.audit import audit
from app.store.database import Database
from app.store.records import SqlRecords
from app.store.room_store import SqlRoomStore
from tests.fakes import FakeClock, fake_sources
from tests.integration import postgres
from tests.integration.sql_tables import SqlTable, sql_table
from tests.integration.stories import ZONE, execute
from tests.integration.test_failed_commits import leave
from tests.integration.test_stopped_rooms import NO_SHAPE, spoil

ON_EVERY_DATABASE = True

DAY_MS = 86_400_000


async def played(database: Database, seed: int = 1) -> SqlTable:
    """A round that ended long ago by an escape, in a room that has closed since."""
    table = await sql_table(database, seed=seed)
    leaver, stayer = await table.at_first_turn()
    await leave(table, leaver)
    await table.request(stayer, id="bye", kind=cmd.Leave)
    assert table.state.is_closed
    return table


def round_of(table: SqlTable) -> str:
    assert table.state.play
    return table.state.play.record.id


async def counted(database: Database) -> dict[str, int]:
    tables = ("rounds", "actions", "events", "answers", "postings", "entries", "round_results", "standings")
    return {name: (await execute(database, f"SELECT count(*) FROM {name}"))[0][0] for name in tables}


async def command(*arguments: str) -> int:
    return await asyncio.to_thread(main, list(arguments))


def last_line(capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(capsys.readouterr().out.splitlines()[-1])
    return found


def lines_of(file: str) -> list[str]:
    return Path(file).read_text("utf-8").splitlines()


async def test_old_rounds_move_into_a_file_and_everything_is_still_proved(
    database: Database, database_url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for seed in (1, 2):
        await played(database, seed)
    open_table = await sql_table(database, seed=3)
    leaver, _ = await open_table.at_first_turn()
    await leave(open_table, leaver)  # ended as long ago, but somebody still sits there
    await open_table.room.stop(CloseCode.RESTART)
    before = await counted(database)
    proof = await audit(database)
    assert await command("archive", str(tmp_path / "old"), "--days", "1", "--database-url", database_url) == 0
    summary = last_line(capsys)
    lines = await asyncio.to_thread(lines_of, summary["file"])
    assert summary["rounds"] == len(lines) == 2
    after = await counted(database)
    kept = ("rounds", "postings", "entries", "round_results", "standings")
    assert {name: after[name] for name in kept} == {name: before[name] for name in kept}
    assert await audit(database) == proof
    left = {row[0] for row in await execute(database, "SELECT DISTINCT room_id FROM events")}
    assert left == {open_table.state.id}
    for line in map(json.loads, lines):
        assert [event["kind"] for event in line["events"]][-1] == "revealed"
        over = await SqlRecords(database).finished(line["id"])
        assert over is not None
        assert (over.is_archived, over.actions) == (True, ())
        assert over.record.secret == line["proof"]["secret"]  # the proof is still published
        assert await SqlRecords(database).played(line["players"][0]["id"], None, 10)  # and the history shown
    assert await command("verify", summary["file"]) == 0
    assert last_line(capsys) == {"ok": True, "rounds": 2, "unplayed": 0}
    assert await command("archive", str(tmp_path / "old"), "--days", "1", "--database-url", database_url) == 0
    assert last_line(capsys) == {"rounds": 0, "file": None, "unreadable": 0}
    assert await SqlRoomStore(database, ZONE).load_room(open_table.state.id) is not None


async def test_an_export_is_what_verify_takes(
    database: Database, database_url: str, tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    tables = [await played(database, seed) for seed in (1, 2, 3)]
    assert await command("export-rounds", "--database-url", database_url) == 0
    exported = capsysbinary.readouterr().out
    file = tmp_path / "rounds.jsonl"
    file.write_bytes(exported)
    assert len(exported.splitlines()) == len(tables)
    assert await command("verify", str(file)) == 0
    first, *rest = exported.splitlines(keepends=True)
    assert (
        await command("export-rounds", "--after", json.loads(first)["id"], "--database-url", database_url)
        == 0
    )
    assert capsysbinary.readouterr().out.splitlines(keepends=True)[1:] == rest
    file.write_bytes(exported.replace(b'"base":10', b'"base":20', 1))
    assert await command("verify", str(file)) == 1
    assert json.loads(capsysbinary.readouterr().out)["fault"]["where"].startswith("line 1: ")


async def test_an_export_passes_over_what_cannot_be_read(
    database: Database, database_url: str, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    broken, sound = [await played(database, seed) for seed in (1, 2)]
    await spoil(database, "rooms.tier", broken.state.id, NO_SHAPE)
    assert await command("export-rounds", "--database-url", database_url) == 1
    said = capsysbinary.readouterr()
    assert [json.loads(line)["id"] for line in said.out.splitlines()] == [round_of(sound)]
    assert round_of(broken) in said.err.decode()


async def test_a_voided_round_is_archived_and_not_verified(
    database: Database, database_url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = await sql_table(database)
    await table.at_first_turn()
    await table.room.stop(CloseCode.RESTART)
    await SqlRoomStore(database, ZONE).stop_room(table.state.id, "fault", 1)
    assert await command("archive", str(tmp_path), "--database-url", database_url) == 0
    assert await command("verify", last_line(capsys)["file"]) == 0
    assert last_line(capsys) == {"ok": True, "rounds": 0, "unplayed": 1}


async def check_restored(url: str, table: SqlTable) -> None:
    """The copy is whole: the ledger is proved and the room goes on where it was."""
    database = Database(url)
    assert (await audit(database)).fault is None
    rooms = Rooms(fake_sources(SqlRoomStore(database, ZONE), FakeClock()))  # type: ignore[arg-type]  # wrong or looser on purpose
    assert await rooms.recover() == 1
    assert rooms.stopped == 0
    state = rooms.state_of(table.users[0].id)
    assert state is not None
    assert state.dps == table.state.dps
    await rooms.stop()
    await database.close()


@pytest.mark.sqlite_only
async def test_a_backup_made_while_it_is_played_is_whole(
    database: Database, database_url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = await sql_table(database)
    await table.at_first_turn()
    target = tmp_path / "backup.sqlite3"
    writing = asyncio.create_task(write_on(database))
    assert await command("backup", str(target), "--database-url", database_url) == 0
    writing.cancel()
    await asyncio.gather(writing, return_exceptions=True)
    await check_restored(f"sqlite:///{target}", table)
    assert await command("backup", str(target), "--database-url", database_url) == 2  # never over another
    assert "exists" in capsys.readouterr().err
    await table.room.stop(CloseCode.END)


async def write_on(database: Database) -> None:
    number = 0
    while True:
        await execute(database, f"UPDATE rooms SET updated_ms = updated_ms + {number % 2}")
        number += 1


async def test_postgresql_is_dumped_and_restored(
    database: Database,
    database_url: str,
    database_kind: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    if database_kind != "postgresql" or not shutil.which("pg_dump") or not shutil.which("pg_restore"):
        pytest.skip("needs PostgreSQL and its client programs")
    table = await sql_table(database)
    await table.at_first_turn()
    assert await command("backup", str(tmp_path / "x"), "--database-url", database_url) == 2
    assert "pg_dump" in capsys.readouterr().err
    target = f"{urlsplit(database_url).path[1:]}_restored"
    await asyncio.to_thread(dump_and_restore, database_url, target, tmp_path / "erma.dump")
    try:
        await check_restored(postgres.url_of(target), table)
    finally:
        await asyncio.to_thread(postgres.run, f"DROP DATABASE {target} WITH (FORCE)")
    await table.room.stop(CloseCode.END)


def dump_and_restore(url: str, target: str, file: Path) -> None:
    """As docs/OPERATIONS.md has it."""
    subprocess.run(["pg_dump", "--format=custom", f"--file={file}", url], check=True)
    postgres.run(f"CREATE DATABASE {target}")
    restore = [
        "pg_restore",
        "--exit-on-error",
        "--no-owner",
        f"--dbname={postgres.url_of(target)}",
        str(file),
    ]
    subprocess.run(restore, check=True)


async def test_a_newer_database_is_refused_in_words(
    database: Database, database_url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    await execute(database, "UPDATE alembic_version SET version_num = '20990101_01'")
    await database.close()
    for name in ("migrate", "serve"):
        assert await command(name, "--database-url", database_url) == 1
        said = capsys.readouterr().err
        assert "20990101_01" in said
        assert "newer version" in said
