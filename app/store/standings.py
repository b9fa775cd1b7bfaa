"""Keeping standings and tallies in step with their causes, inside the caller's transaction.

Order of locks, for who writes more: users, accounts, standings, tallies; of each kind by key.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Mapping, Sequence
from datetime import date
from typing import Any

from sqlalchemy import Connection, Select, bindparam, delete, insert, select, update

from app.economy.periods import Period, period_key
from app.economy.standings import Measure
from app.rooms.ports import ResultRecord
from app.store.bulk import Inserts, Lookup, Part, Requires, Updates
from app.store.models import StandingRow, TallyRow, UserRow
from app.store.steps import Row
from app.store.together import write_together

ALL = Period.ALL.value
LEFT = "left"  # the period of who has left: his numbers stay, and no board is made of it
BITS, LEVELS = 8, 5  # a tally level sums 2^BITS numbers of the one below; the highest is open-ended
OUTCOMES = {
    "won": "wins",
    "lost": "losses",
    "drawn": "draws",
    "escaped": "escapes",
    "deserted": "deserted",
}
_COUNTED = ("points", "coins", *OUTCOMES.values(), "best_fan", "dealt_in")
_COLUMNS = ("period", "user_id", *_COUNTED)
STANDINGS = Lookup(StandingRow, _COLUMNS)
STOOD = Requires(StandingRow, _COLUMNS)
_NEW = Inserts(StandingRow, _COLUMNS)
_MOVED = Updates(StandingRow, _COLUMNS, keys=2)
_TALLIES = Inserts(TallyRow, ("period", "measure", "level", "prefix", "n"), summed=("n",))
_LOCKED = (
    select(StandingRow.__table__)
    .order_by(StandingRow.period, StandingRow.user_id)
    .with_for_update(key_share=True)
)
_OF_USER = _LOCKED.where(StandingRow.user_id == bindparam("user"))
_OF_STAYING = _OF_USER.where(StandingRow.period != LEFT)
_BANNED = select(UserRow.id).where(
    UserRow.id.in_(bindparam("users", expanding=True)), UserRow.banned_ms.is_not(None)
)
Key = tuple[str, str]  # period, user
Standing = Mapping[str, Any]
Change = tuple[Standing | None, Standing | None]  # before and after


def add_player(connection: Connection, user_id: str, coins: int) -> None:
    """A new player stands on every board of all time, with the ``coins`` he was given."""
    row = _nothing(ALL, user_id) | {"coins": coins}
    connection.execute(insert(StandingRow), row)
    _retally(connection, [(None, row)])


def retire_player(connection: Connection, user_id: str) -> None:
    """A player who has left stands on no board any more; his numbers of all time stay, off them."""
    rows = _locked(connection, _OF_STAYING, user=user_id).values()
    listed = delete(StandingRow).where(StandingRow.user_id == user_id, StandingRow.period.not_in((ALL, LEFT)))
    connection.execute(listed)
    of_all_time = update(StandingRow).where(StandingRow.user_id == user_id, StandingRow.period == ALL)
    connection.execute(of_all_time.values(period=LEFT))
    _retally(connection, [(row, None) for row in rows])


def keys_of(users: Iterable[str], results: Iterable[tuple[ResultRecord, date]]) -> list[Key]:
    """The standings that move when these users' coins do and these rounds end, each on its day."""
    return sorted({(ALL, user_id) for user_id in users} | {key for key, _ in _counted(results)})


def places_on(day: date, users: Iterable[str]) -> list[Key]:
    """The standings a round's end on this day moves."""
    return [(period_key(period, day), user_id) for user_id in sorted(users) for period in Period]


def standings_of(rows: Iterable[Row]) -> dict[Key, Standing]:
    """From rows of :data:`STANDINGS`, by key."""
    return {(row[0], row[1]): dict(zip(_COLUMNS, row, strict=True)) for row in rows}


def read_standings(connection: Connection, keys: Sequence[Key]) -> dict[Key, Standing]:
    """Those of these standings that are there, as they are now; nothing is locked. Maybe some besides: all
    these users' of all these periods.
    """
    periods, users = zip(*keys, strict=True)
    columns = [StandingRow.__table__.c[name] for name in _COLUMNS]
    statement = select(*columns).where(
        StandingRow.period.in_(set(periods)), StandingRow.user_id.in_(set(users))
    )
    return standings_of(connection.execute(statement))


