"""Boards and careers: :class:`app.economy.standings.Standings` over a database.

A page walks an index from a known spot; a rank is a sum over tallies. Neither grows with the players.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, cast

from sqlalchemy import ColumnElement, Connection, Select, bindparam, func, select, union_all

from app.economy.standings import Around, Career, Measure, Place, Spot
from app.store.database import Database
from app.store.models import StandingRow, TallyRow, UserRow
from app.store.standings import ALL, BITS, LEFT, LEVELS
from app.store.users import select_users

Line = tuple[str, int]  # user, value


class SqlStandings:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def page(self, measure: Measure, key: str, after: Spot | None, limit: int) -> Sequence[Place]:
        board = _Board(measure, key)
        return await self._database.read(lambda c: _places(c, board, board.below(c, after, limit)))

    async def around(self, measure: Measure, key: str, user_id: str, limit: int) -> Around | None:
        board = _Board(measure, key)
        return await self._database.read(lambda connection: _around(connection, board, user_id, limit))

    async def career(self, user_id: str) -> Career | None:
        return await self._database.read(lambda connection: career_of(connection, user_id))


@dataclass(frozen=True, slots=True)
class _Board:
    """One measure of one period, in its order: value descending, then user id."""

    measure: Measure
    key: str

    @property
    def value(self) -> ColumnElement[int]:
        column: ColumnElement[int] = getattr(StandingRow, self.measure.value)
        return column

    def _lines(self, *where: ColumnElement[bool]) -> Select[Any]:
        lines = select(StandingRow.user_id, self.value.label("value"))
        is_listed = StandingRow.user_id.not_in(select(UserRow.id).where(UserRow.banned_ms.is_not(None)))
        return cast(Select[Any], lines.where(StandingRow.period == self.key, is_listed, *where))

    def below(self, connection: Connection, spot: Spot | None, limit: int) -> list[Line]:
        """The next lines after a spot, or from the top."""
        if spot is None:
            return _fetch(connection, self._lines().order_by(self.value.desc(), StandingRow.user_id), limit)
        equal = self._lines(self.value == spot.value, StandingRow.user_id > spot.user_id)
        less = self._lines(self.value < spot.value)
        lines = _fetch(connection, equal.order_by(StandingRow.user_id), limit)
        rest = less.order_by(self.value.desc(), StandingRow.user_id)
        return lines + _fetch(connection, rest, limit - len(lines))

    def above(self, connection: Connection, spot: Spot, limit: int) -> list[Line]:
        """The lines just before a spot, in the board's order."""
        equal = self._lines(self.value == spot.value, StandingRow.user_id < spot.user_id)
        more = self._lines(self.value > spot.value)
        lines = _fetch(connection, equal.order_by(StandingRow.user_id.desc()), limit)
        rest = more.order_by(self.value.asc(), StandingRow.user_id.desc())
        return list(reversed(lines + _fetch(connection, rest, limit - len(lines))))

    def line_of(self, connection: Connection, user_id: str) -> Line | None:
        return next(iter(_fetch(connection, self._lines(StandingRow.user_id == user_id), 1)), None)


def _fetch(connection: Connection, statement: Select[Any], limit: int) -> list[Line]:
    if limit <= 0:
        return []
    return [(row.user_id, row.value) for row in connection.execute(statement.limit(limit))]


def _around(connection: Connection, board: _Board, user_id: str, limit: int) -> Around | None:
    mine = board.line_of(connection, user_id)
    if mine is None:
        return None
    spot = Spot(mine[1], user_id)
    above = board.above(connection, spot, limit - 1)
    below = board.below(connection, spot, limit - 1)
    kept_above = max((limit - 1) // 2, limit - 1 - len(below))  # at the bottom there is more room above
    above = above[-kept_above:] if kept_above else []
    places = _places(connection, board, [*above, mine, *below[: limit - 1 - len(above)]])
    return Around(me=places[len(above)], places=places)


def _places(connection: Connection, board: _Board, lines: Sequence[Line]) -> list[Place]:
    """Consecutive lines with their ranks and names. Equal values share a rank, also beyond these lines."""
    if not lines:
        return []
    counts = _counts(connection, board, {value for _, value in lines})
    users = select(UserRow.id, UserRow.name, UserRow.points).where(UserRow.id.in_([u for u, _ in lines]))
    known = {row.id: row for row in connection.execute(users)}
    rank, value = rank_of_value(connection, board.measure, board.key, lines[0][1]), lines[0][1]
    places = []
    for user_id, next_value in lines:
        if next_value != value:
            rank, value = rank + counts[value], next_value
        places.append(Place(rank, value, user_id, known[user_id].name, known[user_id].points))
    return places


def _counts(connection: Connection, board: _Board, values: set[int]) -> dict[int, int]:
    """How many hold each of these values."""
    statement = select(TallyRow.prefix, TallyRow.n).where(
        TallyRow.period == board.key,
        TallyRow.measure == board.measure.value,
        TallyRow.level == 0,
        TallyRow.prefix.in_(values),
    )
    return {row.prefix: row.n for row in connection.execute(statement)}


def rank_of_value(connection: Connection, measure: Measure, key: str, value: int) -> int:
    """One more than there are higher values on the board."""
    places: dict[str, Any] = {"key": key, "measure": measure.value}
    for level in range(LEVELS):
        prefix = value >> (BITS * level)
        places |= {f"above{level}": prefix, f"last{level}": prefix | ((1 << BITS) - 1)}
    return 1 + int(connection.scalar(_higher(), places) or 0)


@cache
def _higher() -> Select[Any]:
    """At each level, the later siblings of the value's prefix; at the highest, all that are higher."""
    parts = []
    for level in range(LEVELS):
        siblings = select(TallyRow.n).where(
            TallyRow.period == bindparam("key"),
            TallyRow.measure == bindparam("measure"),
            TallyRow.level == level,
            TallyRow.prefix > bindparam(f"above{level}"),
        )
        if level < LEVELS - 1:
            siblings = siblings.where(TallyRow.prefix <= bindparam(f"last{level}"))
        parts.append(siblings)
    return select(func.sum(union_all(*parts).subquery().c.n))


def career_of(connection: Connection, user_id: str) -> Career | None:
    """How the player's rounds ended; None when there is no such player."""
    user = next(iter(select_users(connection, [user_id])), None)
    if user is None:
        return None
    of_all_time = (StandingRow.period.in_((ALL, LEFT)), StandingRow.user_id == user_id)
    own = select(StandingRow.__table__).where(*of_all_time)
    row = connection.execute(own).one()
    return Career(
        user=user,
        wins=row.wins,
        draws=row.draws,
        losses=row.losses,
        escapes=row.escapes,
        deserted=row.deserted,
        best_fan=row.best_fan,
        dealt_in=row.dealt_in,
    )
