"""The server is killed at every named point and at any instant, and no acknowledged move is lost.

The checks themselves are tested too: each kind of loss is found.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from app.chaos.checks import faults_of
from app.chaos.journal import Acked, Journal
from app.cli.registry import main
from app.rooms.connection import CloseCode
from app.rooms.faults import UnknownFault, arm
from app.store.database import Database
from tests.integration import postgres
from tests.integration.sql_tables import sql_table
from tests.integration.stories import execute

POINTS = ("before_commit", "after_commit", "mid_settlement", "mid_migration", "random")


def unleash(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, object]:
    status = main(["chaos", *arguments])
    summary: dict[str, object] = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert summary["faults"] == []
    assert (status, summary["ok"]) == (0, True)
    return summary


def test_nothing_is_lost(capsys: pytest.CaptureFixture[str]) -> None:
    summary = unleash(capsys, "--kills", "8", "--pause", "0", "--rooms", "2")
    assert all(summary[f"kills_{point}"] for point in POINTS)
    assert summary["acks"]
    assert summary["views_compared"]


@pytest.mark.long
def test_nothing_is_lost_in_five_hundred_kills(capsys: pytest.CaptureFixture[str]) -> None:
    summary = unleash(
        capsys, "--kills", "500", "--pause", "0.5", "--rooms", "4", "--seconds", "3000", "--seed", "1"
    )
    assert int(str(summary["kills"])) >= 500
    assert summary["writer_kills"]


@pytest.mark.long
def test_nothing_is_lost_on_postgresql(capsys: pytest.CaptureFixture[str]) -> None:
    if not postgres.answers():
        pytest.skip("no PostgreSQL answers")
    postgres.run("DROP DATABASE IF EXISTS erma_chaos WITH (FORCE)", "CREATE DATABASE erma_chaos")
    url = postgres.url_of("erma_chaos")
    summary = unleash(capsys, "--database-url", url, "--kills", "60", "--pause", "1", "--rooms", "3")
    postgres.run("DROP DATABASE erma_chaos WITH (FORCE)")
    assert all(summary[f"kills_{point}"] for point in POINTS)


@pytest.mark.long
def test_nothing_is_lost_over_long_outages(capsys: pytest.CaptureFixture[str]) -> None:
    """Up to ten seconds away: nobody's time runs out meanwhile."""
    unleash(capsys, "--kills", "12", "--pause", "10", "--rooms", "3", "--seed", "2")


def test_a_database_with_players_is_left_alone(
    database_url: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    import sqlite3

    file = database_url.removeprefix("sqlite:///")
    with sqlite3.connect(file) as connection:
        columns = "id, name, is_guest, points, created_ms"
        connection.execute(f"INSERT INTO users ({columns}) VALUES ('u', 'ann', 1, 0, 0)")
    connection.close()
    assert main(["chaos", "--database-url", database_url]) == 2
    assert "1 players" in capsys.readouterr().err


@pytest.mark.parametrize("fault", ["", "before_commit", "before_commit:0", "nowhere:1", "before_commit:x"])
def test_a_fault_must_be_known(fault: str) -> None:
    with pytest.raises(UnknownFault):
        arm(fault)


@pytest.mark.parametrize("command", ["serve", "migrate"])
def test_an_unknown_fault_is_said(
    command: str, database_url: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("ERMA_FAULT", "nowhere:1")
    assert main([command, "--database-url", database_url]) == 1
    assert "nowhere:1" in capsys.readouterr().err


# --- the checks ---------------------------------------------------------------------------------------------


async def played(database: Database) -> Journal:
    """A round with a few moves, and what its players were told."""
    table = await sql_table(database)
    readers = await table.at_first_turn()
    journal = Journal()
    for reader in readers:
        for ack in reader.of("ack"):
            journal.acked.append(Acked(reader.connection.user_id, ack["id"], ack["seq"]))
    rows = await execute(
        database,
        "SELECT rounds.id, CASE seat WHEN 0 THEN player0 ELSE player1 END, code FROM actions "
        "JOIN rounds ON rounds.id = round_id ORDER BY n",
    )
    for round_id, user_id, code in rows:
        journal.played[round_id, user_id].append(code)
    await table.room.stop(CloseCode.END)
    return journal


async def test_what_holds_is_no_fault(database: Database) -> None:
    journal = await played(database)
    assert len(journal.acked) == 6
    assert await faults_of(database, journal) == []


def unheard(journal: Journal) -> None:
    """An action is stored that nobody was told of."""
    next(iter(journal.played.values())).pop()


def twice(journal: Journal) -> None:
    actions = next(iter(journal.played.values()))
    actions.insert(0, actions[0])


def elsewhere(journal: Journal) -> None:
    acked = journal.acked[0]
    journal.acked[0] = Acked(acked.user_id, acked.action_id, acked.seq + 1)


@pytest.mark.parametrize("change", [unheard, twice, elsewhere])
async def test_other_than_was_told_is_found(database: Database, change: Callable[[Journal], None]) -> None:
    journal = await played(database)
    change(journal)
    assert len(await faults_of(database, journal)) == 1


async def test_an_action_never_answered_may_be_there_or_not(database: Database) -> None:
    journal = await played(database)
    key = next(iter(journal.played))
    journal.open[key] = journal.played[key].pop()
    assert await faults_of(database, journal) == []
    journal.played[key].append(journal.open[key])
    assert await faults_of(database, journal) == []


LOSSES = {
    "an answer": "DELETE FROM answers WHERE action_id LIKE '%-1'",
    "an action": "DELETE FROM actions WHERE n = 1",
    "a result": "UPDATE rounds SET status = 'finished'",
    "a void": "UPDATE rounds SET status = 'voided'",
    "time": "UPDATE events SET kind = 'auto_play' WHERE seq = 1",
    "coins": "UPDATE accounts SET balance = balance + 1 WHERE id = 'house:rake'",
}


@pytest.mark.parametrize("loss", LOSSES)
async def test_each_loss_is_found(database: Database, loss: str) -> None:
    journal = await played(database)
    await execute(database, LOSSES[loss])
    assert await faults_of(database, journal)
