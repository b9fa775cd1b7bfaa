"""What a won hand is worth. Source: RULES §7; PROTOCOL §1.1."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple


class CountedFan(NamedTuple):
    """A fan of a score: ``value`` of one, ``count`` of them."""

    id: str
    zh: str
    value: int
    count: int  # type: ignore[assignment]  # the wire's name for it; tuple.count is not missed


@dataclass(frozen=True, slots=True)
class Score:
    """``total`` of all fans; ``base_total`` of those that count towards a minimum, that is without flowers.

    ``fans`` by value, highest first, then by table order.
    """

    total: int
    base_total: int
    fans: tuple[CountedFan, ...]
