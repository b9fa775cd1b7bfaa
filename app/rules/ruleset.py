"""A rule set: one frozen value read from a data file of this package.

A variant is a file under ``app/rules/data``, never an ``if`` in the engine. Source: RULES, head and §7.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache
from importlib.resources import files
from typing import Any

from app.rules.enums import pinned

_DATA = files(__package__) / "data"

RULESET_IDS = ("classic64", "jiule72", "dazhong72", "baiwan64")


class UnknownRuleSet(LookupError):
    """No rule set has this id."""


@pinned
class Counting(StrEnum):
    """How often a fan type may count in one hand. Source: RULES §7.3."""

    MCR = "mcr"
    ONCE = "once"


@pinned
class ReadyRule(StrEnum):
    """When a hand may be declared ready. Source: RULES §5."""

    NEVER = "never"
    ANY = "any"
    CONCEALED = "concealed"  # only with no exposed meld
    HEAVENLY_ONLY = "heavenly-only"


@dataclass(frozen=True, slots=True)
class Fan:
    """One row of a fan table.

    ``position`` is the row's place in the table, which breaks ties of value; ``excludes`` holds fan ids.
    ``per_tile`` rows count once per tile even where every other fan counts once. ``unreachable`` rows
    stand in the source's table but no hand of this tile set can form them.
    """

    id: str
    zh: str
    value: int
    position: int
    excludes: frozenset[str] = frozenset()
    per_tile: bool = False
    unreachable: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class RuleSet:
    """Everything that distinguishes one variant from another. There is one value of each, told by identity.

    Multipliers are plain factors (1 = the variant lacks the option); ``version`` names the state of
    this data inside stored records, so that a round can be replayed under the rules it was played by.
    """

    id: str
    version: int
    zh: str
    en: str
    tiles: int
    flowers: bool
    counting: Counting
    ready: ReadyRule
    ready_multiplier: int
    open_hand_multiplier: int
    double_multiplier: int
    winds: bool
    claims_after_last_tile: bool
    min_fan: int
    fans: tuple[Fan, ...]
    has_heavenly_ready: bool = field(init=False)
    """天聽 is a fan here, so the pause before the first turn asks for it. Source: RULES §3.4."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "has_heavenly_ready", self.has_fan("heavenly_ready"))

    def __deepcopy__(self, memo: dict[int, Any]) -> RuleSet:
        return self

    def has_fan(self, fan_id: str) -> bool:
        return any(fan.id == fan_id and not fan.unreachable for fan in self.fans)


@cache
def load_ruleset(ruleset_id: str) -> RuleSet:
    """The rule set of this id.

    Raises:
        UnknownRuleSet: no data file has it.
    """
    if ruleset_id not in RULESET_IDS:
        raise UnknownRuleSet(ruleset_id)
    return _read(ruleset_id)


def load_version(ruleset_id: str, version: int) -> RuleSet:
    """The rule set as it stood in this version: the present one, or ``data/<id>-<version>.toml``.

    Raises:
        UnknownRuleSet: there is no such rule set, or its data of that version is not kept.
    """
    current = load_ruleset(ruleset_id)
    return current if version == current.version else _older(ruleset_id, version)


@cache
def _older(ruleset_id: str, version: int) -> RuleSet:
    rules = _read(f"{ruleset_id}-{version}")
    if (rules.id, rules.version) != (ruleset_id, version):
        raise UnknownRuleSet(f"{ruleset_id}-{version} holds {rules.id} {rules.version}")
    return rules


def _read(name: str) -> RuleSet:
    file = _DATA.joinpath(f"{name}.toml")
    if not file.is_file():
        raise UnknownRuleSet(name)
    data = tomllib.loads(file.read_text("utf-8"))
    ready = data["ready"]
    return RuleSet(
        id=data["id"],
        version=data["version"],
        zh=data["zh"],
        en=data["en"],
        tiles=data["tiles"],
        flowers=data["flowers"],
        counting=Counting(data["counting"]),
        ready=ReadyRule(ready["declare"]),
        ready_multiplier=ready["multiplier"],
        open_hand_multiplier=data["open_hand_multiplier"],
        double_multiplier=data["double_multiplier"],
        winds=data["winds"],
        claims_after_last_tile=data["claims_after_last_tile"],
        min_fan=data["min_fan"],
        fans=tuple(_fan(position, row) for position, row in enumerate(data["fans"])),
    )


def _fan(position: int, row: dict[str, Any]) -> Fan:
    return Fan(
        id=row["id"],
        zh=row["zh"],
        value=row["value"],
        position=position,
        excludes=frozenset(row.get("excludes", ())),
        per_tile=row.get("per_tile", False),
        unreachable=row.get("unreachable", False),
    )
