"""How many of the fans a form shows are taken: 套算一次 and the 么九刻 rule, or each fan once.

Source: RULES §7.3.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping
from itertools import combinations

from app.engine.scoring import chow_fans
from app.engine.scoring.form_fans import FORM_FANS
from app.engine.scoring.readings import Form
from app.rules.ruleset import Counting
from app.rules.tiles import DRAGONS, TERMINALS_AND_HONORS, WINDS, Tile

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


def counted_form_fans(form: Form, counting: Counting, known: Collection[str]) -> dict[str, int]:
    """Fan id → how often it is there, before exclusions, for the fans ``known`` to the rule set."""
    shown = {
        fan_id: count
        for fan_id, predicate in FORM_FANS.items()
        if fan_id in known and (count := int(predicate(form)))
    }
    if counting is Counting.ONCE:
        return dict.fromkeys(shown, 1)
    return _mcr(form, shown, known)


def _mcr(form: Form, shown: Mapping[str, int], known: Collection[str]) -> dict[str, int]:
    joined = combined_chows(form.chows, shown)
    counts = {fan_id: count for fan_id, count in shown.items() if fan_id not in _TWO_CHOW_IDS}
    counts |= {fan_id: joined[fan_id] for fan_id in _TWO_CHOW_IDS if joined[fan_id]}
    if "pung_of_terminals_or_honors" in counts:
        counts["pung_of_terminals_or_honors"] = _unused_pungs(form, known)
    return {fan_id: count for fan_id, count in counts.items() if count}


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
