"""Fans of how the hand was held and won, and of the flowers beside it.

As in ``form_fans`` each function is the predicate of the fan with its name and answers how often it is there.
Source: RULES §5, §7.5–§7.11.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from app.engine.scoring.context import Opening
from app.engine.scoring.readings import Placement, Situation, Wait
from app.rules.tiles import FLOWERS, WINDS

PlacementFan: TypeAlias = Callable[[Placement], int]
SituationFan: TypeAlias = Callable[[Situation], int]

PLACEMENT_FANS: dict[str, PlacementFan] = {}
SITUATION_FANS: dict[str, SituationFan] = {}

# They never count towards a minimum. Source: RULES §4.
FLOWER_FANS = frozenset({"flower_tiles", "seat_flower", "four_seasons", "four_plants", "eight_flowers"})

_SEASONS, _PLANTS = frozenset(FLOWERS[:4]), frozenset(FLOWERS[4:])


def _of_placement(predicate: PlacementFan) -> PlacementFan:
    PLACEMENT_FANS[predicate.__name__] = predicate
    return predicate


def _of_situation(predicate: SituationFan) -> SituationFan:
    SITUATION_FANS[predicate.__name__] = predicate
    return predicate


# Where the winning tile stands


@_of_placement
def four_concealed_pungs(placement: Placement) -> int:
    return placement.concealed_pungs == 4


@_of_placement
def three_concealed_pungs(placement: Placement) -> int:
    return placement.concealed_pungs >= 3


@_of_placement
def two_concealed_pungs(placement: Placement) -> int:
    return placement.concealed_pungs >= 2


@_of_placement
def edge_wait(placement: Placement) -> int:
    return placement.wait is Wait.EDGE


@_of_placement
def closed_wait(placement: Placement) -> int:
    return placement.wait is Wait.CLOSED


@_of_placement
def single_wait(placement: Placement) -> int:
    return placement.wait is Wait.SINGLE


# Kongs


@_of_situation
def four_kongs(situation: Situation) -> int:
    return situation.lying.concealed_kongs + situation.lying.melded_kongs == 4


@_of_situation
def three_kongs(situation: Situation) -> int:
    return situation.lying.concealed_kongs + situation.lying.melded_kongs >= 3


@_of_situation
def two_concealed_kongs(situation: Situation) -> int:
    return situation.lying.concealed_kongs >= 2


@_of_situation
def concealed_kong(situation: Situation) -> int:
    return situation.lying.concealed_kongs >= 1


@_of_situation
def two_melded_kongs(situation: Situation) -> int:
    return situation.lying.melded_kongs >= 2


@_of_situation
def melded_kong(situation: Situation) -> int:
    return situation.lying.melded_kongs >= 1


# Open or concealed, drawn or discarded


@_of_situation
def melded_hand(situation: Situation) -> int:
    return situation.lying.exposed_sets == 4 and not situation.context.self_drawn


@_of_situation
def fully_concealed_hand(situation: Situation) -> int:
    return situation.lying.exposed_sets == 0 and situation.context.self_drawn


@_of_situation
def concealed_hand(situation: Situation) -> int:
    return situation.lying.exposed_sets == 0 and not situation.context.self_drawn


@_of_situation
def self_drawn(situation: Situation) -> int:
    return situation.context.self_drawn


# Ready


@_of_situation
def heavenly_ready(situation: Situation) -> int:
    return situation.context.heavenly_ready


@_of_situation
def riichi(situation: Situation) -> int:
    """Judged at the win: an exposed kong made since the declaration loses it. Source: RULES §5."""
    return ready_hand(situation) and situation.lying.exposed_sets == 0


@_of_situation
def ready_hand(situation: Situation) -> int:
    return situation.context.ready or situation.context.heavenly_ready


# The moment of the win


@_of_situation
def heavenly_hand(situation: Situation) -> int:
    return situation.context.opening is Opening.HEAVENLY


@_of_situation
def earthly_hand(situation: Situation) -> int:
    return situation.context.opening is Opening.EARTHLY


@_of_situation
def humanly_hand(situation: Situation) -> int:
    return situation.context.opening is Opening.HUMANLY


@_of_situation
def last_tile_draw(situation: Situation) -> int:
    return situation.context.last_wall_tile and situation.context.self_drawn


@_of_situation
def last_tile_claim(situation: Situation) -> int:
    return situation.context.last_wall_tile and not situation.context.self_drawn


@_of_situation
def out_with_replacement_tile(situation: Situation) -> int:
    return situation.context.kong_replacement


@_of_situation
def robbing_the_kong(situation: Situation) -> int:
    return situation.context.robbing_kong


@_of_situation
def last_tile(situation: Situation) -> int:
    return situation.context.last_of_kind


# Flowers


@_of_situation
def flower_tiles(situation: Situation) -> int:
    return len(situation.context.flowers)


@_of_situation
def seat_flower(situation: Situation) -> int:
    """The season and the plant with the number of the seat's wind. Source: RULES §7.11."""
    number = WINDS.index(situation.context.seat_wind)
    own = (FLOWERS[number], FLOWERS[number + len(_SEASONS)])
    return sum(flower in own for flower in situation.context.flowers)


@_of_situation
def four_seasons(situation: Situation) -> int:
    return _SEASONS.issubset(situation.context.flowers)


@_of_situation
def four_plants(situation: Situation) -> int:
    return _PLANTS.issubset(situation.context.flowers)


@_of_situation
def eight_flowers(situation: Situation) -> int:
    return len(situation.context.flowers) == len(FLOWERS)
