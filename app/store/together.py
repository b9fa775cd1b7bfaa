"""Many rows of many tables, done as quickly as the database can.

On PostgreSQL a statement costs a message, whose answer waits for the event loop to come round: there all are
one. SQLite is called directly, and given row after row. Source: docs/adr/0013.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import orjson
from sqlalchemy import Connection

from app.store.backend import carry_out, dumps
from app.store.bulk import ON_SQLITE, Bulk, Given, Lookup, Part, Point
from app.store.faults import MISSING
from app.store.steps import Row, Step


def steps_of(dialect: str, parts: Sequence[Part | Point]) -> list[Step]:
    """What is to be done so that the parts do with their rows what they do.

    They are done in order; on PostgreSQL none sees what another has done, so none may change a row twice, and
    no point lies between them.
    """
    if dialect != "postgresql":
        return _one_after_the_other(parts)
    given = [part for part in parts if not isinstance(part, Point) and part[1]]
    if not given:
        return []
    return [Step(_joined(tuple(bulk for bulk, _ in given)), [[dumps(rows) for _, rows in given]])]


def write_together(connection: Connection, parts: Sequence[Part]) -> None:
    """Do what the parts do with their rows within the transaction that is open. On an error it must be
    undone: some of it may be done.

    Raises:
        MissingRow: a row that must be there is not, or not with these values.
        sqlalchemy.exc.IntegrityError: what a table forbids.
    """
    carry_out(connection, steps_of(connection.dialect.name, parts))


def lock_together(connection: Connection, parts: Sequence[tuple[Lookup, Sequence[Row]]]) -> list[list[Row]]:
    """The rows with the keys given that are there, of each part by key, locked in that order until the
    transaction ends.

    What waits for a lock sees the row as it is when it gets it; a row that is new since is not seen.
    """
    ordered = [(lookup, sorted(map(tuple, keys))) for lookup, keys in parts]
    if connection.dialect.name != "postgresql":
        return [[row for key in keys for row in _look(connection, lookup, key)] for lookup, keys in ordered]
    found: list[list[Row]] = [[] for _ in parts]
    if any(keys for _, keys in ordered):
        statement = _lookups(tuple(lookup for lookup, _ in ordered))
        parameters = tuple(dumps(keys) for _, keys in ordered)
        for number, row in connection.exec_driver_sql(statement, parameters):
            found[number].append(orjson.loads(row))
    return found


@cache
def _statement(bulk: Bulk | Lookup) -> str:
    """The statement of SQLite for one row."""
    return bulk.statement(ON_SQLITE)


def _one_after_the_other(parts: Sequence[Part | Point]) -> list[Step]:
    """A step for each part that has rows; a point is reached with the step before it."""
    steps: list[Step] = []
    for part in parts:
        if isinstance(part, Point):
            steps[-1] = steps[-1]._replace(then=part.name)
        elif part[1]:
            steps.append(_step(*part))
    return steps


def _step(bulk: Bulk, rows: Sequence[Row]) -> Step:
    table = bulk.table if bulk.finds_all else ""
    return Step(_statement(bulk), bulk.with_texts(rows), table, asks=not bulk.writes)


def _look(connection: Connection, lookup: Lookup, key: tuple[object, ...]) -> list[Row]:
    """The row with this key, if there is one."""
    return [orjson.loads(row) for row in connection.exec_driver_sql(_statement(lookup), key).scalars()]


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
            count = f"CAST(CASE WHEN {are_all} THEN '1' ELSE '{MISSING}{bulk.table}' END AS integer)"
        counts.append(count)
    return f"WITH {', '.join(parts)} SELECT {', '.join(counts)}"


@cache
def _lookups(lookups: tuple[Lookup, ...]) -> str:
    """Each look-up of PostgreSQL is done, and its rows locked, before the next begins."""
    parts, union = [], []
    for number, lookup in enumerate(lookups):
        parts.append(f"r{number} AS MATERIALIZED ({lookup.statement(Given.on_postgresql(number + 1))})")
        union.append(f"SELECT {number}, CAST(found AS TEXT) FROM r{number}")  # noqa: S608  # numbers
    return f"WITH {', '.join(parts)} {' UNION ALL '.join(union)}"