def move_standings(
    before: Mapping[Key, Standing],
    coins: Mapping[str, int],
    results: Iterable[tuple[ResultRecord, date]],
    banned: Container[str],
) -> tuple[Mapping[Key, Standing], list[Part]]:
    """The standings once it is known what users hold now and how rounds ended, and how they are written.

    ``before`` are those with :func:`keys_of` these, as far as there are any; ``banned`` are in no tally.
    """
    after = {
        (ALL, user_id): {**before[ALL, user_id], "coins": held}
        for user_id, held in coins.items()
        if (ALL, user_id) in before
    }
    for key, result in _counted(results):
        if key not in after:
            after[key] = dict(before.get(key) or _nothing(*key))
        _add(after[key], result)
    changes = [(before.get(key), row) for key, row in sorted(after.items()) if before.get(key) != row]
    tallied = [(was, row) for was, row in changes if row["user_id"] not in banned]
    return after, [
        (_NEW, [tuple(row.values()) for was, row in changes if was is None]),
        (_MOVED, [tuple(row.values()) for was, row in changes if was is not None]),
        (_TALLIES, _moves(tallied)),
    ]


def _counted(results: Iterable[tuple[ResultRecord, date]]) -> list[tuple[Key, ResultRecord]]:
    """Each result for all three periods of its day."""
    return [(place, result) for result, day in results for place in places_on(day, [result.user_id])]


def _add(row: dict[str, Any], result: ResultRecord) -> None:
    row["points"] += result.points_after - result.points_before
    if row["period"] != ALL:  # coins held follow the ledger
        row["coins"] += result.coins_delta
    row[OUTCOMES[result.outcome]] += 1
    row["dealt_in"] += result.dealt_in
    if result.outcome == "won":
        row["best_fan"] = max(row["best_fan"], result.total_fan)


def _nothing(period: str, user_id: str) -> dict[str, Any]:
    return {"period": period, "user_id": user_id, **dict.fromkeys(_COUNTED, 0)}


def take_off_boards(connection: Connection, user_id: str) -> None:
    """The player, banned from now on, is in no tally any more; the boards themselves leave him out."""
    rows = _locked(connection, _OF_USER, user=user_id).values()
    _move(connection, [(row, None) for row in rows])


def put_on_boards(connection: Connection, user_id: str) -> None:
    """He is banned no longer."""
    rows = _locked(connection, _OF_USER, user=user_id).values()
    _move(connection, [(None, row) for row in rows])


def _locked(connection: Connection, wanted: Select[Any], **values: Any) -> dict[Key, dict[str, Any]]:
    rows = connection.execute(wanted, values)
    return {(row.period, row.user_id): dict(row._mapping) for row in rows}


def prefixes(value: int) -> Iterable[tuple[int, int]]:
    """The tallies a value is counted in: (level, prefix)."""
    return ((level, value >> (BITS * level)) for level in range(LEVELS))


def _retally(connection: Connection, changes: Sequence[Change]) -> None:
    """Values have moved; those of banned players are in no tally.

    Who is banned is asked after the standings have been locked: a ban locks them too, so it is either visible
    now or waits for what is moved here.
    """
    users = {_owner(before, after) for before, after in changes if _measures(before) != _measures(after)}
    if not users:
        return
    banned = set(connection.scalars(_BANNED, {"users": sorted(users)}))
    moved = users - banned
    _move(connection, [(before, after) for before, after in changes if _owner(before, after) in moved])


def _measures(row: Standing | None) -> tuple[int, ...] | None:
    return None if row is None else tuple([row[measure] for measure in Measure])


def _owner(before: Standing | None, after: Standing | None) -> str:
    row = before or after
    assert row is not None  # something has moved
    return str(row["user_id"])


def _move(connection: Connection, changes: Iterable[Change]) -> None:
    write_together(connection, [(_TALLIES, _moves(changes))])


def _moves(changes: Iterable[Change]) -> list[Row]:
    """The tallies that move from the first row of each pair to the second; what both share is not touched."""
    moved: Counter[tuple[str, str, int, int]] = Counter()
    for before, after in changes:
        for measure in Measure:
            if before is not None and after is not None and before[measure] == after[measure]:
                continue
            for row, one in ((before, -1), (after, 1)):
                if row is not None:
                    for level, prefix in prefixes(row[measure]):
                        moved[row["period"], measure.value, level, prefix] += one
    return [(*tally, n) for tally, n in sorted(moved.items()) if n]
