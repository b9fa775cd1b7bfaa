"""A room that cannot be rebuilt stops alone: voided, paid back, its players free. Source: RULES §3.6."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.economy.ledger import HOUSE_FEES
from app.rooms import commands as cmd
from app.rooms.connection import CloseCode
from app.rooms.hub import Rooms
from app.rooms.ports import UnreadableRoom
from app.store.audit import audit
from app.store.database import Database
from app.store.records import SqlRecords
from app.store.room_store import SqlRoomStore
from tests.integration.sql_tables import COINS, SqlTable, sql_table
from tests.integration.stories import ZONE, execute
from tests.integration.test_failed_commits import leave
from tests.tables import CLASSIC

ON_EVERY_DATABASE = True

FEE = 30
NO_SHAPE = "'{}'"
TORN = "'{\"torn'"
OTHER_SHAPES = {
    "rooms.tier": [NO_SHAPE, "'5'", "'{\"name\": 5}'"],
    "rounds.result": [
        NO_SHAPE,
        "'[]'",
        "'{\"won\": 5}'",
        "'{\"won\": []}'",
        '\'{"won": {"fans": 5}}\'',
        '\'{"won": {"fans": [5, {"zh": "x"}]}}\'',
        "'{\"settled\": 5}'",
        '\'{"settled": {"multiplier": []}}\'',
    ],
}
DAMAGE = {
    "another state": "UPDATE rooms SET state = {other_hash} WHERE id = '{room}'",
    "an action lost": (
        "DELETE FROM actions WHERE n = 3 AND round_id IN (SELECT id FROM rounds WHERE room_id = '{room}')"
    ),
    "a record of another version": "UPDATE rounds SET record_version = 99 WHERE room_id = '{room}'",
    "no such rule set": "UPDATE rounds SET ruleset = 'none' WHERE room_id = '{room}'",
    "a state of another shape": "UPDATE rooms SET state = '[]' WHERE id = '{room}'",
    "a tier of another shape": "UPDATE rooms SET tier = '{{}}' WHERE id = '{room}'",
    "events of another shape": "UPDATE rounds SET options = '[]' WHERE room_id = '{room}'",
}
OTHER_HASH = {
    "sqlite": "json_set(state, '$.hash', '1:0000000000000000')",
    "postgresql": "jsonb_set(state, '{hash}', '\"1:0000000000000000\"')",
}


async def spoil(database: Database, column: str, room_id: str, value: str) -> None:
    """Make the column another value in all that is stored of the room; ``value`` is SQL."""
    table, name = column.split(".")
    key = "id" if table == "rooms" else "room_id"
    await execute(database, f"UPDATE {table} SET {name} = {value} WHERE {key} = '{room_id}'")


async def two_tables(database: Database) -> tuple[SqlTable, SqlTable]:
    """Two rooms in the middle of a round for which a fee was paid."""
    tier = replace(CLASSIC, table_fee=FEE)
    tables = (await sql_table(database, tier, seed=1), await sql_table(database, tier, seed=2))
    for table in tables:
        await table.at_first_turn()
        await table.room.stop(CloseCode.RESTART)
    return tables


async def check_stopped(database: Database, broken: SqlTable, sound: SqlTable) -> Rooms:
    """Start again: one room goes on, the other is over and cost nobody anything."""
    store = SqlRoomStore(database, ZONE)
    rooms = Rooms(replace(sound.sources, store=store))
    assert await rooms.recover() == 1
    assert rooms.stopped == 1
    assert rooms.room_of(sound.users[0].id) == sound.room.state.id
    assert [rooms.room_of(user.id) for user in broken.users] == [None, None]
    players = await store.players([user.id for user in (*broken.users, *sound.users)])
    assert [players[user.id].coins for user in broken.users] == [COINS, COINS]
    assert [players[user.id].coins for user in sound.users] == [COINS - FEE, COINS - FEE]
    kept = await execute(database, f"SELECT balance FROM accounts WHERE id = '{HOUSE_FEES}'")
    assert kept == [(2 * FEE,)]
    assert (await audit(database)).fault is None
    assert await store.load_room(broken.room.state.id) is None
    return rooms


@pytest.mark.parametrize("damage", DAMAGE)
async def test_what_cannot_be_read_stops_its_room_alone(
    database: Database, database_kind: str, damage: str
) -> None:
    broken, sound = await two_tables(database)
    room_id = broken.room.state.id
    await execute(database, DAMAGE[damage].format(room=room_id, other_hash=OTHER_HASH[database_kind]))
    rooms = await check_stopped(database, broken, sound)
    ended = f"SELECT status, ended_ms FROM rounds WHERE room_id = '{room_id}'"
    assert await execute(database, ended) == [("voided", broken.clock.now_ms())]
    last = f"SELECT kind FROM events WHERE room_id = '{room_id}' ORDER BY seq DESC LIMIT 2"
    assert await execute(database, last) == [("room_closed",), ("voided",)]
    await rooms.stop()
    again = Rooms(sound.sources)
    assert await again.recover() == 1  # it is over for good, and paid back once
    assert again.stopped == 0
    await again.stop()


@pytest.mark.sqlite_only
@pytest.mark.parametrize("column", ["rooms.state", "rooms.tier", "rounds.options", "events.data"])
async def test_what_is_no_json_stops_its_room_alone(database: Database, column: str) -> None:
    broken, sound = await two_tables(database)
    await spoil(database, column, broken.room.state.id, TORN)
    with pytest.raises(UnreadableRoom):
        await SqlRoomStore(database, ZONE).load_room(broken.room.state.id)
    await (await check_stopped(database, broken, sound)).stop()


async def test_a_proposed_round_is_withdrawn(database: Database) -> None:
    table = await sql_table(database)
    await table.seated()
    await table.room.stop(CloseCode.RESTART)
    store = SqlRoomStore(database, ZONE)
    await store.stop_room(table.room.state.id, "fault", 9_000)
    assert await execute(database, "SELECT status FROM rounds") == [("withdrawn",)]
    await store.stop_room(table.room.state.id, "fault", 9_001)  # closed already: nothing happens
    assert await execute(database, "SELECT count(*) FROM events WHERE kind = 'room_closed'") == [(1,)]


@pytest.mark.parametrize("damage", ["ruleset_version = 99", "entropy0 = NULL"])
async def test_a_room_found_unreadable_while_it_runs_is_stopped(database: Database, damage: str) -> None:
    """A commit fails; what is stored then cannot be read."""
    table = await sql_table(database, replace(CLASSIC, table_fee=FEE), seed=1)
    mover, _ = await table.at_first_turn()
    await execute(database, f"UPDATE rounds SET {damage}", "UPDATE rooms SET seq = seq + 1")
    await execute(
        database,
        "INSERT INTO events SELECT room_id, seq + 1, at_ms, round_id, kind, data FROM events "
        "WHERE seq = (SELECT max(seq) FROM events)",
    )  # so that the next commit fails
    discard = next(o["o"] for o in mover.question["opts"] if o["kind"] == "discard")
    table.room.ask(mover.connection, cmd.Act("last", mover.question["dp"], discard))
    await table.quiet()
    assert not [frame for frame in mover.of("ack") if frame["id"] == "last"]
    assert table.state.is_closed
    assert table.stops.count == 1
    assert mover.closed == CloseCode.REMOVED
    players = await SqlRoomStore(database, ZONE).players([user.id for user in table.users])
    assert {player.coins for player in players.values()} == {COINS}
    assert (await audit(database)).fault is None


async def settled(database: Database) -> SqlTable:
    """A room whose round has ended by an escape."""
    table = await sql_table(database)
    leaver, _ = await table.at_first_turn()
    await leave(table, leaver)
    await table.room.stop(CloseCode.RESTART)
    return table


async def check_history(database: Database, table: SqlTable, column: str, value: str) -> None:
    """Both players still see the round: with its coins, and the name the tier has now."""
    records = SqlRecords(database)
    before = [await records.played(user.id, None, 10) for user in table.users]
    await spoil(database, column, table.state.id, value)
    assert [await records.played(user.id, None, 10) for user in table.users] == before
    assert [len(page) for page in before] == [1, 1]


async def test_a_history_is_shown_without_what_cannot_be_read(database: Database) -> None:
    table = await settled(database)
    for column, shapes in OTHER_SHAPES.items():
        for shape in shapes:
            await check_history(database, table, column, shape)


@pytest.mark.sqlite_only
@pytest.mark.parametrize("column", ["rooms.tier", "rounds.result"])
async def test_a_history_is_shown_without_what_is_no_json(database: Database, column: str) -> None:
    await check_history(database, await settled(database), column, TORN)
