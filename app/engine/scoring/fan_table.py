"""A rule set's fan table made ready for counting: fans as bits, exclusions as masks, results remembered.

The bits stand in the order in which fans are counted, highest value first and ties by the table, so that
the rule "a fan is counted unless a counted fan excludes it" is one walk from the lowest bit up.
Source: RULES §7.2.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from app.engine.scoring.counting import counted_form_fans
from app.engine.scoring.readings import Form, Placement, Situation
from app.engine.scoring.result import CountedFan, Score
from app.engine.scoring.win_fans import FLOWER_FANS, PLACEMENT_FANS, SITUATION_FANS
from app.rules.ruleset import RuleSet

_REMEMBERED_FORMS = 1 << 17
_REMEMBERED_SITUATIONS = 1 << 14
_REMEMBERED_MASKS = 1 << 16


Multiples: TypeAlias = tuple[tuple[int, int], ...]
"""(bit, count) of each fan that is there more than once."""


class Found(NamedTuple):
    """Fans as a mask, and those there more than once."""

    mask: int
    more: Multiples = ()


class Kept(NamedTuple):
    """What exclusions leave: a mask, its value at one each, the table positions in counting order."""

    mask: int
    value: int
    positions: tuple[int, ...]


class FanTable:
    """One per rule set; see :func:`fan_table`."""

    def __init__(self, rules: RuleSet) -> None:
        self.fans = tuple(
            sorted(
                (fan for fan in rules.fans if not fan.unreachable),
                key=lambda fan: (-fan.value, fan.position),
            )
        )
        self.counting = rules.counting
        self.bits = {fan.id: 1 << index for index, fan in enumerate(self.fans)}
        self._values = {self.bits[fan.id]: fan.value for fan in self.fans}
        self._flowers = sum(self.bits.get(fan_id, 0) for fan_id in FLOWER_FANS)
        self._excluded = tuple(sum(self.bits.get(fan_id, 0) for fan_id in fan.excludes) for fan in self.fans)
        self._per_tile = frozenset(fan.id for fan in self.fans if fan.per_tile)
        # Remembered per instance, so that rule sets cannot answer for each other.
        self.of_form = lru_cache(_REMEMBERED_FORMS)(self._of_form)
        self.of_situation = lru_cache(_REMEMBERED_SITUATIONS)(self._of_situation)
        self.of_placement = lru_cache(None)(self._of_placement)
        self.keep = lru_cache(_REMEMBERED_MASKS)(self._keep)
        self.result = lru_cache(_REMEMBERED_MASKS)(self._result)

    def has(self, fan_id: str) -> bool:
        return fan_id in self.bits

    def surplus(self, mask: int, more: Multiples) -> int:
        """What the kept fans of ``mask`` are worth beyond one of each."""
        return sum(self._values[bit] * (count - 1) for bit, count in more if bit & mask)

    def _of_form(self, form: Form) -> Found:
        return self._found(counted_form_fans(form, self.counting, self.bits))

    def _of_situation(self, situation: Situation) -> Found:
        counts = {}
        for fan_id, predicate in SITUATION_FANS.items():
            if fan_id in self.bits and (count := int(predicate(situation))):
                counts[fan_id] = count if fan_id in self._per_tile else 1
        return self._found(counts)

    def _of_placement(self, placement: Placement) -> int:
        return sum(
            self.bits[id_]
            for id_, is_there in PLACEMENT_FANS.items()
            if id_ in self.bits and is_there(placement)
        )

    def _found(self, counts: Mapping[str, int]) -> Found:
        more = tuple((self.bits[fan_id], count) for fan_id, count in counts.items() if count > 1)
        return Found(sum(self.bits[fan_id] for fan_id in counts), more)

    def _keep(self, mask: int) -> Kept:
        kept, value, positions = 0, 0, []
        while mask:
            bit = mask & -mask
            fan = self.fans[bit.bit_length() - 1]
            kept |= bit
            value += fan.value
            positions.append(fan.position)
            mask &= ~(bit | self._excluded[bit.bit_length() - 1])
        return Kept(kept, value, tuple(positions))

    def _result(self, mask: int, more: Multiples) -> Score:
        counts = dict(more)
        fans, total, of_flowers = [], 0, 0
        for bit, fan in zip(self._values, self.fans, strict=True):
            if bit & mask:
                count = counts.get(bit, 1)
                fans.append(CountedFan(fan.id, fan.zh, fan.value, count))
                total += fan.value * count
                of_flowers += fan.value * count if bit & self._flowers else 0
        return Score(total, total - of_flowers, tuple(fans))


# By identity: hashing a rule set means hashing its whole table. It is kept, so that its id stays its own.
_TABLES: dict[int, tuple[RuleSet, FanTable]] = {}


def fan_table(rules: RuleSet) -> FanTable:
    """The table of this rule set, built once."""
    known = _TABLES.get(id(rules))
    if known is None:
        known = _TABLES[id(rules)] = (rules, FanTable(rules))
    return known[1]
