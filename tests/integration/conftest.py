"""A database made by the migrations, empty of players, for each test."""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from fastapi import FastAPI
from httpx import ASGITransport, AsyncClient

from app.main import create_app
from app.settings import load_settings
from app.store import migrate
from app.store.database import Database
from tests.integration.fake_rooms import FakeRooms


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
