"""A rule set's fan table made ready for counting: fans as bits, exclusions as masks, results remembered.

The bits stand in the order in which fans are counted, highest value first and ties by the table, so that
the rule "a fan is counted unless a counted fan excludes it" is one walk from the lowest bit up.
Source: RULES §7.2.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from typing import Any, NamedTuple, TypeAlias

from app.engine.scoring.codes import Code
from app.engine.scoring.context import WinContext
from app.engine.scoring.counting import FormCounting
from app.engine.scoring.forms import Content, form_of, kinds_of
from app.engine.scoring.parts import SETS
from app.engine.scoring.readings import Placement, Situation, Wait
from app.engine.scoring.result import CountedFan, Score
from app.engine.scoring.win_fans import FLOWER_FANS, PLACEMENT_FANS, SITUATION_FANS
from app.rules.ruleset import RuleSet
from app.rules.tiles import Tile

_REMEMBERED_FORMS = 1 << 16
_REMEMBERED_SITUATIONS = 1 << 14
_REMEMBERED_MASKS = 1 << 16


Multiples: TypeAlias = tuple[tuple[int, int], ...]
"""(bit, count) of each fan that is there more than once."""


Circumstances: TypeAlias = tuple[Any, ...]
"""The fields of a :class:`WinContext` after the first, the winning tile."""

NO_TILE: Tile = -1


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
        self.bits = {fan.id: 1 << index for index, fan in enumerate(self.fans)}
        self._counting = FormCounting(rules.counting, self.bits)
        self._situation_fans = {id_: fan for id_, fan in SITUATION_FANS.items() if id_ in self.bits}
        self._single = tuple(CountedFan(fan.id, fan.zh, fan.value, 1) for fan in self.fans)
        self._values = {self.bits[fan.id]: fan.value for fan in self.fans}
        self._excluded = tuple(sum(self.bits.get(fan_id, 0) for fan_id in fan.excludes) for fan in self.fans)
        self._per_tile = frozenset(fan.id for fan in self.fans if fan.per_tile)
        # Remembered per instance, so that rule sets cannot answer for each other.
        self.of_chows = lru_cache(_REMEMBERED_FORMS)(self._of_chows)
        self.of_pungs = lru_cache(_REMEMBERED_FORMS)(self._of_pungs)
        self.of_content = lru_cache(_REMEMBERED_FORMS)(self._of_content)
        self.of_situation = lru_cache(_REMEMBERED_SITUATIONS)(self._of_situation)
        self.keep = lru_cache(_REMEMBERED_MASKS)(self._keep)
        self.result = lru_cache(_REMEMBERED_MASKS)(self._result)
        self.placed = tuple(
            tuple(self._of_placement(Placement(concealed, wait)) for wait in Wait)
            for concealed in range(SETS + 1)
        )
        """Masks by number of concealed pungs and wait."""

    def has(self, fan_id: str) -> bool:
        return fan_id in self.bits

    def surplus(self, mask: int, more: Multiples) -> int:
        """What the kept fans of ``mask`` are worth beyond one of each."""
        return sum(self._values[bit] * (count - 1) for bit, count in more if bit & mask)

    def _of_chows(self, code: Code) -> Found:
        return self._found(self._counting.chow_fans(form_of(code)))

    def _of_pungs(self, code: Code) -> Found:
        return self._found(self._counting.pung_fans(form_of(code)))

    def _of_content(self, kind_bits: int, fours: int, ranks: int, is_pairs: bool) -> Found:
        content = Content(frozenset(kinds_of(kind_bits)), fours, ranks, is_pairs)
        return self._found(self._counting.content_fans(content))

    def _of_situation(
        self, circumstances: Circumstances, exposed_sets: int, concealed_kongs: int, melded_kongs: int
    ) -> Found:
        """``circumstances``: a context without its winning tile."""
        context = WinContext(NO_TILE, *circumstances)
        situation = Situation(context, exposed_sets, concealed_kongs, melded_kongs)
        counts = {}
        for fan_id, predicate in self._situation_fans.items():
            if count := predicate(situation):
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
            place = bit.bit_length() - 1
            fan = self.fans[place]
            kept |= bit
            value += fan.value
            positions.append(fan.position)
            mask &= ~(bit | self._excluded[place])
        return Kept(kept, value, tuple(positions))

    def _result(self, mask: int, more: Multiples) -> Score:
        fans = [self._single[place] for place in _places(mask)]
        if more:
            counts = dict(more)
            fans = [fan._replace(count=counts.get(self.bits[fan.id], 1)) for fan in fans]
        total = sum([fan.value * fan.count for fan in fans])
        flowers = sum([fan.value * fan.count for fan in fans if fan.id in FLOWER_FANS])
        return Score(total, total - flowers, tuple(fans))


def _places(mask: int) -> Iterator[int]:
    """The places of the bits that are set, lowest first."""
    while mask:
        bit = mask & -mask
        yield bit.bit_length() - 1
        mask ^= bit


@cache
def fan_table(rules: RuleSet) -> FanTable:
    """The table of this rule set, built once."""
    return FanTable(rules)
