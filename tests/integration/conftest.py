"""A database made by the migrations, empty of players, for each test."""

from __future__ import annotations

import itertools
import os
import shutil
from collections.abc import AsyncIterator, Iterator
from functools import partial
from pathlib import Path

import pytest
from argon2 import PasswordHasher
from fastapi import FastAPI
from httpx import ASGITransport, AsyncClient

from app.api import passwords
from app.main import create_app
from app.settings import load_settings
from app.store.database import Database
from tests.integration import postgres
from tests.integration.fake_rooms import FakeRooms
from tests.integration.stories import migrate_in_a_hurry

_numbers = itertools.count(1)


@pytest.fixture(autouse=True)
def cheap_hashes(monkeypatch: pytest.MonkeyPatch) -> None:
    """A password's hash is made to take its time; here it would be most of a test's."""
    monkeypatch.setattr(passwords, "PasswordHasher", partial(PasswordHasher, time_cost=1, memory_cost=64))


@pytest.fixture(scope="session")
def migrated_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Migrated once; tests work on copies."""
    file = tmp_path_factory.mktemp("database") / "migrated.sqlite3"
    migrate_in_a_hurry(f"sqlite:///{file}")
    return file


@pytest.fixture(scope="session")
def migrated_postgres() -> Iterator[str]:
    """The name of a migrated PostgreSQL database that tests copy; skips where no server answers."""
    if not postgres.answers():
        pytest.skip("no PostgreSQL answers")
    name = f"erma_test_{os.getpid()}"
    postgres.run(f"CREATE DATABASE {name}")
    migrate_in_a_hurry(postgres.url_of(name))
    yield name
    postgres.run(f"DROP DATABASE {name} WITH (FORCE)")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Modules that say ``ON_EVERY_DATABASE`` run once on SQLite and once on PostgreSQL; those that say
    ``APART`` once more on SQLite with a process that writes to it.
    """
    wanted = getattr(metafunc.module, "ON_EVERY_DATABASE", False)
    only = metafunc.definition.get_closest_marker("sqlite_only")
    if "database_url" in metafunc.fixturenames and wanted and only is None:
        apart = ["apart"] if getattr(metafunc.module, "APART", False) else []
        metafunc.parametrize("database_kind", ["sqlite", *apart, "postgresql"], indirect=True)


@pytest.fixture
def database_kind(request: pytest.FixtureRequest) -> str:
    return str(getattr(request, "param", "sqlite"))


@pytest.fixture
def database_url(database_kind: str, request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    if database_kind != "postgresql":
        file = tmp_path / "erma.sqlite3"
        shutil.copyfile(request.getfixturevalue("migrated_file"), file)
        yield f"sqlite:///{file}"
        return
    template = request.getfixturevalue("migrated_postgres")
    name = f"{template}_{next(_numbers)}"
    postgres.run(f"CREATE DATABASE {name} TEMPLATE {template}")
    yield postgres.url_of(name)
    postgres.run(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture
async def database(database_url: str, database_kind: str) -> AsyncIterator[Database]:
    database = Database(database_url, apart=database_kind == "apart")
    yield database
    await database.close()


@pytest.fixture
def rooms() -> FakeRooms:
    return FakeRooms()


@pytest.fixture
async def app(database_url: str, rooms: FakeRooms) -> AsyncIterator[FastAPI]:
    app = create_app(load_settings(database_url=database_url, max_body_bytes=2_000), rooms=rooms)
    async with app.router.lifespan_context(app):
        yield app


@pytest.fixture
async def client(app: FastAPI) -> AsyncIterator[AsyncClient]:
    """A browser that has not been here before."""
    transport = ASGITransport(app, raise_app_exceptions=False)
    async with AsyncClient(transport=transport, base_url="http://erma.example") as client:
        yield client
