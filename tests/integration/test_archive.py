"""What ``archive`` takes little by little, passes over, and mends. Source: docs/OPERATIONS.md."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from app.cli.archive_file import mend, new_file
from app.store import archive
from app.store.archive import SqlArchive, WholeRound
from app.store.backend import T, Work
from app.store.database import Database
from tests.integration.sql_tables import SqlTable
from tests.integration.stories import execute
from tests.integration.test_keeping import command, last_line, played, round_of
from tests.integration.test_stopped_rooms import NO_SHAPE, TORN, spoil

ON_EVERY_DATABASE = True

AT_MS = 10**15  # long after everything
TORN_LINE = b'{"id":"torn'


@pytest.fixture(autouse=True)
def without_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "REST_SECONDS", 0)


class Counting(Database):
    """How many rows of rooms' logs each writing transaction has taken away."""

    def __init__(self, url: str) -> None:
        super().__init__(url)
        self.taken: list[int] = []

    async def write(self, work: Work[T]) -> T:
        before = await counted_logs(self)
        done = await super().write(work)
        self.taken.append(before - await counted_logs(self))
        return done


async def counted_logs(database: Database) -> int:
    count = "SELECT (SELECT count(*) FROM events) + (SELECT count(*) FROM answers)"
    return int(await database.read(lambda connection: connection.exec_driver_sql(count).scalar_one()))


async def test_rooms_are_emptied_a_few_rows_at_a_time_and_once(
    database: Database, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables = [await played(database, seed) for seed in (1, 2, 3)]
    await SqlArchive(database).prune([round_of(table) for table in tables[1:]], 1)
    kept = f"SELECT count(*) FROM answers WHERE room_id = '{tables[0].state.id}'"
    not_due = await execute(database, kept)
    monkeypatch.setattr(archive, "CHUNK", 1)
    monkeypatch.setattr(archive, "ROWS", 2)
    counting = Counting(database_url)
    await SqlArchive(counting).prune_rooms(AT_MS)
    taken, counting.taken = counting.taken, []
    await SqlArchive(counting).prune_rooms(AT_MS)
    await counting.close()
    assert max(taken) == 2
    assert counting.taken == []
    rooms = "SELECT DISTINCT room_id FROM events UNION SELECT DISTINCT room_id FROM answers"
    assert await execute(database, rooms) == [(tables[0].state.id,)]  # whose round is not archived
    assert await execute(database, kept) == not_due


async def test_rounds_are_taken_out_a_few_at_a_time(
    database: Database, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    round_ids = [round_of(await played(database, seed)) for seed in (1, 2, 3)]
    of_rounds = "SELECT round_id, count(*) FROM events WHERE round_id IS NOT NULL GROUP BY round_id"
    rows = dict(await execute(database, of_rounds))
    monkeypatch.setattr(archive, "ROUNDS", 2)
    counting = Counting(database_url)
    await SqlArchive(counting).prune([], 1)
    assert counting.taken == []
    await SqlArchive(counting).prune(round_ids, 1)
    await counting.close()
    first, second, third = (rows[round_id] for round_id in round_ids)
    assert counting.taken == [first + second, third]
    left = "SELECT count(*) FROM actions UNION ALL SELECT count(*) FROM rounds WHERE archived_ms IS NULL"
    assert await execute(database, left) == [(0,), (0,)]


async def test_a_round_that_somebody_else_archives_meanwhile_is_left_to_him(
    database: Database, database_url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tables = [await played(database, seed) for seed in (1, 2)]
    whole = SqlArchive.whole

    async def second(self: SqlArchive, round_id: str) -> WholeRound | None:
        await self.prune([round_of(tables[0])], 1)
        return await whole(self, round_id)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(SqlArchive, "whole", second)
        assert await command("archive", str(tmp_path), "--database-url", database_url) == 0
    summary = last_line(capsys)
    assert summary["rounds"] == 1
    assert await command("verify", summary["file"]) == 0


async def check_passed_over(
    database: Database, url: str, directory: Path, broken: SqlTable, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its round stays, whole, and is said to at every run; those behind it go, once."""
    round_id = round_of(broken)
    logged = f"SELECT count(*) FROM events WHERE room_id = '{broken.state.id}'"
    before = await execute(database, logged)
    for rounds in (1, 0):
        assert await command("archive", str(directory), "--database-url", url) == 1
        said = capsys.readouterr()
        summary = json.loads(said.out.splitlines()[-1])
        assert (summary["rounds"], summary["unreadable"]) == (rounds, 1)
        assert f"round {round_id} cannot be read" in said.err
    over = f"SELECT archived_ms FROM rounds WHERE id = '{round_id}'"
    assert await execute(database, over) == [(None,)]
    assert await execute(database, logged) == before


async def test_a_round_that_cannot_be_read_is_passed_over(
    database: Database,
    database_url: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    broken, _ = [await played(database, seed) for seed in (1, 2)]
    await spoil(database, "rooms.tier", broken.state.id, NO_SHAPE)
    monkeypatch.setattr(archive, "CHUNK", 1)
    await check_passed_over(database, database_url, tmp_path, broken, capsys)


@pytest.mark.sqlite_only
@pytest.mark.parametrize("column", ["rooms.tier", "rounds.options", "rounds.result", "events.data"])
async def test_a_round_of_which_something_is_no_json_is_passed_over(
    database: Database, database_url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], column: str
) -> None:
    broken, _ = [await played(database, seed) for seed in (1, 2)]
    await spoil(database, column, broken.state.id, TORN)
    await check_passed_over(database, database_url, tmp_path, broken, capsys)


async def test_a_line_without_its_end_is_told_and_cut_off(
    database: Database, database_url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    await played(database)
    assert await command("archive", str(tmp_path), "--database-url", database_url) == 0
    file = Path(last_line(capsys)["file"])
    whole = await asyncio.to_thread(file.read_bytes)
    await asyncio.to_thread(file.write_bytes, whole + TORN_LINE)
    assert await command("verify", str(file)) == 1
    fault = last_line(capsys)["fault"]
    assert (fault["check"], fault["where"]) == ("torn", "line 2")
    assert await command("archive", str(tmp_path), "--database-url", database_url) == 0
    assert f"{file}: " in capsys.readouterr().err
    assert await asyncio.to_thread(file.read_bytes) == whole
    assert await command("verify", str(file)) == 0


@pytest.mark.parametrize("lines", [b"", b"{}\n", b"{}\n" * 3])
def test_whatever_follows_the_last_end_of_a_line_is_cut_off(lines: bytes, tmp_path: Path) -> None:
    file = tmp_path / "rounds-1.jsonl"
    file.write_bytes(lines + b"x" * 200_000)
    mend(tmp_path)
    assert file.read_bytes() == lines


def test_a_file_that_is_being_written_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "rounds-1.jsonl"
    with new_file(path) as file:
        file.write(TORN_LINE)
        file.flush()
        mend(tmp_path)
        assert path.read_bytes() == TORN_LINE
    mend(tmp_path)
    assert path.read_bytes() == b""
