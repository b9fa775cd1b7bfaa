"""Bodies of leaderboards and profiles. Source: PROTOCOL §2."""

from __future__ import annotations

from pydantic import BaseModel

from app.api.schemas import HostBody, Listing, Page, UserBody
from app.economy.periods import Period
from app.economy.ranks import rank_of
from app.economy.standings import Career, Measure, Place


class PlaceBody(BaseModel):
    """The outer ``rank`` is the place, the player's is his title."""

    rank: int
    value: int
    player: HostBody

    @classmethod
    def of(cls, place: Place) -> PlaceBody:
        player = HostBody(id=place.user_id, name=place.name, rank=rank_of(place.points).name)
        return cls(rank=place.rank, value=place.value, player=player)


class BoardBody(Page[PlaceBody]):
    by: Measure
    period: Period
    since_ms: int | None


class AroundBody(Listing[PlaceBody]):
    by: Measure
    period: Period
    since_ms: int | None
    me: PlaceBody | None


class CareerBody(UserBody):
    rounds: int
    wins: int
    draws: int
    losses: int
    escapes: int
    deserted: int
    best_fan: int
    dealt_in: int

    @classmethod
    def of_career(cls, career: Career) -> CareerBody:
        return cls(
            **UserBody.of(career.user).model_dump(),
            rounds=career.rounds,
            wins=career.wins,
            draws=career.draws,
            losses=career.losses,
            escapes=career.escapes,
            deserted=career.deserted,
            best_fan=career.best_fan,
            dealt_in=career.dealt_in,
        )
