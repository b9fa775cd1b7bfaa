"""A rule set's fan table made ready for counting: fans as bits, exclusions as masks, results remembered.

What a reading shows is one number, :data:`Shown`: a *plane* of one bit per fan says which are there, the next
plane above it which are there twice at least, and so on. What different predicates show is put together with
``|``, and far fewer numbers come out than there are hands, so that what each comes to can be remembered.

The bits of a plane stand in the order in which fans are counted, highest value first and ties by the table,
so that the rule "a fan is counted unless a counted fan excludes it" is one walk from the lowest bit up.
Source: RULES §7.2.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeAlias

from app.engine.scoring.codes import Code, Kinds
from app.engine.scoring.context import WinContext
from app.engine.scoring.counting import FormCounting
from app.engine.scoring.forms import Content, form_of, kinds_of
from app.engine.scoring.laid import Lying
from app.engine.scoring.memo import Memo
from app.engine.scoring.parts import SETS
from app.engine.scoring.readings import Placement, Situation, Wait, placements
from app.engine.scoring.result import CountedFan, Score
from app.engine.scoring.win_fans import FLOWER_FANS, PLACEMENT_FANS, SITUATION_FANS
from app.rules.ruleset import RuleSet
from app.rules.tiles import Tile

_REMEMBERED_FORMS = 1 << 14
_REMEMBERED_SITUATIONS = 1 << 14
_REMEMBERED_SHOWN = 1 << 15

Shown: TypeAlias = int
"""Planes of fans, see above."""

Places: TypeAlias = tuple[tuple[Shown, ...], tuple[Shown, ...]]
"""What each place of the winning tile shows if the hand waited on it alone, and if not."""

# What the answers of a table are remembered by, beside codes.
ContentKey: TypeAlias = tuple[Kinds, int, int, bool]
"""The fields of a :class:`Content`, its kinds as bits."""
PlacesKey: TypeAlias = tuple[Code, Tile, bool, int]
"""The arguments of :func:`placements`."""
SituationKey: TypeAlias = tuple[tuple[Any, ...], Lying]
"""The fields of a :class:`WinContext` after the first, the winning tile; how the melds lie."""

NO_TILE: Tile = -1


@dataclass(frozen=True, slots=True)
class Kept:
    """What exclusions leave: its total, the table positions in counting order, and all of it."""

    total: int
    positions: tuple[int, ...]
    score: Score


class FanTable:
    """One per rule set; see :func:`fan_table`."""

    def __init__(self, rules: RuleSet) -> None:
        self.fans = tuple(
            sorted(
                (fan for fan in rules.fans if not fan.unreachable),
                key=lambda fan: (-fan.value, fan.position),
            )
        )
        self.bits = {fan.id: 1 << place for place, fan in enumerate(self.fans)}
        self._plane = (1 << len(self.fans)) - 1
        self._counting = FormCounting(rules.counting, self.bits)
        self._situation_fans = {id_: fan for id_, fan in SITUATION_FANS.items() if id_ in self.bits}
        self._single = tuple(CountedFan(fan.id, fan.zh, fan.value, 1) for fan in self.fans)
        self._excluded = tuple(sum(self.bits.get(fan_id, 0) for fan_id in fan.excludes) for fan in self.fans)
        self._per_tile = frozenset(fan.id for fan in self.fans if fan.per_tile)
        # Remembered per instance, so that rule sets cannot answer for each other.
        self.of_chows: Memo[Code, Shown] = Memo(self._of_chows, _REMEMBERED_FORMS)
        self.of_ranks: Memo[Code, Shown] = Memo(self._of_ranks, _REMEMBERED_FORMS)
        self.of_honors: Memo[Code, Shown] = Memo(self._of_honors, _REMEMBERED_FORMS)
        self.of_content: Memo[ContentKey, Shown] = Memo(self._of_content, _REMEMBERED_FORMS)
        self.of_places: Memo[PlacesKey, Places] = Memo(self._of_places, _REMEMBERED_FORMS)
        self.of_situation: Memo[SituationKey, Shown] = Memo(self._of_situation, _REMEMBERED_SITUATIONS)
        self.kept: Memo[Shown, Kept] = Memo(self._keep, _REMEMBERED_SHOWN)
        self._placed = tuple(
            tuple(self._of_placement(Placement(concealed, wait)) for wait in Wait)
            for concealed in range(SETS + 1)
        )

    def has(self, fan_id: str) -> bool:
        return fan_id in self.bits

    # The codes come cut down to what each group reads.

    def _of_chows(self, code: Code) -> Shown:
        return self._shown(self._counting.chow_fans(form_of(code)))

    def _of_ranks(self, code: Code) -> Shown:
        return self._shown(self._counting.rank_fans(form_of(code)))

    def _of_honors(self, code: Code) -> Shown:
        return self._shown(self._counting.honor_fans(form_of(code)))

    def _of_content(self, key: ContentKey) -> Shown:
        kinds, fours, ranks, is_pairs = key
        content = Content(frozenset(kinds_of(kinds)), fours, ranks, is_pairs)
        return self._shown(self._counting.content_fans(content))

    def _of_situation(self, key: SituationKey) -> Shown:
        circumstances, lying = key
        situation = Situation(WinContext(NO_TILE, *circumstances), lying)
        counts = {}
        for fan_id, predicate in self._situation_fans.items():
            if count := predicate(situation):
                counts[fan_id] = count if fan_id in self._per_tile else 1
        return self._shown(counts)

    def _of_places(self, key: PlacesKey) -> Places:
        found = placements(*key)
        alone = {self._placed[concealed][wait]: None for concealed, wait in found}
        among = {self._placed[concealed][Wait.NONE]: None for concealed, _ in found}
        return tuple(alone), tuple(among)

    def _of_placement(self, placement: Placement) -> Shown:
        return sum(
            self.bits[id_]
            for id_, is_there in PLACEMENT_FANS.items()
            if id_ in self.bits and is_there(placement)
        )

    def _shown(self, counts: Mapping[str, int]) -> Shown:
        return sum(
            self.bits[fan_id] << len(self.fans) * plane
            for fan_id, count in counts.items()
            for plane in range(count)
        )

    def _keep(self, shown: Shown) -> Kept:
        places = self._counted(shown & self._plane)
        fans = [self._single[place] for place in places]
        if shown > self._plane:
            fans = [
                fan._replace(count=self._times(shown, place)) for fan, place in zip(fans, places, strict=True)
            ]
        total = sum([fan.value * fan.count for fan in fans])
        flowers = sum([fan.value * fan.count for fan in fans if fan.id in FLOWER_FANS])
        positions = tuple([self.fans[place].position for place in places])
        return Kept(total, positions, Score(total, total - flowers, tuple(fans)))

    def _counted(self, plane: int) -> list[int]:
        """The places of the fans that no counted fan excludes."""
        places = []
        while plane:
            bit = plane & -plane
            place = bit.bit_length() - 1
            places.append(place)
            plane &= ~(bit | self._excluded[place])
        return places

    def _times(self, shown: Shown, place: int) -> int:
        """In how many planes a fan is."""
        times = 0
        while shown:
            times += shown >> place & 1
            shown >>= len(self.fans)
        return times


@cache
def fan_table(rules: RuleSet) -> FanTable:
    """The table of this rule set, built once."""
    return FanTable(rules)
