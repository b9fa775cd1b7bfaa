"""Who plays from one address: marks, what becomes of them, and what operators see. Source: PROTOCOL §2.8."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import AsyncIterator, Collection
from dataclasses import replace
from datetime import date, timedelta

import pytest
from fastapi import FastAPI
from httpx import AsyncClient

from app.api.whereabouts import Whereabouts
from app.economy.marks import Seen, mark_of
from app.economy.users import User
from app.store import migrate
from app.store.accounts import SqlAccounts
from app.store.database import Database
from app.store.marks import SqlMarks
from tests.fakes import START_MS, FakeClock
from tests.integration.operators import operator
from tests.integration.serving import serving
from tests.integration.stories import ZONE, execute, guest
from tests.integration.test_accounts import calling
from tests.integration.test_http import TIER, someone
from tests.integration.test_players import rounds_won
from tests.integration.test_relief import at

ON_EVERY_DATABASE = True

TODAY = date(1970, 1, 1)  # on which ``rounds_won`` plays
MIDNIGHT = 57_600_000  # when it ends in Taipei
HERE, THERE = "203.0.113.5", "198.51.100.7"
MARKS = "SELECT mark FROM marks ORDER BY user_id, mark"


@pytest.fixture
async def marks(app: FastAPI, database: Database) -> SqlMarks:
    """Marks of 1970: the application's own clock, which takes them for old ones, is stopped first."""
    await app.state.house.whereabouts.stop()
    return SqlMarks(database)


@pytest.fixture
async def house(app: FastAPI, marks: SqlMarks) -> AsyncIterator[Whereabouts]:
    """The application's, at a clock that stands still."""
    whereabouts = Whereabouts(marks, FakeClock(), ZONE)
    app.state.house = replace(app.state.house, whereabouts=whereabouts)
    yield whereabouts
    await whereabouts.stop()


async def both_from(marks: SqlMarks, players: Collection[User], *days: date, place: str = HERE) -> None:
    for day in days:
        await marks.note({Seen(player.id, place) for player in players}, day)


# --- marks -------------------------------------------------------------------------------------------------


async def test_a_mark_is_short_and_one_a_day_and_player(database: Database, marks: SqlMarks) -> None:
    players = ann, bob = await guest(database, "ann"), await guest(database, "bob")
    await both_from(marks, players, TODAY)
    await both_from(marks, players, TODAY)
    await marks.note({Seen(bob.id, THERE)}, TODAY)
    found = await execute(database, "SELECT user_id, mark FROM marks")
    (salt,) = (row[0] for row in await execute(database, "SELECT salt FROM day_salts"))
    key = bytes.fromhex(salt)
    assert len(key) == 32
    assert set(found) == {
        (ann.id, mark_of(HERE, key)),
        (bob.id, mark_of(HERE, key)),
        (bob.id, mark_of(THERE, key)),
    }
    assert len(found) == 3
    assert {len(mark) for _, mark in found} == {8}


async def test_the_salt_goes_with_its_day(database: Database, marks: SqlMarks) -> None:
    ann = await guest(database, "ann")
    days = [TODAY + timedelta(days=n) for n in range(3)]
    salts = set()
    for day in days:
        await both_from(marks, [ann], day)
        (salt,) = await execute(database, "SELECT salt FROM day_salts")
        salts.add(salt)
    assert len(salts) == 3
    await marks.note((), days[-1] + timedelta(days=1))  # a night on which nobody comes
    assert await execute(database, "SELECT salt FROM day_salts") == []
    assert len(set(await execute(database, MARKS))) == 3  # the same address, and nothing to compare


@pytest.mark.sqlite_only
async def test_a_salt_that_is_gone_is_not_in_the_file(database: Database, marks: SqlMarks) -> None:
    assert database.file is not None
    file = sqlite3.connect(database.file)
    ann = await guest(database, "ann")
    await both_from(marks, [ann], TODAY)
    ((salt,),) = await execute(database, "SELECT salt FROM day_salts")
    for is_there in (True, False):
        file.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        assert (salt.encode() in database.file.read_bytes()) is is_there
        await marks.note((), TODAY + timedelta(days=1))
    file.close()


