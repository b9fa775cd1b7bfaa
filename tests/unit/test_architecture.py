"""The stairs of the house are one-way. Source: docs/adr/0001.

Every import is looked at, also those inside functions and under ``TYPE_CHECKING``.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

APP = Path(__file__).parents[2] / "app"

FLOORS = {  # higher stands on lower; what shares a number are neighbours and do not know each other
    "__main__": 7,
    "cli": 6,
    "main": 5,
    "chaos": 5,
    "settings": 4,
    "api": 4,
    "store": 4,
    "soak": 4,
    "rooms": 3,
    "bots": 2,
    "economy": 1,
    "engine": 1,
    "rules": 0,
    "client": 0,  # speaks the wire and knows nobody
}
PURE = {"engine", "rules", "economy"}  # the standard library alone
IMPURE_MODULES = {"asyncio", "time", "random", "datetime", "secrets", "os", "socket", "threading", "uuid"}
STRANGERS = {("economy", "rules")}  # downstairs, and still none of its business: it never sees a tile


def modules() -> list[Path]:
    return sorted(APP.rglob("*.py"))


def room_of(path: Path) -> str:
    first = path.relative_to(APP).parts[0]
    return first.removesuffix(".py")


def imports(path: Path) -> Iterator[str]:
    """Absolute names of all modules imported."""
    package = path.relative_to(APP.parent).parent.parts
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            yield node.module or ""
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1]
            yield ".".join((*base, *(node.module or "").split(".")))


def may_import(upstairs: str, downstairs: str) -> bool:
    if downstairs == "settings":
        return upstairs in {"main", "cli", "settings"}
    if (upstairs, downstairs) in STRANGERS:
        return False
    return upstairs == downstairs or FLOORS[upstairs] > FLOORS[downstairs]


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(APP)))
def test_imports_go_downstairs_only(path: Path) -> None:
    room = room_of(path)
    if room == "__init__":
        assert not [name for name in imports(path) if name != "__future__"]
        return
    for name in imports(path):
        top, *rest = name.split(".")
        if top == "app" and rest and rest[0] in FLOORS:
            assert may_import(room, rest[0]), f"{room} must not import {name}"
        elif top != "app" and room in PURE:
            assert top in sys.stdlib_module_names, f"{room} is standard library alone, not {name}"
            assert room == "economy" or top not in IMPURE_MODULES, (
                f"{room} is pure and must not import {name}"
            )


def test_every_room_has_its_floor() -> None:
    assert {room_of(path) for path in modules()} <= {*FLOORS, "__init__"}


@pytest.mark.parametrize(
    ("upstairs", "downstairs", "allowed"),
    [
        ("main", "store", True),
        ("cli", "main", True),
        ("api", "rooms", True),
        ("store", "economy", True),
        ("rooms", "bots", True),
        ("bots", "engine", True),
        ("api", "store", False),
        ("store", "api", False),
        ("engine", "economy", False),
        ("economy", "engine", False),
        ("economy", "rules", False),
        ("rules", "engine", False),
        ("rooms", "store", False),
        ("api", "settings", False),
        ("store", "settings", False),
        ("main", "settings", True),
        ("main", "cli", False),
        ("chaos", "main", False),
        ("chaos", "client", True),
    ],
)
def test_the_guard_itself(upstairs: str, downstairs: str, allowed: bool) -> None:
    assert may_import(upstairs, downstairs) is allowed
