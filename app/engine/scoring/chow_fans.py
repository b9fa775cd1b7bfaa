"""Fans of the form that its chows make, and the patterns they are made of. Source: RULES §7.3.

The predicates are entered beside those of ``form_fans``; the patterns serve the counting too. Chows are
lowest kinds, sorted wherever several come.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, pairwise

from app.engine.scoring.form_fans import chow_fan
from app.engine.scoring.forms import Form
from app.rules.tiles import Tile

_CHOW_123, _CHOW_456, _CHOW_789 = 0, 3, 6
_RANK_5 = 4
_PURE_TERMINAL_CHOWS = (_CHOW_123, _CHOW_123, _CHOW_789, _CHOW_789)


@chow_fan
def all_chows(form: Form) -> int:
    return len(form.chows) == 4 and form.is_pair_suited


@chow_fan
def pure_terminal_chows(form: Form) -> int:
    return form.chows == _PURE_TERMINAL_CHOWS and form.pair == _RANK_5


@chow_fan
def quadruple_chow(form: Form) -> int:
    return len(form.chows) == 4 and len(set(form.chows)) == 1


@chow_fan
def pure_triple_chow(form: Form) -> int:
    return any(form.chows.count(lowest) >= 3 for lowest in form.chows)


@chow_fan
def four_pure_shifted_chows(form: Form) -> int:
    return len(form.chows) == 4 and is_shifted(form.chows)


@chow_fan
def pure_shifted_chows(form: Form) -> int:
    return any(is_shifted(three) for three in combinations(form.chows, 3))


@chow_fan
def pure_straight(form: Form) -> int:
    return any(is_straight(three) for three in combinations(form.chows, 3))


@chow_fan
def pure_double_chow(form: Form) -> int:
    return any(is_double(*two) for two in combinations(form.chows, 2))


@chow_fan
def short_straight(form: Form) -> int:
    return any(is_short_straight(*two) for two in combinations(form.chows, 2))


@chow_fan
def two_terminal_chows(form: Form) -> int:
    return any(is_terminal_chows(*two) for two in combinations(form.chows, 2))


def is_shifted(chows: Sequence[Tile]) -> bool:
    """Sorted chows that rise by one each time, or by two each time."""
    steps = {high - low for low, high in pairwise(chows)}
    return steps in ({1}, {2})


def is_straight(chows: Sequence[Tile]) -> bool:
    return tuple(chows) == (_CHOW_123, _CHOW_456, _CHOW_789)


def is_triple(chows: Sequence[Tile]) -> bool:
    return len(set(chows)) == 1


def is_double(low: Tile, high: Tile) -> bool:
    """一般高."""
    return low == high


def is_short_straight(low: Tile, high: Tile) -> bool:
    """連六; sorted."""
    return high - low == 3


def is_terminal_chows(low: Tile, high: Tile) -> bool:
    """老少副; sorted."""
    return (low, high) == (_CHOW_123, _CHOW_789)
