"""Tiers: made and changed here, with effect on rooms opened from then on. Source: PROTOCOL §2.8."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import Annotated, Any

from fastapi import APIRouter
from pydantic import AfterValidator, BaseModel, Field, StrictBool, StringConstraints

from app.api.admin.deps import DOING, SEEING, Operating, Viewing, by
from app.api.admin.schemas import IfMatch, Reason, Version, conflict, fault, plain_words, version_of
from app.api.deps import InHouse, could_be_id
from app.api.errors import Refused, answers
from app.api.schemas import Listing, Request
from app.rooms.tier_desk import BadTier, NoSuchTier, TierChanged, TierExists
from app.rooms.tiers import Clocks, Tier

router = APIRouter(prefix="/api/admin/tiers", tags=["operators"])

FIELDS = {"base": "base_stake"}  # what the wire calls otherwise than a tier does
Number = Annotated[int, Field(ge=0, le=2**53)]
TierName = Annotated[str, StringConstraints(min_length=1, max_length=20), AfterValidator(plain_words)]
TierId = Annotated[str, StringConstraints(max_length=32, pattern="^[a-z0-9]+(-[a-z0-9]+)*$")]
ClockName = Annotated[str, StringConstraints(max_length=32)]


class TierSheet(BaseModel):
    """A tier as operators edit it. ``min_fan`` null leaves the rule set's own; ``clocks`` are in ms."""

    id: str
    name: str
    ruleset: str
    base: int
    entry_min: int
    entry_max: int | None
    rake_bp: int
    table_fee: int
    open_hand: bool
    double: bool
    min_fan: int | None
    is_open: bool
    clocks: dict[str, int]
    version: int
    online: int

    @classmethod
    def of(cls, tier: Tier, online: int) -> TierSheet:
        values = asdict(tier)
        return cls(base=values.pop("base_stake"), online=online, **values)


class TierFields(Request):
    """Those left out stay, or stand at their defaults. ``clocks`` too may hold only some."""

    reason: Reason
    name: TierName | None = None
    base: Number | None = None
    entry_min: Number | None = None
    entry_max: Number | None = None
    rake_bp: Number | None = None
    table_fee: Number | None = None
    open_hand: StrictBool | None = None
    double: StrictBool | None = None
    min_fan: Number | None = None
    is_open: StrictBool | None = None
    clocks: dict[ClockName, Number] | None = None


class TierChanges(TierFields):
    version: Version | None = None


class NewTier(TierFields):
    id: TierId
    ruleset: Annotated[str, StringConstraints(max_length=32)]
    name: TierName
    base: Number
    entry_min: Number


@router.get("", responses=answers(*SEEING))
async def tiers(_: Viewing, house: InHouse) -> Listing[TierSheet]:
    """Every tier, closed ones too."""
    sheets = [TierSheet.of(tier, house.rooms.online(tier.id)) for tier in await house.tiers.all()]
    return Listing(items=sheets)


@router.get("/{tier_id}", responses=answers(*SEEING, "no_such_tier"))
async def tier(tier_id: str, _: Viewing, house: InHouse) -> TierSheet:
    """One tier, with the version a change is made from."""
    found = await house.tiers.tier(tier_id) if could_be_id(tier_id) else None
    if found is None:
        raise Refused("no_such_tier")
    return TierSheet.of(found, house.rooms.online(tier_id))


@router.post("", responses=answers(*DOING, "tier_exists"))
async def create(body: NewTier, caller: Operating, house: InHouse) -> TierSheet:
    """A new tier, the last of its rule set."""
    blank = Tier(body.id, body.name, body.ruleset, body.base, body.entry_min)
    wanted = replace(blank, **_fields(body, blank.clocks))
    try:
        made = await house.desks.tiers.create(wanted, by(caller, house, body.reason))
    except BadTier as refusal:
        raise _bad(refusal) from None
    except TierExists:
        raise Refused("tier_exists") from None
    return TierSheet.of(made, online=0)


@router.patch("/{tier_id}", responses=answers(*DOING, "no_such_tier", "conflict"))
async def change(
    tier_id: str, body: TierChanges, caller: Operating, house: InHouse, if_match: IfMatch = None
) -> TierSheet:
    """Change a tier. Rooms that are open keep it as it was; a stale version gets the present state."""
    version = version_of(body.version, if_match)
    present = await house.tiers.tier(tier_id) if could_be_id(tier_id) else None
    if present is None:
        raise Refused("no_such_tier")
    online = house.rooms.online(tier_id)
    try:
        fields = _fields(body, present.clocks)
        changed = await house.desks.tiers.change(tier_id, version, fields, by(caller, house, body.reason))
    except NoSuchTier:
        raise Refused("no_such_tier") from None
    except TierChanged as moved:
        raise conflict(TierSheet.of(moved.present, online)) from None
    except BadTier as refusal:
        raise _bad(refusal) from None
    return TierSheet.of(changed, online)


def _fields(body: TierFields, clocks: Clocks) -> dict[str, Any]:
    """The fields the body names, as a tier calls them."""
    given = body.model_dump(exclude_unset=True, exclude={"version", "reason", "id", "ruleset"})
    for field, value in given.items():
        if value is None and field not in {"entry_max", "min_fan"}:
            raise fault(field, "missing")
    if "clocks" in given:
        if not given["clocks"].keys() <= Clocks.__dataclass_fields__.keys():
            raise fault("clocks", "unknown")
        given["clocks"] = replace(clocks, **given["clocks"])
    return {FIELDS.get(field, field): value for field, value in given.items()}


def _bad(refusal: BadTier) -> Refused:
    on_the_wire = {ours: theirs for theirs, ours in FIELDS.items()}
    return fault(on_the_wire.get(refusal.field, refusal.field), "out_of_range")
