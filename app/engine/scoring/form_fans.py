"""Fans of the form: what the sets and the pair, or the seven pairs, amount to.

Each function is the predicate of the fan with its name and answers how often it is shown. Every one is
entered under what it reads, so that its answer can be remembered for all hands that agree in that:

* ``CHOW_FANS`` read the chows of a form, and whether its pair is 萬 or 五萬 (``chow_fans`` enters most),
* ``RANK_FANS`` read the pungs and the pair of 萬, and what is inner,
* ``HONOR_FANS`` read pungs of terminals and honours, a pair of honours, the winds, and 九蓮,
* ``CONTENT_FANS`` read the tiles alone.

A form is shown to them cut down to this (``codes``); the rest of it then looks as if it were not there.

What a rule set makes of several, and of fans that overlap, is decided in ``counting``.
Source: RULES §7.3, §7.4, §7.9.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias, TypeVar

from app.engine.scoring.forms import Content, Form
from app.rules.tiles import DRAGONS, HONORS, SUIT_KINDS, TERMINALS, TERMINALS_AND_HONORS, WINDS, Tile

FormFan: TypeAlias = Callable[[Form], int]
ContentFan: TypeAlias = Callable[[Content], int]

CHOW_FANS: dict[str, FormFan] = {}
RANK_FANS: dict[str, FormFan] = {}
HONOR_FANS: dict[str, FormFan] = {}
CONTENT_FANS: dict[str, ContentFan] = {}

_RANKS = range(SUIT_KINDS)
MILLION = 100  # 萬
_WINDS, _DRAGONS = frozenset(WINDS), frozenset(DRAGONS)
_TERMINALS_AND_HONORS = frozenset(TERMINALS_AND_HONORS)


F = TypeVar("F", FormFan, ContentFan)


def entered(fans: dict[str, F]) -> Callable[[F], F]:
    """Enter a predicate under its name among ``fans``."""

    def enter(predicate: F) -> F:
        fans[predicate.__name__] = predicate
        return predicate

    return enter


chow_fan, rank_fan = entered(CHOW_FANS), entered(RANK_FANS)
honor_fan, content_fan = entered(HONOR_FANS), entered(CONTENT_FANS)


def _pungs_among(form: Form, kinds: frozenset[Tile]) -> int:
    return len(kinds.intersection(form.pungs))


# Winds and dragons


@honor_fan
def big_four_winds(form: Form) -> int:
    return _pungs_among(form, _WINDS) == 4


@honor_fan
def little_four_winds(form: Form) -> int:
    return _pungs_among(form, _WINDS) == 3 and form.pair in WINDS


@honor_fan
def big_three_winds(form: Form) -> int:
    return _pungs_among(form, _WINDS) >= 3


@honor_fan
def prevalent_wind(form: Form) -> int:
    return form.prevalent_wind in form.pungs


@honor_fan
def seat_wind(form: Form) -> int:
    return form.seat_wind in form.pungs


@honor_fan
def big_three_dragons(form: Form) -> int:
    return _pungs_among(form, _DRAGONS) == 3


@honor_fan
def little_three_dragons(form: Form) -> int:
    return _pungs_among(form, _DRAGONS) == 2 and form.pair in DRAGONS


@honor_fan
def two_dragon_pungs(form: Form) -> int:
    return _pungs_among(form, _DRAGONS) >= 2


@honor_fan
def dragon_pung(form: Form) -> int:
    return _pungs_among(form, _DRAGONS) >= 1


# All tiles of one sort; seven pairs too. Source: RULES §7.4.


@content_fan
def all_honors(content: Content) -> int:
    return content.kinds.issubset(HONORS)


@content_fan
def all_terminals_and_honors(content: Content) -> int:
    return content.kinds.issubset(TERMINALS_AND_HONORS)


@content_fan
def full_flush(content: Content) -> int:
    return content.kinds.issubset(_RANKS)


@content_fan
def half_flush(content: Content) -> int:
    """萬 and honours both. Source: RULES §7.4."""
    return not full_flush(content) and not all_honors(content)


@content_fan
def upper_four(content: Content) -> int:
    return content.kinds.issubset(_RANKS[5:])


@content_fan
def lower_four(content: Content) -> int:
    return content.kinds.issubset(_RANKS[:4])


@content_fan
def all_simples(content: Content) -> int:
    return content.kinds.issubset(_RANKS[1:8])


@content_fan
def million_stone(content: Content) -> int:
    """Four sets and a pair of 萬, ranks sum to 100 or more, a kong counts all four tiles.

    Source: RULES §7.9.
    """
    return not content.is_pairs and full_flush(content) and content.ranks >= MILLION


@content_fan
def tile_hog(content: Content) -> int:
    """Kinds of which all four are held, not konged. Source: RULES §7.9."""
    return content.fours


@content_fan
def seven_pairs(content: Content) -> int:
    return content.is_pairs


@content_fan
def seven_shifted_pairs(content: Content) -> int:
    kinds = content.kinds
    return content.is_pairs and full_flush(content) and len(kinds) == 7 == max(kinds) - min(kinds) + 1


# Sets and pair


@honor_fan
def nine_gates(form: Form) -> int:
    return form.is_nine_gates


@rank_fan
def outside_hand(form: Form) -> int:
    """Each set and the pair holds a terminal or an honour; never seven pairs. Source: RULES §7.4."""
    return not form.inner


# Pungs


@chow_fan
def all_pungs(form: Form) -> int:
    """Four sets and no chow."""
    return not form.chows


@rank_fan
def four_pure_shifted_pungs(form: Form) -> int:
    return _has_run(form.pungs, 4)


@rank_fan
def pure_shifted_pungs(form: Form) -> int:
    return _has_run(form.pungs, 3)


@honor_fan
def pung_of_terminals_or_honors(form: Form) -> int:
    return _pungs_among(form, _TERMINALS_AND_HONORS)


def _has_run(pungs: Sequence[Tile], length: int) -> bool:
    """Whether ``length`` of the 萬 pungs follow one another."""
    return len(pungs) >= length and any(
        all(low + step in pungs for step in range(length)) for low in pungs if low <= SUIT_KINDS - length
    )


# Pairs


@rank_fan
def two_five_eight_pair(form: Form) -> int:
    """The pair of four sets and a pair. Source: RULES §7.11."""
    return form.pair in (1, 4, 7)


@rank_fan
def terminal_pair(form: Form) -> int:
    """The pair of four sets and a pair. Source: RULES §7.11."""
    return form.pair in TERMINALS
