"""What is done with many rows of one table, as SQL that both databases understand.

SQLite is given row after row, their values as parameters; PostgreSQL all rows as one, a JSON array of arrays.
Several of these are done together: ``store/together.py``. Source: docs/adr/0013.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple, cast

from sqlalchemy import JSON, Column, Table
from sqlalchemy.dialects import postgresql
from sqlalchemy.orm import DeclarativeBase
from sqlalchemy.types import String

from app.store.backend import dumps
from app.store.steps import Row

_POSTGRESQL = postgresql.dialect()  # type: ignore[no-untyped-call]  # SQLAlchemy's own


@dataclass(frozen=True, slots=True)
class Given:
    """Where a statement finds the rows ``given``, and a row's values by their places."""

    rows: str = ""  # empty: one row, whose values are the parameters
    first: int = 1  # place
    value: str = "?{}"  # as text
    document: str = "?{}"  # for a JSON column
    number: str = "{}"  # a value as what is no text; SQLite's columns see to that themselves

    @classmethod
    def on_postgresql(cls, parameter: int) -> Given:
        # an array, for the planner takes the elements of a JSON array to be ten times as many
        return cls(
            rows=f"unnest(ARRAY(SELECT jsonb_array_elements(${parameter}::jsonb))) AS given(value)",
            first=0,
            value="given.value ->> {}",
            document="nullif(given.value -> {}, 'null')",
            number="CAST({} AS {})",
        )

    @property
    def all_from(self) -> str:
        return f" FROM {self.rows}" if self.rows else ""


ON_SQLITE = Given()


class _Columns:
    """A table and some of its columns, in the order in which rows hold their values."""

    def __init__(self, model: type[DeclarativeBase], columns: Sequence[str]) -> None:
        table = cast(Table, model.__table__)
        self.table = table.name
        self._key = list(table.primary_key)
        self._columns = [table.c[name] for name in columns]
        self._json = [place for place, column in enumerate(self._columns) if isinstance(column.type, JSON)]

    def with_texts(self, rows: Sequence[Row]) -> Sequence[Row]:
        """The rows as SQLite is given them: with a text for what goes into a JSON column."""
        return [self._with_texts(row) for row in rows] if self._json else rows

    def _with_texts(self, row: Row) -> Row:
        texts = list(row)
        for place in self._json:
            texts[place] = None if row[place] is None else dumps(row[place])
        return texts

    def _read(self, given: Given, place: int) -> str:
        """The SQL for the value of a given row for the column at a place."""
        kind = self._columns[place].type
        if isinstance(kind, JSON):
            return given.document.format(given.first + place)
        text = given.value.format(given.first + place)
        return text if isinstance(kind, String) else given.number.format(text, kind.compile(_POSTGRESQL))

    def _is_given(self, given: Given, columns: int) -> str:
        """That the first so many columns of a row have the values given."""
        told = (
            f"{self.table}.{column.name} = {self._read(given, place)}"
            for place, column in enumerate(self._columns[:columns])
        )
        return " AND ".join(told)

    def _found(self, given: Given, columns: int, value: str, lock: str = "NO KEY UPDATE") -> str:
        """A value for each row of whom the first so many columns are given, in the order given; one is locked
        before the next is looked for.
        """
        which = self._is_given(given, columns)
        if not given.rows:
            return f"SELECT {value} AS found FROM {self.table} WHERE {which}"  # noqa: S608  # names of ours
        row = f"SELECT {value} AS found FROM {self.table} WHERE {which} FOR {lock} OF {self.table}"  # noqa: S608  # names of ours
        # LATERAL, for the planner thinks more rows are given than are, and would read a small table whole
        return f"SELECT row.found FROM {given.rows} CROSS JOIN LATERAL ({row}) AS row"  # noqa: S608  # names of ours


