"""What several bodies of the operators' routes are made of. Source: PROTOCOL §2.8."""

from __future__ import annotations

import unicodedata
from typing import Annotated, Any

from fastapi import Header
from pydantic import AfterValidator, BaseModel, Field, StringConstraints

from app.api.errors import Refused
from app.api.schemas import Request

MAX_REASON = 200


def plain_words(text: str) -> str:
    """Raises:
    ValueError: it says nothing, or holds control characters.
    """
    text = " ".join(text.split())
    if not text or any(unicodedata.category(character)[0] == "C" for character in text):
        raise ValueError("plain words")
    return text


Reason = Annotated[str, StringConstraints(max_length=MAX_REASON), AfterValidator(plain_words)]
Version = Annotated[int, Field(ge=1, le=2**31 - 1)]
IfMatch = Annotated[
    str | None, Header(description="`version` in quotes, where the body has none", max_length=16)
]


class ReasonRequest(Request):
    reason: Reason


class NameBody(BaseModel):
    id: str
    name: str

    @classmethod
    def of(cls, named: tuple[str, str]) -> NameBody:
        return cls(id=named[0], name=named[1])


def version_of(version: int | None, if_match: str | None) -> int:
    """The version a change was made from, of the body or else of ``If-Match``.

    Raises:
        Refused: there is none.
    """
    if version is not None:
        return version
    digits = (if_match or "").removeprefix("W/").strip('"')
    if not (digits.isascii() and digits.isdecimal()) or int(digits) >= 2**31:
        raise fault("version", "missing")
    return int(digits)


def fault(field: str, what: str) -> Refused:
    """``invalid``, for a field of the body that the schema alone cannot judge."""
    return Refused("invalid", faults=[{"where": ["body", field], "what": what}])


def conflict(present: BaseModel | None = None) -> Refused:
    """Somebody else was first; ``present`` is how it stands now."""
    more: dict[str, Any] = {} if present is None else {"present": present.model_dump(mode="json")}
    return Refused("conflict", **more)
