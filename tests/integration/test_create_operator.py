"""``create-operator`` makes accounts with a role. Source: PROTOCOL §1."""

from __future__ import annotations

import asyncio
import io
import json
from typing import Any

import pytest
from argon2 import PasswordHasher

from app.cli.registry import main
from app.store.database import Database
from tests.integration.stories import execute
from tests.integration.test_admin_players import is_proved

ON_EVERY_DATABASE = True

PASSWORD = "一把又長又重的鑰匙"
ROLES = "SELECT name, role, is_guest FROM users WHERE role IS NOT NULL ORDER BY id"


@pytest.fixture
def create(database_url: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Any:
    """Run the command with a password on stdin; its status and what it printed."""

    def run(*arguments: str, password: str = PASSWORD) -> tuple[int, str]:
        monkeypatch.setattr("sys.stdin", io.StringIO(f"{password}\n"))
        status = main(["create-operator", *arguments, "--database-url", database_url])
        return status, capsys.readouterr().out

    return run


async def in_thread(create: Any, *arguments: str, **options: str) -> tuple[int, str]:
    """The command begins a loop of its own."""
    result: tuple[int, str] = await asyncio.to_thread(create, *arguments, **options)
    return result


async def test_the_first_is_owner_and_the_next_are_not(
    create: Any, database: Database, database_url: str
) -> None:
    status, printed = await in_thread(create, "老闆")
    assert (status, json.loads(printed)["role"]) == (0, "owner")
    assert (await in_thread(create, "小李"))[0] == 0
    assert (await in_thread(create, "小王", "--role", "viewer"))[0] == 0
    assert (await in_thread(create, "老闆"))[0] == 1
    assert [(name, role, bool(guest)) for name, role, guest in await execute(database, ROLES)] == [
        ("老闆", "owner", False),
        ("小李", "operator", False),
        ("小王", "viewer", False),
    ]
    kept = await execute(database, "SELECT password_hash FROM users WHERE name = '老闆'")
    assert PasswordHasher().verify(kept[0][0], PASSWORD)
    logged = await execute(database, "SELECT action, subject = operator_id, reason FROM audit_log")
    assert {(action, bool(own), why) for action, own, why in logged} == {
        ("player.role", True, "create-operator")
    }
    assert await is_proved(database_url)


@pytest.mark.parametrize(("name", "password"), [("", PASSWORD), ("x" * 13, PASSWORD), ("老闆", "short")])
async def test_bad_names_and_passwords_make_nobody(
    create: Any, database: Database, name: str, password: str
) -> None:
    assert (await in_thread(create, name, password=password))[0] == 2
    assert await execute(database, ROLES) == []
