"""The rule book as data, and the calculator. Source: PROTOCOL §1.1, §2."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Body, Response
from pydantic import BaseModel

from app.api.errors import Refused, answers, problem
from app.api.schemas import Listing
from app.economy.ranks import ESCAPE_POINTS, RANKS
from app.economy.settlement import ESCAPE_FACTOR
from app.engine.scoring.wire import answer_score
from app.rules.examples import load_examples
from app.rules.ruleset import RULESET_IDS, Fan, RuleSet, UnknownRuleSet, load_ruleset

router = APIRouter(prefix="/api/rules", tags=["rules"])


class RuleSetHead(BaseModel):
    id: str
    zh: str
    en: str
    tiles: int
    flowers: bool

    @classmethod
    def of(cls, rules: RuleSet) -> RuleSetHead:
        return cls(id=rules.id, zh=rules.zh, en=rules.en, tiles=rules.tiles, flowers=rules.flowers)


class FanBody(BaseModel):
    """A row of the fan table; ``unreachable`` ones stand in the source but cannot be formed here.

    ``example`` is a hand that has the fan, as a body for this rule set's ``score``.
    """

    id: str
    zh: str
    value: int
    excludes: list[str]
    per_tile: bool
    unreachable: bool
    example: dict[str, Any] | None

    @classmethod
    def of(cls, fan: Fan) -> FanBody:
        return cls(
            id=fan.id,
            zh=fan.zh,
            value=fan.value,
            excludes=sorted(fan.excludes),
            per_tile=fan.per_tile,
            unreachable=fan.unreachable,
            example=None if fan.unreachable else dict(load_examples()[fan.id]),
        )


class Multipliers(BaseModel):
    """Factors; 1 where the rule set has no such option."""

    open_hand: int
    double: int
    ready: int


class RankBody(BaseModel):
    name: str
    points: int


class RuleBook(RuleSetHead):
    """Everything of a rule set that is data. ``ready``: when ready may be declared."""

    version: int
    counting: str
    ready: str
    winds: bool
    claims_after_last_tile: bool
    min_fan: int
    multipliers: Multipliers
    escape_factor: int
    escape_points: int
    ranks: list[RankBody]
    fans: list[FanBody]


class CountedFanBody(BaseModel):
    id: str
    zh: str
    value: int
    count: int


class ScoreAnswer(BaseModel):
    total: int
    fans: list[CountedFanBody]


@router.get("")
async def rule_sets() -> Listing[RuleSetHead]:
    """The rule sets there are."""
    return Listing(items=[RuleSetHead.of(load_ruleset(ruleset)) for ruleset in RULESET_IDS])


@router.get("/{ruleset}", responses=answers("no_such_ruleset"))
async def rule_book(ruleset: str) -> RuleBook:
    """One rule set, whole."""
    rules = _rules(ruleset)
    return RuleBook(
        **RuleSetHead.of(rules).model_dump(),
        version=rules.version,
        counting=rules.counting.value,
        ready=rules.ready.value,
        winds=rules.winds,
        claims_after_last_tile=rules.claims_after_last_tile,
        min_fan=rules.min_fan,
        multipliers=Multipliers(
            open_hand=rules.open_hand_multiplier,
            double=rules.double_multiplier,
            ready=rules.ready_multiplier,
        ),
        escape_factor=ESCAPE_FACTOR,
        escape_points=ESCAPE_POINTS,
        ranks=[RankBody(name=rank.name, points=rank.points) for rank in RANKS],
        fans=[FanBody.of(fan) for fan in rules.fans],
    )


@router.post(
    "/{ruleset}/score",
    response_model=ScoreAnswer,
    responses=answers(
        "no_such_ruleset", "cannot_score", "bad_request", "invalid", "too_large", "foreign_origin"
    ),
)
async def score(ruleset: str, body: Annotated[dict[str, Any], Body()]) -> Response | dict[str, Any]:
    """What a won hand is worth by the path's rule set. A refusal carries the command's ``error`` too."""
    _rules(ruleset)
    answer = answer_score({**body, "ruleset": ruleset})
    error = answer.get("error")
    return answer if error is None else problem("cannot_score", error["message"], error=error)


def _rules(ruleset: str) -> RuleSet:
    try:
        return load_ruleset(ruleset)
    except UnknownRuleSet:
        raise Refused("no_such_ruleset") from None