async def test_marks_go_after_thirty_days(database: Database, marks: SqlMarks) -> None:
    ann = await guest(database, "ann")
    await both_from(marks, [ann], TODAY, TODAY + timedelta(days=1))
    await marks.note((), TODAY + timedelta(days=29))
    assert len(await execute(database, MARKS)) == 2
    await marks.note((), TODAY + timedelta(days=30))
    assert len(await execute(database, MARKS)) == 1
    await marks.note((), TODAY + timedelta(days=31))
    assert await execute(database, MARKS) == []


async def test_who_leaves_for_good_takes_his_marks_along(database: Database, marks: SqlMarks) -> None:
    players = ann, bob = await guest(database, "ann"), await guest(database, "bob")
    await both_from(marks, players, TODAY)
    await SqlAccounts(database).leave(ann.id, 5_000)
    await both_from(marks, players, TODAY, place=THERE)  # was still under way
    await marks.note({Seen("nobody", HERE)}, TODAY)
    assert await execute(database, "SELECT DISTINCT user_id FROM marks") == [(bob.id,)]


async def test_the_older_schema_has_none(database: Database, database_url: str) -> None:
    ann = await guest(database, "ann")
    await both_from(SqlMarks(database), [ann], TODAY)
    await database.close()
    await migrate.downgrade(database_url, "20261130_15")
    await migrate.upgrade(database_url)
    again = Database(database_url)
    assert await execute(again, MARKS) == []
    assert await execute(again, "SELECT salt FROM day_salts") == []
    assert await execute(again, "SELECT name FROM users WHERE is_guest") == [("ann",)]
    await again.close()


# --- who is noted ------------------------------------------------------------------------------------------


async def test_who_takes_a_seat_is_noted_from_where_he_is(
    app: FastAPI, house: Whereabouts, database: Database
) -> None:
    """One call each, from one /64, from the machine itself, and from elsewhere."""
    places = "2001:db8::1", "2001:db8::ffff:1", "2001:db8:0:1::1", "::1"
    for host, path in zip(places, ("rooms", "match", "rooms", "rooms/room-01/join"), strict=True):
        async with calling(app, host) as client:
            person = await someone(client)
            answer = await person.post(f"/api/{path}", {} if path.endswith("join") else {"tier": TIER})
            assert answer.status_code == 200, answer.text
    await house.idle()
    first, second, other, itself = [row[0] for row in await execute(database, MARKS)]
    assert first == second
    assert len({first, other, itself}) == 3
    stored = str([await execute(database, f"SELECT * FROM {table}") for table in ("marks", "day_salts")])
    assert "2001:db8" not in stored


async def test_who_looks_around_leaves_no_mark(app: FastAPI, house: Whereabouts, database: Database) -> None:
    async with calling(app, HERE) as client:
        person = await someone(client)
        for path in ("/api/me", "/api/rooms", "/api/tiers", "/api/match"):
            assert (await person.get(path)).status_code == 200
        assert (await person.post("/api/rooms", {"tier": "none"})).status_code == 404
    await house.idle()
    assert await execute(database, MARKS) == []


async def test_a_player_who_connects_is_noted_and_a_watcher_is_not(database_url: str) -> None:
    async with serving(database_url) as site, site.guest("阿梅") as mei, site.guest("聽雨") as rain:
        room_id, _ = await mei.open_room(private=False, spectators=True)
        async with await rain.watch(room_id) as watching:
            await watching.receive()
        database = Database(database_url)
        await execute(database, "DELETE FROM marks")  # of the seat
        async with await mei.table(room_id) as table:
            await table.receive()
    seen = await execute(database, "SELECT user_id FROM marks")
    await database.close()
    assert seen == [(mei.user_id,)]


class NoMarks:
    """A database that is away."""

    def __init__(self) -> None:
        self.asked: list[tuple[set[Seen], date]] = []

    async def note(self, seen: Collection[Seen], today: date) -> None:
        self.asked.append((set(seen), today))
        raise OSError("away")


