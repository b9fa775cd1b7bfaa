"""How many of the fans a form shows are taken: 套算一次 and the 么九刻 rule, or each fan once.

Source: RULES §7.3.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping
from itertools import combinations
from typing import TypeAlias, TypeVar

from app.engine.scoring import chow_fans
from app.engine.scoring.form_fans import CHOW_FANS, CONTENT_FANS, HONOR_FANS, RANK_FANS
from app.engine.scoring.forms import Content, Form
from app.rules.ruleset import Counting
from app.rules.tiles import DRAGONS, TERMINALS_AND_HONORS, WINDS, Tile

T = TypeVar("T")
Counts: TypeAlias = dict[str, int]

_FOUR_CHOW_FANS = frozenset({"pure_terminal_chows", "quadruple_chow", "four_pure_shifted_chows"})

# Best first; with four chows no two of them can be there at once.
_THREE_CHOW_FANS: tuple[tuple[str, Callable[[tuple[Tile, ...]], bool]], ...] = (
    ("pure_triple_chow", chow_fans.is_triple),
    ("pure_straight", chow_fans.is_straight),
    ("pure_shifted_chows", chow_fans.is_shifted),
)

# In the order in which they are preferred.
_TWO_CHOW_FANS: tuple[tuple[str, Callable[[Tile, Tile], bool]], ...] = (
    ("pure_double_chow", chow_fans.is_double),
    ("short_straight", chow_fans.is_short_straight),
    ("two_terminal_chows", chow_fans.is_terminal_chows),
)
_TWO_CHOW_IDS = tuple(fan_id for fan_id, _ in _TWO_CHOW_FANS)


class FormCounting:
    """How one rule set counts the fans of a form. The answers: fan id → how often, before exclusions."""

    def __init__(self, counting: Counting, known: Collection[str]) -> None:
        """``known``: the fans of the rule set that can be reached."""
        self._is_once = counting is Counting.ONCE
        self._known = frozenset(known)
        self._of_chows = {fan_id: fan for fan_id, fan in CHOW_FANS.items() if fan_id in known}
        self._of_ranks = {fan_id: fan for fan_id, fan in RANK_FANS.items() if fan_id in known}
        self._of_honors = {fan_id: fan for fan_id, fan in HONOR_FANS.items() if fan_id in known}
        self._of_content = {fan_id: fan for fan_id, fan in CONTENT_FANS.items() if fan_id in known}

    def chow_fans(self, form: Form) -> Counts:
        shown = _shown(self._of_chows, form)
        if self._is_once:
            return dict.fromkeys(shown, 1)
        counts = {fan_id: count for fan_id, count in shown.items() if fan_id not in _TWO_CHOW_IDS}
        return counts | dict(combined_chows(form.chows, shown))

    def rank_fans(self, form: Form) -> Counts:
        return dict.fromkeys(_shown(self._of_ranks, form), 1)

    def honor_fans(self, form: Form) -> Counts:
        shown = _shown(self._of_honors, form)
        if self._is_once:
            return dict.fromkeys(shown, 1)
        if "pung_of_terminals_or_honors" in shown:
            shown["pung_of_terminals_or_honors"] = _unused_pungs(form, self._known)
        return {fan_id: count for fan_id, count in shown.items() if count}

    def content_fans(self, content: Content) -> Counts:
        shown = _shown(self._of_content, content)
        return dict.fromkeys(shown, 1) if self._is_once else shown


def _shown(fans: Mapping[str, Callable[[T], int]], subject: T) -> Counts:
    return {fan_id: count for fan_id, fan in fans.items() if (count := fan(subject))}


def combined_chows(chows: tuple[Tile, ...], shown: Collection[str]) -> Counter[str]:
    """How often each two-chow fan counts when no chow is combined beyond need (套算一次).

    ``chows`` sorted; ``shown`` names the larger chow fans there are. Source: RULES §7.3.
    """
    if not _FOUR_CHOW_FANS.isdisjoint(shown):
        return Counter()
    for fan_id, is_three in _THREE_CHOW_FANS:
        if fan_id in shown:
            return _with_fourth_chow(chows, is_three)
    return _spanning_pairs(chows)


def _with_fourth_chow(chows: tuple[Tile, ...], is_three: Callable[[tuple[Tile, ...]], bool]) -> Counter[str]:
    """At most one fan of the chow outside a three-chow fan with any one inside it."""
    if len(chows) < 4:
        return Counter()
    joins = {
        _two_chow_fan(chow, chows[fourth])
        for fourth in range(4)
        if is_three(rest := chows[:fourth] + chows[fourth + 1 :])
        for chow in rest
    }
    return Counter([fan_id for fan_id in _TWO_CHOW_IDS if fan_id in joins][:1])


def _spanning_pairs(chows: tuple[Tile, ...]) -> Counter[str]:
    """Chows as vertices, two-chow fans as edges: one label per edge of a spanning forest, preferred first."""
    component = list(range(len(chows)))
    counted: Counter[str] = Counter()
    for fan_id in _TWO_CHOW_IDS:
        for a, b in combinations(range(len(chows)), 2):
            if component[a] != component[b] and _two_chow_fan(chows[a], chows[b]) == fan_id:
                counted[fan_id] += 1
                joined, other = component[a], component[b]
                component = [joined if label == other else label for label in component]
    return counted


def _two_chow_fan(chow: Tile, other: Tile) -> str | None:
    """The one fan two chows can form: no two of the three share a distance."""
    low, high = sorted((chow, other))
    return next((fan_id for fan_id, is_two in _TWO_CHOW_FANS if is_two(low, high)), None)


def _unused_pungs(form: Form, known: Collection[str]) -> int:
    """Terminal and honour pungs that no wind or dragon fan has used; 九蓮 takes away one more."""
    used = set(DRAGONS)
    winds = [tile for tile in form.pungs if tile in WINDS]
    if len(winds) >= 3:
        used.update(winds)
    if "seat_wind" in known:
        used.add(form.seat_wind)
    if "prevalent_wind" in known:
        used.add(form.prevalent_wind)
    unused = sum(tile in TERMINALS_AND_HONORS and tile not in used for tile in form.pungs)
    return max(0, unused - form.is_nine_gates)
