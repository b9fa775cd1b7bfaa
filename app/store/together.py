"""Many rows of many tables in one statement.

A statement costs a turn or two of the interpreter's lock on SQLite, and a busy event loop lets the writer
wait for each; on PostgreSQL it costs a message, whose answer waits for the loop to come round. Here both are
paid once, however much there is to write. Source: docs/adr/0013.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import orjson
from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

from app.store.bulk import Bulk, Given, Lookup, Part, Row
from app.store.faults import told_by

_MISSING = "missing row: "  # what both databases are made to say, and then the table


class MissingRow(Exception):
    """A row of ``table`` is not there as it must be: nothing is written."""

    def __init__(self, table: str) -> None:
        super().__init__(table)
        self.table = table


def write_together(connection: Connection, parts: Sequence[Part]) -> None:
    """Do what the parts do with their rows in one statement: all of it or, on an error, nothing.

    They are done in order; on PostgreSQL none sees what another has done, so none may change a row twice.

    Raises:
        MissingRow: a row that must be there is not, or not with these values.
        sqlalchemy.exc.IntegrityError: what a table forbids.
    """
    if not any(rows for _, rows in parts):
        return
    bulks = tuple(bulk for bulk, _ in parts)
    is_sqlite = connection.dialect.name != "postgresql"
    statement = _trigger(connection, bulks) if is_sqlite else _joined(bulks)
    parameters = tuple(bulk.parameter(rows, packed=is_sqlite) for bulk, rows in parts)
    try:
        connection.exec_driver_sql(statement, parameters)
    except DBAPIError as error:
        if table := told_by(error, _MISSING):
            raise MissingRow(table) from error
        raise


def lock_together(connection: Connection, parts: Sequence[tuple[Lookup, Sequence[Row]]]) -> list[list[Row]]:
    """The rows with the keys given that are there, of each part by key, locked in that order until the
    transaction ends.

    What waits for a lock sees the row as it is when it gets it; a row that is new since is not seen.
    """
    found: list[list[Row]] = [[] for _ in parts]
    if any(keys for _, keys in parts):
        statement = _lookups(connection.dialect.name, tuple(lookup for lookup, _ in parts))
        parameters = tuple(lookup.parameter(sorted(map(tuple, keys)), packed=False) for lookup, keys in parts)
        for number, row in connection.exec_driver_sql(statement, parameters):
            found[number].append(orjson.loads(row))
    return found


@cache
def _joined(bulks: tuple[Bulk, ...]) -> str:
    """The statement of PostgreSQL: each part is a table of its own. They are done in the order in which their
    rows are counted, so that of several faults it is always the same that is told.
    """
    parts, counts = [], []
    for number, bulk in enumerate(bulks, 1):
        returning = " RETURNING 1" if bulk.writes else ""
        kind = "" if bulk.writes else "MATERIALIZED "
        parts.append(f"w{number} AS {kind}({bulk.statement(Given.on_postgresql(number))}{returning})")
        count = f"(SELECT count(*) FROM w{number})"  # noqa: S608  # a number
        if bulk.finds_all:
            # SQL knows no way to refuse: a text that is no number does
            are_all = f"{count} = jsonb_array_length(${number}::jsonb)"
            count = f"CAST(CASE WHEN {are_all} THEN '1' ELSE '{_MISSING}{bulk.table}' END AS integer)"
        counts.append(count)
    return f"WITH {', '.join(parts)} SELECT {', '.join(counts)}"


@cache
def _lookups(dialect: str, lookups: tuple[Lookup, ...]) -> str:
    """Each look-up is done, and its rows locked, before the next begins."""
    parts, union = [], []
    for number, lookup in enumerate(lookups):
        if dialect == "postgresql":
            parts.append(f"r{number} AS MATERIALIZED ({lookup.statement(Given.on_postgresql(number + 1))})")
        else:
            parts.append(f"r{number} AS ({lookup.statement(Given.on_sqlite('?'))})")
        union.append(f"SELECT {number}, CAST(found AS TEXT) FROM r{number}")  # noqa: S608  # numbers
    return f"WITH {', '.join(parts)} {' UNION ALL '.join(union)}"


def _trigger(connection: Connection, bulks: tuple[Bulk, ...]) -> str:
    """The statement of SQLite, which has none like that: it inserts into a view, and this sets off a trigger
    with all parts. The connection's ``info`` names the triggers it has; it is cleared, as they are, when the
    transaction that made them is undone.
    """
    trigger = _made(bulks)
    if trigger.name not in connection.info:
        for statement in trigger.made_by:
            connection.exec_driver_sql(statement)
        connection.info[trigger.name] = True
    return trigger.insert


@dataclass(frozen=True, slots=True)
class _Trigger:
    name: str
    made_by: Sequence[str]
    insert: str


_numbers = itertools.count(1)


@cache
def _made(bulks: tuple[Bulk, ...]) -> _Trigger:
    name = f"together_{next(_numbers)}"
    columns = [f"rows{number}" for number in range(len(bulks))]
    steps = [
        step for bulk, column in zip(bulks, columns, strict=True) for step in _steps(bulk, f"new.{column}")
    ]
    view = ", ".join(f"NULL AS {column}" for column in columns)
    trigger = f"{name}_written INSTEAD OF INSERT ON {name} BEGIN {'; '.join(steps)}; END"
    return _Trigger(
        name,
        (
            f"CREATE TEMP VIEW IF NOT EXISTS {name} AS SELECT {view}",
            f"CREATE TEMP TRIGGER IF NOT EXISTS {trigger}",
        ),
        f"INSERT INTO {name} VALUES ({', '.join('?' * len(columns))})",  # noqa: S608  # a name of ours
    )


def _steps(bulk: Bulk, rows: str) -> list[str]:
    """What the trigger does for a part of which ``rows`` are given."""
    statement = bulk.statement(Given.on_sqlite(rows))
    steps = [statement] if bulk.writes else []
    if bulk.finds_all:
        found = "changes()" if bulk.writes else f"(SELECT count(*) FROM ({statement}))"  # noqa: S608  # names of ours
        is_missing = f"{found} <> json_array_length({rows})"
        steps.append(f"SELECT RAISE(ABORT, '{_MISSING}{bulk.table}') WHERE {is_missing}")
    return steps
