"""Many rows of many tables, done together: what comes out is what each by itself would have written."""

from __future__ import annotations

from functools import partial

import pytest
from sqlalchemy import Connection, func, select
from sqlalchemy.exc import IntegrityError

from app.economy.ledger import purse
from app.rooms.ports import Batch, RoomRecord, RoundRecord
from app.store.bulk import Bulk, Inserts, Lookup, Part, Point, Requires, Updates
from app.store.database import Database
from app.store.faults import is_taken
from app.store.models import AccountRow, ActionRow, EventRow, RoomRow, RoundRow, StandingRow, TallyRow
from app.store.room_store import SqlRoomStore
from app.store.steps import MissingRow, Refused, Row
from app.store.together import lock_together, steps_of, write_together
from tests.integration.stories import ZONE, a_room, a_round, guest, later
from tests.integration.test_failed_commits import engine_sees_all

ON_EVERY_DATABASE = APART = True
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
    await SqlRoomStore(database, ZONE).commit(Batch(room=later(room), at_ms=3_000, rounds=(record,)))
    return record


async def write(database: Database, bulk: Bulk, rows: list[Row]) -> None:
    await together(database, [(bulk, rows)])


async def together(database: Database, parts: list[Part]) -> None:
    """In a transaction, or at once where a process does that."""
    if engine_sees_all(database) or database.dialect == "postgresql":
        await database.write(lambda connection: write_together(connection, parts))
        return
    try:
        await database.write_at_once(steps_of(database.dialect, parts))
    except Refused as refusal:
        raise refusal.reason from refusal


@pytest.mark.parametrize("count", [0, 1, 2, 64, 1_000])
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
    await write(database, EVENTS, list(rows))
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
        await write(database, rooms, [(room.id, private, invite, seat1, state, 7)])
        await write(database, rounds, [(record.id, result, None, {ODD: ODD})])
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
            write_together(connection, [(ends, [tuple((row | new).values())])])
            kept = connection.execute(select(RoundRow.__table__)).one()
            return kept.status, kept.ended_ms

        end = partial(work, status=status, ended_ms=ended_ms)
        assert await database.write(end) == (status, expected)


async def test_a_row_that_may_be_there_stays_as_it_is(database: Database) -> None:
    opened = Inserts(AccountRow, ("id", "balance"), there=True)
    await write(database, opened, [("practice:x", 3)])
    await write(database, opened, [("practice:x", 4), ("practice:y", 5)])
    held = select(AccountRow.balance).where(AccountRow.id.startswith("practice:")).order_by(AccountRow.id)
    stored = await database.read(lambda connection: connection.scalars(held).all())
    assert stored[-2:] == [3, 5]


async def test_an_update_touches_the_rows_it_names(database: Database, room: RoomRecord) -> None:
    ann, bob = (str(each) for each in room.seats)
    balances = Updates(AccountRow, ("id", "balance"))
    await write(database, balances, [(purse(ann), 1), (purse(bob), 2)])
    coins = Updates(StandingRow, ("period", "user_id", "coins"), keys=2)
    await write(database, coins, [("all", ann, 77)])
    held = select(StandingRow.user_id, StandingRow.coins).where(StandingRow.coins.in_([77, 78]))
    stored = await database.read(lambda connection: connection.execute(held).all())
    assert [tuple(row) for row in stored] == [(ann, 77)]
    for bulk, rows in (
        (balances, [(purse(ann), 5), ("nobody's", 5), (purse(bob), 6)]),
        (coins, [("all", ann, 78), ("no period", bob, 78)]),
    ):
        with pytest.raises(MissingRow, match=bulk.table):
            await write(database, bulk, list(rows))
    assert await balances_now(database, (ann, bob)) == [1, 2]


async def test_rows_that_must_be_there_with_their_values(database: Database, room: RoomRecord) -> None:
    ann, bob = sorted(str(each) for each in room.seats)
    held = dict(zip((ann, bob), await balances_now(database, (ann, bob)), strict=True))
    requires = Requires(AccountRow, ("id", "balance"))
    right: list[Row] = [(purse(user), coins) for user, coins in held.items()]
    await together(database, [(requires, right), (STATES, [(room.id, 3)])])
    for wrong in ((purse(ann), held[ann] + 1), ("nobody's", 0)):
        parts: list[Part] = [(requires, [*right, wrong]), (STATES, [(room.id, 4)])]
        with pytest.raises(MissingRow) as missing:
            await database.write(partial(write_together, parts=parts))
        with pytest.raises(Refused) as refused:
            await database.write_at_once(steps_of(database.dialect, parts))
        for error in (missing.value, refused.value.reason):
            assert isinstance(error, MissingRow)
            assert error.table == "accounts"
    assert await database.read(lambda connection: connection.scalar(select(RoomRow.seq))) == 3


