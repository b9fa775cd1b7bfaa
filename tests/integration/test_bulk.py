"""Many rows in one statement: what comes out is what a statement a row would have written."""

from __future__ import annotations

from functools import partial

import pytest
from sqlalchemy import Connection, select
from sqlalchemy.exc import IntegrityError

from app.economy.ledger import purse
from app.rooms.ports import Batch, RoomRecord, RoundRecord
from app.store.bulk import ROWS, Bulk, Inserts, Row, Updates, write_together
from app.store.database import Database
from app.store.faults import is_taken
from app.store.models import AccountRow, ActionRow, EventRow, RoomRow, RoundRow, StandingRow, TallyRow
from app.store.room_store import SqlRoomStore
from tests.integration.stories import ZONE, a_room, a_round, guest

ON_EVERY_DATABASE = True
EVENTS = Inserts(EventRow, ("room_id", "seq", "at_ms", "round_id", "kind", "data"))
TALLIES = Inserts(TallyRow, ("period", "measure", "level", "prefix", "n"), summed=("n",))
ODD = "二'麻\"\\ \u2028 %s $1 ?"


@pytest.fixture
async def room(database: Database) -> RoomRecord:
    players = [await guest(database, "ann"), await guest(database, "bob")]
    room = a_room(players)
    await SqlRoomStore(database, ZONE).create_room(room, 2_000)
    return room


@pytest.fixture
async def record(database: Database, room: RoomRecord) -> RoundRecord:
    record = a_round(room)
    await SqlRoomStore(database, ZONE).commit(Batch(room=room, at_ms=3_000, rounds=(record,)))
    return record


async def write(database: Database, bulk: Bulk, rows: list[Row]) -> int:
    return await database.write(lambda connection: bulk.execute(connection, rows))


@pytest.mark.parametrize("count", [0, 1, 2, ROWS - 1, ROWS, ROWS + 1, 3 * ROWS + 5])
async def test_any_number_of_rows(
    database: Database, room: RoomRecord, record: RoundRecord, count: int
) -> None:
    rows = [
        (
            room.id,
            seq,
            2**53 + seq,
            record.id if seq % 2 else None,
            "discarded",
            {"n": seq, "odd": [ODD, None, True]},
        )
        for seq in range(1, count + 1)
    ]
    assert await write(database, EVENTS, list(rows)) == count
    stored = await database.read(
        lambda connection: connection.execute(select(EventRow.__table__).order_by(EventRow.seq)).all()
    )
    assert [tuple(row) for row in stored] == rows


async def test_every_kind_of_column(database: Database, room: RoomRecord, record: RoundRecord) -> None:
    """Flags, texts, whole numbers, JSON; each both there and missing where it may be."""
    rooms = Updates(RoomRow, ("id", "private", "invite", "seat1", "state", "seq"))
    rounds = Updates(RoundRow, ("id", "result", "dealer", "options"))
    for private, invite, seat1, state, result in (
        (True, ODD, room.seats[0], {"deep": {"list": [1, {"x": None}]}}, {"won": {"fan": 8}}),
        (False, None, None, {}, None),
    ):
        assert await write(database, rooms, [(room.id, private, invite, seat1, state, 7)]) == 1
        assert await write(database, rounds, [(record.id, result, None, {ODD: ODD})]) == 1
        row = await database.read(lambda connection: connection.execute(select(RoomRow.__table__)).one())
        assert (row.private, row.invite, row.seat1, row.state, row.seq) == (private, invite, seat1, state, 7)
        kept = await database.read(lambda connection: connection.execute(select(RoundRow.__table__)).one())
        assert (kept.result, kept.dealer, kept.options) == (result, None, {ODD: ODD})
    nothing = select(RoundRow.id).where(RoundRow.result.is_(None))  # NULL, not the JSON value null
    assert await database.read(lambda connection: connection.scalar(nothing)) == record.id


async def test_what_is_there_already(database: Database, record: RoundRecord) -> None:
    """It is added to, replaced or kept, as the statement says, each in its own row."""
    await write(database, TALLIES, [("x", "coins", 0, 1, 5), ("x", "coins", 0, 2, 1)])
    await write(database, TALLIES, [("x", "coins", 0, 2, -3), ("x", "coins", 0, 3, 4)])
    tallies = select(TallyRow.prefix, TallyRow.n).where(TallyRow.period == "x").order_by(TallyRow.prefix)
    stored = await database.read(lambda connection: connection.execute(tallies).all())
    assert [tuple(row) for row in stored] == [(1, 5), (2, -2), (3, 4)]

    ends = Inserts(
        RoundRow,
        tuple(RoundRow.__table__.columns.keys()),
        replaced=("status",),
        settled=("ended_ms",),
    )
    for status, ended_ms, expected in (("running", None, None), ("finished", 5, 5), ("voided", 6, 5)):

        def work(connection: Connection, **new: object) -> tuple[object, ...]:
            row = connection.execute(select(RoundRow.__table__)).one()._asdict()
            ends.execute(connection, [tuple((row | new).values())])
            kept = connection.execute(select(RoundRow.__table__)).one()
            return kept.status, kept.ended_ms

        end = partial(work, status=status, ended_ms=ended_ms)
        assert await database.write(end) == (status, expected)


async def test_an_update_touches_the_rows_it_names(database: Database, room: RoomRecord) -> None:
    ann, bob = (str(each) for each in room.seats)
    balances = Updates(AccountRow, ("id", "balance"))
    assert await write(database, balances, [(purse(ann), 1), ("nobody's", 5), (purse(bob), 2)]) == 2
    coins = Updates(StandingRow, ("period", "user_id", "coins"), keys=2)
    assert await write(database, coins, [("all", ann, 77), ("no period", bob, 78)]) == 1
    held = select(StandingRow.user_id, StandingRow.coins).where(StandingRow.coins.in_([77, 78]))
    stored = await database.read(lambda connection: connection.execute(held).all())
    assert [tuple(row) for row in stored] == [(ann, 77)]


async def test_several_statements_together(database: Database, room: RoomRecord, record: RoundRecord) -> None:
    """Each tells how many rows it was; one at fault undoes all."""
    actions = Inserts(ActionRow, ("round_id", "n", "seat", "code", "at_ms"))
    states = Updates(RoomRow, ("id", "seq"))
    event: Row = (room.id, 1, 1, record.id, "discarded", {})
    parts: list[tuple[Bulk, list[Row]]] = [
        (actions, [(record.id, 0, 0, "d", 1), (record.id, 1, 1, "d", 2)]),
        (TALLIES, []),
        (states, [(room.id, 9), ("no room", 9)]),
        (EVENTS, [event]),
    ]
    assert await database.write(lambda connection: write_together(connection, parts)) == [2, 0, 1, 1]
    assert await database.write(lambda connection: write_together(connection, [])) == []

    again: list[tuple[Bulk, list[Row]]] = [(states, [(room.id, 10)]), (EVENTS, [event])]
    with pytest.raises(IntegrityError) as refused:
        await database.write(lambda connection: write_together(connection, again))
    assert is_taken(refused.value)
    assert is_taken(refused.value, "events")
    assert not is_taken(refused.value, "answers")
    assert await database.read(lambda connection: connection.scalar(select(RoomRow.seq))) == 9


async def test_a_missing_parent_is_not_a_taken_value(database: Database, room: RoomRecord) -> None:
    with pytest.raises(IntegrityError) as refused:
        await write(database, EVENTS, [("no room", 1, 1, None, "discarded", {})])
    assert not is_taken(refused.value)
    assert not is_taken(refused.value, "events")
