"""Fans of the form: what the sets and the pair, or the seven pairs, amount to.

Each function is the predicate of the fan with its name and answers how often the form shows it. What a rule
set makes of several, and of fans that overlap, is decided in ``counting``. Source: RULES §7.3, §7.4, §7.9.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import TypeAlias

from app.engine.scoring.parts import NO_PAIR
from app.engine.scoring.readings import Form
from app.rules.tiles import (
    COPIES,
    DRAGONS,
    HONORS,
    SUIT_KINDS,
    TERMINALS,
    TERMINALS_AND_HONORS,
    WINDS,
    Tile,
    is_suited,
)

FormFan: TypeAlias = Callable[[Form], int]

FORM_FANS: dict[str, FormFan] = {}

_RANKS = range(SUIT_KINDS)
_TERMINAL_CHOWS = (0, 6)  # 123, 789
_MILLION = 100  # 萬


def form_fan(predicate: FormFan) -> FormFan:
    """Enter a predicate under its name."""
    FORM_FANS[predicate.__name__] = predicate
    return predicate


def tile_counts(form: Form) -> dict[Tile, int]:
    """Tiles of the form by kind, a kong taken for three."""
    counts: dict[Tile, int] = {}
    for tile in form_tiles(form):
        counts[tile] = counts.get(tile, 0) + 1
    return counts


def form_tiles(form: Form) -> tuple[Tile, ...]:
    """The 14 tiles of the form, a kong taken for three."""
    chows = tuple(lowest + step for lowest in form.chows for step in range(3))
    pair = () if form.pair == NO_PAIR else (form.pair,)
    return chows + form.pungs * 3 + (pair + form.pairs) * 2


def _pungs_among(form: Form, kinds: Collection[Tile]) -> int:
    return sum(tile in kinds for tile in form.pungs)


def _is_made_of(form: Form, kinds: Collection[Tile]) -> bool:
    """Whether every tile is one of ``kinds``; seven pairs too. Source: RULES §7.4."""
    return all(tile in kinds for tile in form_tiles(form))


# Winds and dragons


@form_fan
def big_four_winds(form: Form) -> int:
    return _pungs_among(form, WINDS) == 4


@form_fan
def little_four_winds(form: Form) -> int:
    return _pungs_among(form, WINDS) == 3 and form.pair in WINDS


@form_fan
def big_three_winds(form: Form) -> int:
    return _pungs_among(form, WINDS) >= 3


@form_fan
def prevalent_wind(form: Form) -> int:
    return form.prevalent_wind in form.pungs


@form_fan
def seat_wind(form: Form) -> int:
    return form.seat_wind in form.pungs


@form_fan
def big_three_dragons(form: Form) -> int:
    return _pungs_among(form, DRAGONS) == 3


@form_fan
def little_three_dragons(form: Form) -> int:
    return _pungs_among(form, DRAGONS) == 2 and form.pair in DRAGONS


@form_fan
def two_dragon_pungs(form: Form) -> int:
    return _pungs_among(form, DRAGONS) >= 2


@form_fan
def dragon_pung(form: Form) -> int:
    return _pungs_among(form, DRAGONS) >= 1


# All tiles of one sort


@form_fan
def all_honors(form: Form) -> int:
    return _is_made_of(form, HONORS)


@form_fan
def all_terminals_and_honors(form: Form) -> int:
    return _is_made_of(form, TERMINALS_AND_HONORS)


@form_fan
def full_flush(form: Form) -> int:
    return _is_made_of(form, _RANKS)


@form_fan
def half_flush(form: Form) -> int:
    """萬 and honours both. Source: RULES §7.4."""
    return not full_flush(form) and not all_honors(form)


@form_fan
def upper_four(form: Form) -> int:
    return _is_made_of(form, _RANKS[5:])


@form_fan
def lower_four(form: Form) -> int:
    return _is_made_of(form, _RANKS[:4])


@form_fan
def all_simples(form: Form) -> int:
    return _is_made_of(form, _RANKS[1:8])


@form_fan
def nine_gates(form: Form) -> int:
    return form.is_nine_gates


@form_fan
def million_stone(form: Form) -> int:
    """Four sets and a pair of 萬, ranks sum to 100 or more, a kong counts all four tiles.

    Source: RULES §7.9.
    """
    if form.pairs or not full_flush(form):
        return False
    return sum(tile + 1 for tile in form_tiles(form) + form.kongs) >= _MILLION


@form_fan
def outside_hand(form: Form) -> int:
    """Each set and the pair holds a terminal or an honour; never seven pairs. Source: RULES §7.4."""
    return (
        not form.pairs
        and all(tile in TERMINALS_AND_HONORS for tile in (*form.pungs, form.pair))
        and all(lowest in _TERMINAL_CHOWS for lowest in form.chows)
    )


@form_fan
def tile_hog(form: Form) -> int:
    """Kinds of which all four are held, not konged. Source: RULES §7.9."""
    return sum(count == COPIES for count in tile_counts(form).values())


# Pungs


@form_fan
def all_pungs(form: Form) -> int:
    return len(form.pungs) == 4


@form_fan
def four_pure_shifted_pungs(form: Form) -> int:
    return _has_run(form.pungs, 4)


@form_fan
def pure_shifted_pungs(form: Form) -> int:
    return _has_run(form.pungs, 3)


@form_fan
def pung_of_terminals_or_honors(form: Form) -> int:
    return _pungs_among(form, TERMINALS_AND_HONORS)


def _has_run(pungs: Sequence[Tile], length: int) -> bool:
    """Whether ``length`` of the 萬 pungs follow one another."""
    return any(
        all(low + step in pungs for step in range(length)) for low in pungs if low <= SUIT_KINDS - length
    )


# Pairs


@form_fan
def seven_pairs(form: Form) -> int:
    return bool(form.pairs)


@form_fan
def seven_shifted_pairs(form: Form) -> int:
    pairs = form.pairs
    return bool(pairs) and is_suited(pairs[-1]) and pairs == tuple(range(pairs[0], pairs[0] + 7))


@form_fan
def two_five_eight_pair(form: Form) -> int:
    """The pair of four sets and a pair. Source: RULES §7.11."""
    return form.pair in (1, 4, 7)


@form_fan
def terminal_pair(form: Form) -> int:
    """The pair of four sets and a pair. Source: RULES §7.11."""
    return form.pair in TERMINALS
