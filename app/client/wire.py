"""What all wire values have in common. Source: docs/PROTOCOL.md §1."""

from __future__ import annotations

from typing import TypeAlias

import msgspec

Tiles: TypeAlias = list[str]
Pair: TypeAlias = tuple[int, int]


class Strict(msgspec.Struct, forbid_unknown_fields=True):
    """A wire value: an unknown or missing field is an error."""


class User(Strict):
    id: str
    name: str


class CountedFan(Strict):
    id: str
    zh: str
    value: int
    count: int