class Lookup(_Columns):
    """Rows found by their primary key, which ``columns`` begin with."""

    def statement(self, given: Given) -> str:
        """Each row that is there as one JSON array, in the order given."""
        values = ", ".join(f"{self.table}.{column.name}" for column in self._columns)
        array = "jsonb_build_array" if given.rows else "json_array"
        return self._found(given, len(self._key), f"{array}({values})")


class Bulk(_Columns, ABC):
    """What a part does with rows of one table."""

    writes: ClassVar[bool] = True
    finds_all: ClassVar[bool] = False  # whether every row given must be there

    @abstractmethod
    def statement(self, given: Given) -> str:
        """The statement that does it with the rows given."""


Part = tuple[Bulk, Sequence[Row]]


class Point(NamedTuple):
    """Among parts: where a point of :mod:`app.rooms.faults` lies, behind what is done by those before it."""

    name: str


class Inserts(Bulk):
    """New rows. One whose primary key is there already is an error, unless told what then: ``replaced``
    columns take the new value, to ``summed`` ones it is added, ``settled`` ones keep what they have. Or it
    may be ``there``, and stays as it is.
    """

    def __init__(
        self,
        model: type[DeclarativeBase],
        columns: Sequence[str],
        *,
        replaced: Sequence[str] = (),
        summed: Sequence[str] = (),
        settled: Sequence[str] = (),
        there: bool = False,
    ) -> None:
        super().__init__(model, columns)
        changes = [f"{name} = excluded.{name}" for name in replaced]
        changes += [f"{name} = {self.table}.{name} + excluded.{name}" for name in summed]
        changes += [f"{name} = coalesce({self.table}.{name}, excluded.{name})" for name in settled]
        self._else = f"ON CONFLICT ({_listed(self._key)}) DO " if changes or there else ""
        if self._else:
            self._else += f"UPDATE SET {', '.join(changes)}" if changes else "NOTHING"

    def statement(self, given: Given) -> str:
        values = ", ".join(self._read(given, place) for place in range(len(self._columns)))
        rows = f"SELECT {values}{given.all_from}" if given.rows else f"VALUES ({values})"  # names of ours
        return f"INSERT INTO {self.table} ({_listed(self._columns)}) {rows} {self._else}"


class Updates(Bulk):
    """Rows that must be there: the first ``keys`` columns tell which. The others are set; what is given for
    those ``summed`` is added.
    """

    finds_all = True

    def __init__(
        self,
        model: type[DeclarativeBase],
        columns: Sequence[str],
        *,
        keys: int = 1,
        summed: Sequence[str] = (),
    ) -> None:
        super().__init__(model, columns)
        self._keys = keys
        self._summed = summed

    def statement(self, given: Given) -> str:
        columns = list(enumerate(self._columns))[self._keys :]
        had = {name: f"{self.table}.{name} + " for name in self._summed}
        values = ", ".join(
            f"{column.name} = {had.get(column.name, '')}{self._read(given, place)}"
            for place, column in columns
        )
        which = self._is_given(given, self._keys)
        return f"UPDATE {self.table} SET {values}{given.all_from} WHERE {which}"  # noqa: S608  # names of ours


class Requires(Bulk):
    """Rows that must be there with these very values, and nothing in the columns ``empty``. Each is locked,
    in the order given, and stays so until the transaction ends; with ``lock`` "KEY SHARE" it only stays.
    """

    writes = False
    finds_all = True

    def __init__(
        self,
        model: type[DeclarativeBase],
        columns: Sequence[str],
        *,
        empty: Sequence[str] = (),
        lock: str = "NO KEY UPDATE",
    ) -> None:
        super().__init__(model, columns)
        self._empty = empty
        self._lock = lock

    def statement(self, given: Given) -> str:
        return self._found(given, len(self._columns), "1", self._lock)

    def _is_given(self, given: Given, columns: int) -> str:
        empty = (f"{self.table}.{name} IS NULL" for name in self._empty)
        return " AND ".join((super()._is_given(given, columns), *empty))


def _listed(columns: Iterable[Column[Any]]) -> str:
    return ", ".join(column.name for column in columns)
