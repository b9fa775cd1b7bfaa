"""What SQLite and PostgreSQL have in common as far as :class:`Database` is concerned."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, TypeVar

import orjson
from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

from app.store.faults import missing_table
from app.store.steps import MissingRow, Step

T = TypeVar("T")
Work = Callable[[Connection], T]


class Backend(Protocol):
    """:class:`app.store.database.Database` says what is expected."""

    writers: int
    crowd: int
    has_points: bool

    async def write(self, work: Work[T]) -> T: ...

    async def write_at_once(self, steps: Sequence[Step]) -> None: ...

    async def read(self, work: Work[T]) -> T: ...

    async def connected(self, work: Work[T]) -> T: ...

    async def prepare(self) -> None: ...

    async def close(self) -> None: ...


def in_transaction(connection: Connection, work: Work[T]) -> T:
    with connection.begin():
        return work(connection)


def carry_out(connection: Connection, steps: Sequence[Step]) -> None:
    """Do the steps within the transaction that is open.

    Raises:
        MissingRow: a row is not found.
        sqlalchemy.exc.DBAPIError: the database refuses.
    """
    for step in steps:
        try:
            step.require(_found(connection, step))
        except DBAPIError as error:
            if table := missing_table(error):
                raise MissingRow(table) from error
            raise


def _found(connection: Connection, step: Step) -> int:
    rows = [tuple(row) for row in step.rows]
    if step.asks:
        return sum(connection.exec_driver_sql(step.statement, row).first() is not None for row in rows)
    return connection.exec_driver_sql(step.statement, rows).rowcount


def dumps(value: Any) -> str:
    return orjson.dumps(value, default=_plain).decode()


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(type(value).__name__)


ENGINE_OPTIONS: dict[str, Any] = {
    "json_serializer": dumps,
    "json_deserializer": orjson.loads,
    "hide_parameters": True,  # a running round's secret must not stand in an error text
}