async def test_nobody_is_kept_from_playing(
    app: FastAPI, client: AsyncClient, caplog: pytest.LogCaptureFixture
) -> None:
    absent = NoMarks()
    whereabouts = Whereabouts(absent, FakeClock(), ZONE)
    app.state.house = replace(app.state.house, whereabouts=whereabouts)
    ann = await someone(client)
    with caplog.at_level(logging.ERROR):
        assert (await ann.post("/api/rooms", {"tier": TIER})).status_code == 200
        await whereabouts.idle()
        whereabouts.note(ann.id, HERE)
        await whereabouts.idle()
    assert [seen for seen, _ in absent.asked] == [{Seen(ann.id, "127.0.0.1")}, {Seen(ann.id, HERE)}]
    assert caplog.text.count("is not noted") == 2
    assert HERE not in caplog.text


async def test_what_is_over_is_destroyed_at_the_start_and_at_midnight(database: Database) -> None:
    ann = await guest(database, "ann")
    clock, marks = FakeClock(), SqlMarks(database)
    whereabouts = Whereabouts(marks, clock, ZONE)
    today = date(2025, 11, 30)  # of START_MS
    await both_from(marks, [ann], today - timedelta(days=1), place=THERE)
    whereabouts.begin_day()
    await whereabouts.idle()
    assert await execute(database, "SELECT day FROM day_salts") == []
    whereabouts.note(ann.id, HERE)
    await whereabouts.idle()
    for day in range(1, 31):
        assert len(await execute(database, "SELECT day FROM day_salts")) == (day == 1)
        clock.advance_to(START_MS + day * 86_400_000)
        await whereabouts.idle()
    assert await execute(database, MARKS) == []
    await whereabouts.stop()
    assert clock.next_due_ms() is None


# --- what operators see ------------------------------------------------------------------------------------


async def neighbours(
    client: AsyncClient, app: FastAPI, database: Database
) -> list[tuple[str, str, int, int]]:
    at(app, MIDNIGHT - 1)
    boss = await operator(client, database, "viewer")
    pairs = (await boss.get("/api/admin/suspects?days=14")).json()["neighbours"]
    return [(p["winner"]["name"], p["loser"]["id"], p["days"], p["coins"]) for p in pairs]


async def test_a_pair_at_one_address(
    client: AsyncClient, app: FastAPI, database: Database, marks: SqlMarks
) -> None:
    players = ann, bob = await rounds_won(database, 3)
    (gained,) = await execute(
        database, f"SELECT sum(coins_delta) FROM round_results WHERE user_id = '{ann.id}'"
    )
    idle = TODAY + timedelta(days=1)  # they come from one address and do not play
    await both_from(marks, players, TODAY, TODAY, idle)
    await both_from(marks, [await guest(database, "carol")], TODAY)  # who plays with nobody
    assert await neighbours(client, app, database) == [("ann", bob.id, 1, int(gained[0]))]


async def test_days_are_counted_in_the_servers_zone(
    client: AsyncClient, app: FastAPI, database: Database, marks: SqlMarks
) -> None:
    players = _, bob = await rounds_won(database, 3)
    for number, at_ms in (
        (1, -28_800_001),
        (2, -28_800_000),
        (3, MIDNIGHT - 1),
    ):  # the last of 1969, and 1970
        await execute(database, f"UPDATE round_results SET at_ms = {at_ms} WHERE round_id = 'round-{number}'")
    await both_from(marks, players, TODAY - timedelta(days=1), TODAY)
    ((_, loser, days, _),) = await neighbours(client, app, database)
    assert (loser, days) == (bob.id, 2)


@pytest.mark.parametrize("case", ["apart", "on other days", "nothing gained", "long ago"])
async def test_who_is_no_suspect(
    client: AsyncClient, app: FastAPI, database: Database, marks: SqlMarks, case: str
) -> None:
    ann, bob = await rounds_won(database, 2)
    day = TODAY - timedelta(days=1) if case == "on other days" else TODAY
    await both_from(marks, [ann], day)
    await both_from(marks, [bob], day, place=THERE if case == "apart" else HERE)
    if case == "nothing gained":
        other = "(SELECT min(coins_delta) FROM round_results)"
        await execute(
            database,
            f"UPDATE round_results SET coins_delta = {other} WHERE round_id = 'round-1' AND seat = 0",
            "UPDATE round_results SET coins_delta = -coins_delta WHERE round_id = 'round-1' AND seat = 1",
        )
    if case == "long ago":
        await execute(database, f"UPDATE round_results SET at_ms = at_ms - {15 * 86_400_000}")
    assert await neighbours(client, app, database) == []