async def balances_now(database: Database, users: tuple[str, str]) -> list[int]:
    accounts = Lookup(AccountRow, ("id", "balance"))
    keys = [(purse(user_id),) for user_id in users]
    [rows] = await database.write(lambda connection: lock_together(connection, [(accounts, keys)]))
    return [balance for _, balance in rows]


ACTIONS = Inserts(ActionRow, ("round_id", "n", "seat", "code", "at_ms"))
STATES = Updates(RoomRow, ("id", "seq"))


def test_a_point_lies_behind_what_is_done_before_it() -> None:
    parts: list[Part] = [(STATES, [("room-1", 9)]), (TALLIES, []), (ACTIONS, [("round-1", 0, 0, "d", 1)])]
    pointed: list[Part | Point] = [*parts[:2], Point("mid_settlement"), *parts[2:]]
    assert [step.then for step in steps_of("sqlite", pointed)] == ["mid_settlement", ""]
    assert steps_of("postgresql", pointed) == steps_of("postgresql", parts)


async def test_several_statements_together(database: Database, room: RoomRecord, record: RoundRecord) -> None:
    """One at fault undoes all."""
    event: Row = (room.id, 1, 1, record.id, "discarded", {})
    parts: list[Part] = [
        (ACTIONS, [(record.id, 0, 0, "d", 1), (record.id, 1, 1, "d", 2)]),
        (TALLIES, []),
        (STATES, [(room.id, 9)]),
        (EVENTS, [event]),
    ]
    await together(database, parts)
    await database.write(lambda connection: write_together(connection, []))
    codes = select(ActionRow.n, ActionRow.code).order_by(ActionRow.n)
    stored = await database.read(lambda connection: connection.execute(codes).all())
    assert [tuple(row) for row in stored] == [(0, "d"), (1, "d")]

    again: list[Part] = [(STATES, [(room.id, 10)]), (EVENTS, [event])]
    with pytest.raises(IntegrityError) as refused:
        await together(database, again)
    assert is_taken(refused.value)
    assert is_taken(refused.value, "events")
    assert not is_taken(refused.value, "answers")
    missing: list[Part] = [(EVENTS, [(room.id, 2, 1, None, "discarded", {})]), (STATES, [("no room", 10)])]
    with pytest.raises(MissingRow, match="rooms"):
        await together(database, missing)
    assert await database.read(lambda connection: connection.scalar(select(RoomRow.seq))) == 9
    assert await database.read(lambda connection: connection.scalar(select(func.max(EventRow.seq)))) == 1


async def test_no_value_can_pass_for_a_missing_row(database: Database, record: RoundRecord) -> None:
    """Errors may quote what is stored: an id a client has chosen, for one."""
    tricky: list[Row] = [("missing row: accounts", "invalid input syntax", 0, 1, 1)]
    tallies = Inserts(TallyRow, ("period", "measure", "level", "prefix", "n"))
    await write(database, tallies, tricky)
    with pytest.raises(IntegrityError):
        await write(database, tallies, tricky)


async def test_what_is_locked_together(database: Database, room: RoomRecord) -> None:
    """Rows by the keys that are there, in order; several tables at once, with keys of several columns."""
    ann, bob = sorted(str(each) for each in room.seats)
    accounts = Lookup(AccountRow, ("id", "balance"))
    standings = Lookup(StandingRow, ("period", "user_id", "coins", "wins"))
    rooms = Lookup(RoomRow, ("id", "invite", "created_ms"))
    found = await database.write(
        lambda connection: lock_together(
            connection,
            [
                (standings, [("all", bob), ("all", ann), ("day:2026-11-29", ann)]),
                (accounts, []),
                (rooms, [(room.id,), (ODD,)]),
                (accounts, [(purse(bob),), ("nobody's",), (purse(ann),)]),
            ],
        )
    )
    held = await balances_now(database, (ann, bob))
    assert found == [
        [["all", ann, held[0], 0], ["all", bob, held[1], 0]],
        [],
        [[room.id, room.invite, 2_000]],
        [[purse(ann), held[0]], [purse(bob), held[1]]],
    ]
    nothing = await database.write(lambda connection: lock_together(connection, [(accounts, [])]))
    assert nothing == [[]]


async def test_a_missing_parent_is_not_a_taken_value(database: Database, room: RoomRecord) -> None:
    with pytest.raises(IntegrityError) as refused:
        await write(database, EVENTS, [("no room", 1, 1, None, "discarded", {})])
    assert not is_taken(refused.value)
    assert not is_taken(refused.value, "events")
