"""Which operator is calling, and what he may. Source: PROTOCOL §2.8."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends

from app.api.deps import Acting, Caller, House, SignedIn
from app.api.errors import Refused
from app.economy.operators import By, Role

SEEING = ("unauthorized", "forbidden")  # what any GET here can refuse with
DOING = ("bad_request", *SEEING, "csrf", "foreign_origin", "too_large", "invalid")  # and any change


async def _viewing(caller: SignedIn) -> Caller:
    return _holding(caller, Role.VIEWER)


async def _operating(caller: Acting) -> Caller:
    return _holding(caller, Role.OPERATOR)


async def _owning(caller: Acting) -> Caller:
    return _holding(caller, Role.OWNER)


def _holding(caller: Caller, needed: Role) -> Caller:
    role = caller.user.role
    if role is None or not role.includes(needed):
        raise Refused("forbidden", f"this needs the role {needed.value}")
    return caller


Viewing = Annotated[Caller, Depends(_viewing)]
Operating = Annotated[Caller, Depends(_operating)]
Owning = Annotated[Caller, Depends(_owning)]


def by(caller: Caller, house: House, reason: str) -> By:
    """Who does it now, for the log."""
    return By(caller.user.id, reason, house.now_ms())
