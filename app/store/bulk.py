"""Many rows in one statement, whatever their number.

A statement a row costs a turn or two of the interpreter's lock on SQLite, and a busy event loop lets the
writer wait for each; on PostgreSQL it costs a message. Here both are paid once. Source: docs/adr/0013.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import Any, cast

from sqlalchemy import JSON, Column, Connection, Table
from sqlalchemy.dialects import postgresql
from sqlalchemy.orm import DeclarativeBase
from sqlalchemy.types import String

from app.store.database import dumps

ROWS = 64  # in one statement on SQLite, where each number of rows is a statement of its own
_POSTGRESQL = postgresql.dialect()  # type: ignore[no-untyped-call]  # SQLAlchemy's own
Row = Sequence[Any]
_Read = Callable[[int], str]  # the SQL for the value at a place of a new row


class Bulk(ABC):
    """A statement for one table. A row holds the values of ``columns``, in their order."""

    def __init__(self, model: type[DeclarativeBase], columns: Sequence[str]) -> None:
        self._table = cast(Table, model.__table__)
        self._columns = [self._table.c[name] for name in columns]
        self._json = [place for place, column in enumerate(self._columns) if isinstance(column.type, JSON)]
        self._on_sqlite = cache(self._for_sqlite)
        self.on_postgresql = cache(self._for_postgresql)

    def execute(self, connection: Connection, rows: Sequence[Row]) -> int:
        """Write the rows; returns how many it were.

        Raises:
            sqlalchemy.exc.IntegrityError: what the table forbids; the transaction is then to be undone.
        """
        if connection.dialect.name == "postgresql":
            return connection.exec_driver_sql(self.on_postgresql(1), (dumps(rows),)).rowcount if rows else 0
        written = 0
        for start in range(0, len(rows), ROWS):
            some = rows[start : start + ROWS]
            values = tuple(value for row in some for value in self._bound(row))
            written += connection.exec_driver_sql(self._on_sqlite(len(some)), values).rowcount
        return written

    def _bound(self, row: Row) -> Row:
        """The row as SQLite's driver takes it."""
        if not self._json:
            return row
        bound = list(row)
        for place in self._json:
            bound[place] = None if bound[place] is None else dumps(bound[place])
        return bound

    def _for_sqlite(self, rows: int) -> str:
        row = f"({', '.join('?' * len(self._columns))})"
        return self._statement(f"(VALUES {', '.join([row] * rows)})", lambda place: f"new.column{place + 1}")

    def _for_postgresql(self, parameter: int) -> str:
        """The statement whose rows are the so many-th parameter, a JSON array of arrays."""
        return self._statement(f"jsonb_array_elements(${parameter}::jsonb)", self._from_jsonb)

    def _from_jsonb(self, place: int) -> str:
        kind = self._columns[place].type
        if isinstance(kind, JSON):
            return f"nullif(new.value -> {place}, 'null')"
        text = f"new.value ->> {place}"
        return text if isinstance(kind, String) else f"({text})::{kind.compile(_POSTGRESQL)}"

    @abstractmethod
    def _statement(self, rows: str, read: _Read) -> str:
        """The whole statement: ``rows`` is what to read the new rows from, ``read`` what to read of each."""


class Inserts(Bulk):
    """New rows. One whose primary key is there already is an error, unless told what then: ``replaced``
    columns take the new value, to ``summed`` ones it is added, ``settled`` ones keep what they have.
    """

    def __init__(
        self,
        model: type[DeclarativeBase],
        columns: Sequence[str],
        *,
        replaced: Sequence[str] = (),
        summed: Sequence[str] = (),
        settled: Sequence[str] = (),
    ) -> None:
        super().__init__(model, columns)
        table = self._table.name
        changes = [f"{name} = excluded.{name}" for name in replaced]
        changes += [f"{name} = {table}.{name} + excluded.{name}" for name in summed]
        changes += [f"{name} = coalesce({table}.{name}, excluded.{name})" for name in settled]
        key = _listed(self._table.primary_key)
        self._else = f"ON CONFLICT ({key}) DO UPDATE SET {', '.join(changes)}" if changes else ""

    def _statement(self, rows: str, read: _Read) -> str:
        values = ", ".join(read(place) for place in range(len(self._columns)))
        # "WHERE true" tells SQLite that ON CONFLICT is no join's condition
        new = f"SELECT {values} FROM {rows} AS new WHERE true"  # noqa: S608  # names of ours
        return f"INSERT INTO {self._table.name} ({_listed(self._columns)}) {new} {self._else}"


class Updates(Bulk):
    """Rows that are there already: the first ``keys`` columns tell which, the others are set."""

    def __init__(self, model: type[DeclarativeBase], columns: Sequence[str], *, keys: int = 1) -> None:
        super().__init__(model, columns)
        self._keys = keys

    def _statement(self, rows: str, read: _Read) -> str:
        table = self._table.name
        told = [f"{column.name} = {read(place)}" for place, column in enumerate(self._columns)]
        which = " AND ".join(f"{table}.{each}" for each in told[: self._keys])
        return f"UPDATE {table} SET {', '.join(told[self._keys :])} FROM {rows} AS new WHERE {which}"  # noqa: S608  # names of ours


def write_together(connection: Connection, parts: Sequence[tuple[Bulk, Sequence[Row]]]) -> list[int]:
    """Write the rows of several statements that touch no row twice; returns how many it were of each.

    On PostgreSQL they are one statement, and so one message; which comes first is not to be relied on.

    Raises:
        sqlalchemy.exc.IntegrityError: as :meth:`Bulk.execute`.
    """
    if connection.dialect.name != "postgresql":
        return [bulk.execute(connection, rows) for bulk, rows in parts]
    written = [0] * len(parts)
    there = [number for number, (_, rows) in enumerate(parts) if rows]
    if there:
        statement = _joined(tuple(parts[number][0] for number in there))
        counts = connection.exec_driver_sql(
            statement, tuple(dumps(parts[number][1]) for number in there)
        ).one()
        for number, count in zip(there, counts, strict=True):
            written[number] = count
    return written


@cache
def _joined(bulks: tuple[Bulk, ...]) -> str:
    """One statement of PostgreSQL that does what all of these do and counts the rows of each."""
    parts = [
        f"w{number} AS ({bulk.on_postgresql(number)} RETURNING 1)" for number, bulk in enumerate(bulks, 1)
    ]
    counts = (f"(SELECT count(*) FROM w{number})" for number in range(1, len(bulks) + 1))  # noqa: S608  # numbers
    return f"WITH {', '.join(parts)} SELECT {', '.join(counts)}"


def _listed(columns: Iterable[Column[Any]]) -> str:
    return ", ".join(column.name for column in columns)
