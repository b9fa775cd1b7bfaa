"""The audit passes after play and finds each kind of fault."""

from __future__ import annotations

import json

import pytest

from app.cli.registry import main
from app.store.audit import audit
from app.store.database import Database
from tests.integration.stories import execute, play_a_round

ON_EVERY_DATABASE = True


async def test_a_played_round_is_proved(database: Database) -> None:
    await play_a_round(database)
    report = await audit(database)
    assert report.fault is None
    assert (report.users, report.rounds, report.postings, report.entries) == (2, 1, 3, 7)
    assert report.issued == report.held == 20_000


FAULTS = {
    "posting_sums_to_zero": "UPDATE entries SET amount = amount + 1 WHERE account_id = 'house:rake'",
    "entry_has_a_posting": "DELETE FROM postings WHERE kind = 'settlement'",
    "balance_equals_its_entries": "UPDATE accounts SET balance = balance + 1 WHERE id = 'house:rake'",
    "entry_has_an_account": "DELETE FROM accounts WHERE id = 'house:rake'",
    "who_has_left_holds_nothing": "UPDATE users SET left_ms = 1 WHERE name = 'ann'",
    "points_equal_their_results": "UPDATE users SET points = points + 1 WHERE name = 'ann'",
    "every_user_has_a_purse": (
        "INSERT INTO users (id, name, is_guest, points, created_ms) VALUES ('x', 'x', true, 0, 0)"
    ),
}


UNCHECKED = {  # neither foreign keys nor triggers prevent the fault
    "sqlite": ("DROP TRIGGER entries_no_update", "DROP TRIGGER postings_no_delete"),
    "postgresql": ("SET LOCAL session_replication_role = replica",),
}


@pytest.mark.parametrize("check", FAULTS)
async def test_each_fault_is_found(
    database: Database, database_url: str, database_kind: str, check: str
) -> None:
    await play_a_round(database)
    await database.close()
    unchecked = Database(database_url, for_migration=True)
    await execute(unchecked, *UNCHECKED[database_kind], FAULTS[check])
    report = await audit(unchecked)
    await unchecked.close()
    assert report.fault is not None
    assert report.fault.check == check


@pytest.mark.sqlite_only
async def test_a_purse_below_zero_is_found_even_with_matching_entries(
    database: Database, database_url: str
) -> None:
    await play_a_round(database)
    await database.close()
    unchecked = Database(database_url, for_migration=True)
    await execute(
        unchecked,
        "PRAGMA ignore_check_constraints=ON",
        "INSERT INTO postings (id, key, kind, at_ms) VALUES ('p', 'p', 'fee', 0)",
        "INSERT INTO entries VALUES ('p', 'house:rake', -100), ('p', 'house:fees', 100)",
        "UPDATE accounts SET balance = balance - 100 WHERE id = 'house:rake'",
        "UPDATE accounts SET balance = balance + 100 WHERE id = 'house:fees'",
    )
    report = await audit(unchecked)
    await unchecked.close()
    assert report.fault is not None
    assert report.fault.check == "no_balance_below_zero"


def test_the_command_prints_json_and_exits_by_the_finding(
    database_url: str, capsys: pytest.CaptureFixture[str], tmp_path_factory: pytest.TempPathFactory
) -> None:
    assert main(["audit", "--database-url", database_url]) == 0
    assert json.loads(capsys.readouterr().out)["ok"] is True
    nowhere = tmp_path_factory.mktemp("empty") / "none.sqlite3"
    assert main(["audit", "--database-url", f"sqlite:///{nowhere}"]) == 2
    assert "no database" in capsys.readouterr().err
    assert not nowhere.exists()
    assert main(["migrate", "--database-url", f"sqlite:///{nowhere}"]) == 0
    assert main(["audit", "--database-url", f"sqlite:///{nowhere}"]) == 0


async def test_the_command_exits_1_with_the_first_fault(
    database: Database, database_url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    await execute(database, "UPDATE accounts SET balance = 5 WHERE id = 'house:fees'")
    await database.close()
    import asyncio

    assert await asyncio.to_thread(main, ["audit", "--database-url", database_url]) == 1
    report = json.loads(capsys.readouterr().out)
    assert report["fault"]["check"] == "balance_equals_its_entries"
    assert report["fault"]["row"]["id"] == "house:fees"
