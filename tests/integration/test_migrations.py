"""The schema goes up and down with players in it, and is what the models say."""

from __future__ import annotations

import re
import sqlite3
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Index

from app.economy.operators import By
from app.economy.player_desk import Sanction
from app.rules.ruleset import RULESET_IDS, load_ruleset
from app.store import migrate
from app.store.database import Database
from app.store.models import Base
from app.store.player_desk import SqlPlayerDesk
from app.store.tiers import SqlTiers
from tests.integration.stories import execute, play_a_round

PARTS = re.compile(r"\n|, (?=\w+ [A-Z])")  # lines, and columns that were added at the end of the last one


def schema(file: Path) -> dict[str, set[str]]:
    """Each table and index with its parts, in no order: constraints may be listed differently.

    Triggers are the migrations' alone (``test_append_only``), and go with their tables.
    """
    with sqlite3.connect(file) as connection:
        rows = connection.execute(
            "SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL AND type <> 'trigger'"
        ).fetchall()
    connection.close()
    return {
        name: {part.strip(" \t,)") for part in PARTS.split(re.sub(r" +", " ", sql.replace('"', "")))}
        for name, sql in rows
        if name != "alembic_version"
    }


def is_comparable(item: object, *_: object) -> bool:
    """Alembic cannot read descending indexes back from SQLite; they are compared as text below."""
    return not (isinstance(item, Index) and str(item.name).startswith("ix_standings_"))


async def test_models_and_migrations_make_the_same_schema(database: Database, tmp_path: Path) -> None:
    def differences(connection: Connection) -> list[object]:
        options = {"include_object": is_comparable}
        return list(compare_metadata(MigrationContext.configure(connection, opts=options), Base.metadata))

    assert await database.read(differences) == []

    by_models = Database(f"sqlite:///{tmp_path}/models.sqlite3")
    await by_models.write(Base.metadata.create_all)
    await by_models.close()
    assert database.file is not None
    assert schema(tmp_path / "models.sqlite3") == schema(database.file)  # named checks included


async def test_down_and_up_again_with_data_in_the_tables(database: Database, database_url: str) -> None:
    await play_a_round(database)
    await database.close()
    script = ScriptDirectory(str(migrate.MIGRATIONS))
    revisions = [revision.revision for revision in script.walk_revisions()]  # newest first
    for revision in [*revisions[1:], "base"]:
        await migrate.downgrade(database_url, revision)
    assert database.file is not None
    assert schema(database.file) == {}
    await migrate.upgrade(database_url)
    await migrate.check(database_url)


async def test_each_step_keeps_what_it_does_not_concern(database: Database, database_url: str) -> None:
    await play_a_round(database)
    await database.close()
    await migrate.downgrade(database_url, "20261129_03")
    await migrate.upgrade(database_url)
    again = Database(database_url)
    users = await execute(again, "SELECT name, points FROM users WHERE id <> 'computer' ORDER BY name")
    assert users == [("ann", 26), ("bob", 0)]
    assert await execute(again, "SELECT count(*) FROM accounts WHERE id LIKE 'user:%'") == [(2,)]
    await again.close()


async def test_standings_are_filled_from_the_rounds_played(database: Database, database_url: str) -> None:
    await play_a_round(database)
    kept = (
        "SELECT * FROM standings ORDER BY period, user_id",
        "SELECT * FROM tallies WHERE n <> 0 ORDER BY period, measure, level, prefix",
    )
    before = [await execute(database, statement) for statement in kept]
    await database.close()
    assert len(before[0]) == 6  # two players in all time, a day, a week
    await migrate.downgrade(database_url, "20261129_04")
    await migrate.upgrade(database_url)
    again = Database(database_url)
    assert [await execute(again, statement) for statement in kept] == before
    await again.close()


async def test_the_older_schema_counts_banned_players_again(database: Database, database_url: str) -> None:
    batch = await play_a_round(database)
    tallies = "SELECT * FROM tallies WHERE n <> 0 ORDER BY period, measure, level, prefix"
    before = await execute(database, tallies)
    winner, loser = (result.user_id for result in batch.results)
    await SqlPlayerDesk(database).sanction(winner, Sanction.BAN, True, By(loser, "x", 1))
    assert await execute(database, tallies) != before
    await database.close()
    await migrate.downgrade(database_url, "20261129_11")
    older = Database(database_url)
    assert await execute(older, tallies) == before
    await older.close()


async def test_a_newer_database_is_refused_and_left_alone(database: Database, database_url: str) -> None:
    await execute(database, "UPDATE alembic_version SET version_num = '20990101_01'")
    await database.close()
    assert database.file is not None
    before = schema(database.file)
    with pytest.raises(migrate.NewerSchema, match="20990101_01"):
        await migrate.upgrade(database_url)
    with pytest.raises(migrate.NewerSchema, match="newer version"):
        await migrate.check(database_url)
    assert schema(database.file) == before


async def test_an_older_or_missing_database_is_told_apart(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/erma.sqlite3"
    with pytest.raises(migrate.SchemaError, match="no database"):
        await migrate.check(url)
    await migrate.upgrade(url, "20261129_01")
    with pytest.raises(migrate.SchemaError, match="run `migrate`"):
        await migrate.check(url)


async def test_the_twenty_four_tiers(database: Database) -> None:
    tiers = await SqlTiers(database).all()
    assert [tier.id for tier in tiers] == [f"{ruleset}-{n}" for ruleset in RULESET_IDS for n in range(1, 7)]
    for tier in tiers:
        rules = load_ruleset(tier.ruleset)
        assert tier.entry_min == tier.base_stake * 50
        assert (tier.rake_bp, tier.table_fee, tier.entry_max, tier.min_fan) == (500, 0, None, None)
        assert tier.open_hand == (rules.open_hand_multiplier > 1)
        assert tier.double == (rules.double_multiplier > 1)
        assert tier.is_open
    assert [(tier.name, tier.base_stake) for tier in tiers[:6]] == [
        ("雀仔場", 10),
        ("麻雀場", 50),
        ("銅雀場", 100),
        ("銀雀場", 500),
        ("金雀場", 2_000),
        ("雀王場", 10_000),
    ]
