"""Enums that cost no more than the values they stand for.

CPython 3.11 finds a member through a descriptor written in Python and hashes it by a call into Python: ten
times the price of an attribute, several dozen times in every step of a round. Later versions do neither.
"""

from __future__ import annotations

from enum import Enum
from typing import TypeVar

E = TypeVar("E", bound=type[Enum])


def pinned(enum: E) -> E:
    """The same enum, its members plain class attributes, hashed by the mixed-in type (or by identity)."""
    for name, member in enum.__members__.items():
        type.__setattr__(enum, name, member)
    mixed_in = str if issubclass(enum, str) else object
    type.__setattr__(enum, "__hash__", mixed_in.__hash__)
    return enum
