"""Bodies of requests and answers about accounts. Source: PROTOCOL §2.7."""

from __future__ import annotations

from datetime import date
from typing import Annotated

from pydantic import AfterValidator, BaseModel, StringConstraints

from app.api.names import clean_name
from app.api.schemas import Request, UserBody

OwnName = Annotated[str, StringConstraints(max_length=100), AfterValidator(clean_name)]
Password = Annotated[str, StringConstraints(max_length=1_024)]  # whether it is usable, other rules say


class GuestRequest(Request):
    name: OwnName


class RegisterRequest(Request):
    name: OwnName
    password: Password


class LoginRequest(Request):
    """Any text: that no player can have such a name is no reason for another answer."""

    name: Annotated[str, StringConstraints(max_length=100)]
    password: Password


class RenameRequest(Request):
    name: OwnName


class PasswordRequest(Request):
    old: Password
    new: Password


class LeaveRequest(Request):
    password: Password | None = None


class TokenAnswer(BaseModel):
    user: UserBody
    token: str


class SessionBody(BaseModel):
    """``seen_on`` is a day in the server's zone; ``current`` the session that asks."""

    created_ms: int
    seen_on: date
    current: bool
