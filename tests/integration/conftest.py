"""A database made by the migrations, empty of players, for each test."""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from app.store import migrate
from app.store.database import Database


@pytest.fixture(scope="session")
def migrated_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Migrated once; tests work on copies."""
    file = tmp_path_factory.mktemp("database") / "migrated.sqlite3"
    migrate.upgrade_now(f"sqlite:///{file}")
    return file


@pytest.fixture
def database_url(migrated_file: Path, tmp_path: Path) -> str:
    file = tmp_path / "erma.sqlite3"
    shutil.copyfile(migrated_file, file)
    return f"sqlite:///{file}"


@pytest.fixture
async def database(database_url: str) -> AsyncIterator[Database]:
    database = Database(database_url)
    yield database
    await database.close()
