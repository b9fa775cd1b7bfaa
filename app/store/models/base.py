"""What all tables share: naming of constraints and the few column types the house uses.

Moments are epoch milliseconds and coins are whole: both 64-bit integers, the same on every database.
"""

from __future__ import annotations

from typing import Annotated, Any

from sqlalchemy import JSON, BigInteger, MetaData, String
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import DeclarativeBase, mapped_column
from sqlalchemy.types import TypeEngine

NAMING = {
    "pk": "pk_%(table_name)s",
    "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
}

Id = Annotated[str, mapped_column(String(26))]  # a ULID
AccountId = Annotated[str, mapped_column(String(40))]
Name = Annotated[str, mapped_column(String(64))]
Code = Annotated[str, mapped_column(String(32))]
Hex = Annotated[str, mapped_column(String(64))]
Coins = Annotated[int, mapped_column(BigInteger)]
Millis = Annotated[int, mapped_column(BigInteger)]


def json_type(*, none_as_null: bool = False) -> TypeEngine[Any]:
    """JSON; with ``none_as_null`` the column tells "nothing" from the JSON value null."""
    return JSON(none_as_null).with_variant(JSONB(none_as_null), "postgresql")


Json = Annotated[dict[str, Any], mapped_column(json_type())]


class Base(DeclarativeBase):
    metadata = MetaData(naming_convention=NAMING)
