"""Boards in the store against a plain sort, and over HTTP. Source: PROTOCOL §2, docs/PROTOCOL.md §2.3."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import date
from typing import Any

import pytest
from httpx import AsyncClient
from sqlalchemy import Connection, Engine, event, select

from app.economy.periods import Period, day_of, period_key
from app.economy.standings import Measure, Place, Spot
from app.rooms.ports import Batch, ResultRecord
from app.rooms.records import Moment
from app.store.database import Database
from app.store.leaderboards import SqlStandings
from app.store.models import StandingRow, TallyRow
from app.store.records import SqlRecords
from app.store.room_store import SqlRoomStore
from app.store.standings import STANDINGS, keys_of, move_standings, prefixes, standings_of
from app.store.together import lock_together, write_together
from tests.integration.stories import ZONE, a_room, a_round, guest, later, won_batch
from tests.integration.test_http import code_of, someone

ON_EVERY_DATABASE = True

DAY = date(2026, 11, 29)
KEYS = [period_key(period, DAY) for period in Period]


async def a_busy_day(database: Database, players: int = 20, rounds: int = 80) -> None:
    """Random rounds between random players, many of them equal, some of them negative."""
    rng = random.Random(7)
    ids = [(await guest(database, f"p{n}", rng.choice((500, 10_000, 70_000)))).id for n in range(players)]
    points, coins = dict.fromkeys(ids, 0), dict.fromkeys(ids, 10_000)

    def play(connection: Connection) -> None:
        for number in range(rounds):
            winner, loser = rng.sample(ids, 2)
            fan = rng.choice((1, 8, 64, 300))
            after = {winner: points[winner] + fan, loser: max(points[loser] - fan, 0)}
            results = [
                ResultRecord(f"r{number}", user, seat, word, delta, points[user], after[user], fan)
                for seat, (user, word, delta) in enumerate(
                    ((winner, "won", fan * 10), (loser, "lost", -fan * 10))
                )
            ]
            points.update(after)
            for result in results:
                coins[result.user_id] = max(coins[result.user_id] + result.coins_delta, 0)
            dated = [(result, DAY) for result in results]
            held = {user: coins[user] for user in (winner, loser)}
            [before] = lock_together(connection, [(STANDINGS, keys_of(held, dated))])
            _, parts = move_standings(standings_of(before), held, dated, banned=())
            write_together(connection, parts)

    await database.write(play)


async def fetch(database: Database, statement: Any) -> list[tuple[Any, ...]]:
    return await database.read(lambda connection: [tuple(row) for row in connection.execute(statement)])


async def plain_board(database: Database, measure: Measure, key: str) -> list[tuple[int, int, str]]:
    """(rank, value, user) of everybody, sorted in Python."""
    own = select(StandingRow.user_id, getattr(StandingRow, measure.value)).where(StandingRow.period == key)
    rows = await fetch(database, own)
    values = [value for _, value in rows]
    ordered = sorted(rows, key=lambda row: (-row[1], row[0]))
    return [(1 + sum(v > value for v in values), value, user) for user, value in ordered]


def plain(places: Any) -> list[tuple[int, int, str]]:
    return [(place.rank, place.value, place.user_id) for place in places]


@pytest.mark.parametrize("measure", Measure)
async def test_pages_and_neighbours_are_those_of_a_plain_sort(database: Database, measure: Measure) -> None:
    await a_busy_day(database)
    standings = SqlStandings(database)
    for key in KEYS:
        expected = await plain_board(database, measure, key)
        seen: list[Place] = []
        while page := await standings.page(
            measure, key, Spot(seen[-1].value, seen[-1].user_id) if seen else None, 7
        ):
            seen += page
        assert plain(seen) == expected
        for index, (_, _, user_id) in enumerate(expected):
            for limit in (1, 4, 100):
                around = await standings.around(measure, key, user_id, limit)
                assert around is not None
                assert (around.me.rank, around.me.value, around.me.user_id) == expected[index]
                first = max(0, min(index - (limit - 1) // 2, len(expected) - limit))
                assert plain(around.places) == expected[first : first + limit]


async def test_tallies_count_what_stands(database: Database) -> None:
    await a_busy_day(database)
    for measure in Measure:
        for key in KEYS:
            counted: dict[tuple[int, int], int] = {}
            for _, value, _ in await plain_board(database, measure, key):
                for at in prefixes(value):
                    counted[at] = counted.get(at, 0) + 1
            stored = await fetch(
                database,
                select(TallyRow.level, TallyRow.prefix, TallyRow.n).where(
                    TallyRow.n != 0, TallyRow.period == key, TallyRow.measure == measure.value
                ),
            )
            assert {(level, prefix): n for level, prefix, n in stored} == counted


@pytest.mark.sqlite_only
async def test_no_statement_scans_or_sorts(database: Database) -> None:
    await a_busy_day(database)
    standings = SqlStandings(database)
    asked: list[tuple[str, Any]] = []

    def note(connection: Any, cursor: Any, statement: str, parameters: Any, *_: Any) -> None:
        asked.append((statement, parameters))

    user_id = (await plain_board(database, Measure.COINS, "all"))[10][2]
    event.listen(Engine, "before_cursor_execute", note)
    try:
        await standings.page(Measure.COINS, "all", Spot(10_000, user_id), 50)
        await standings.around(Measure.POINTS, "all", user_id, 11)
        await standings.career(user_id)
        await SqlRecords(database).played(user_id, Moment(10**13, "r9"), 20)
    finally:
        event.remove(Engine, "before_cursor_execute", note)
    asked = [(sql, values) for sql, values in asked if sql.lstrip().startswith("SELECT")]
    assert len(asked) >= 8

    def plans(connection: Connection) -> list[str]:
        return [
            str(row[3])
            for sql, values in asked
            for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {sql}", values)
        ]

    details = await database.read(plans)
    tables = ("standings", "tallies", "users", "round_results", "rounds", "rooms")
    assert not [line for line in details if line in {f"SCAN {table}" for table in tables}]
    assert not [line for line in details if line == "USE TEMP B-TREE FOR ORDER BY"]


async def test_a_settled_round_moves_both_on_all_boards(database: Database) -> None:
    players = [await guest(database, "ann"), await guest(database, "bob")]
    store, room = SqlRoomStore(database, ZONE), a_room(players)
    record = a_round(room)
    await store.create_room(room, 2_000)
    await store.commit(Batch(room=later(room), at_ms=3_000, rounds=(record,)))
    batch = replace(won_batch(later(room), record, players), at_ms=1_764_450_000_000)
    await store.commit(batch)
    day = day_of(batch.at_ms, ZONE)
    assert day == date(2025, 11, 30)
    ann = players[0].id
    own = select(
        StandingRow.period, StandingRow.points, StandingRow.coins, StandingRow.wins, StandingRow.best_fan
    ).where(StandingRow.user_id == ann)
    rows = await fetch(database, own.order_by(StandingRow.period))
    assert rows == [
        ("all", 26, 10_247, 1, 26),
        ("day:2025-11-30", 26, 247, 1, 26),
        ("week:2025-11-24", 26, 247, 1, 26),
    ]
    loser = await SqlStandings(database).career(players[1].id)
    assert loser is not None
    assert (loser.rounds, loser.losses, loser.wins, loser.best_fan) == (1, 1, 0, 0)


# --- over HTTP ---------------------------------------------------------------------------------------------


async def test_equal_players_share_the_first_place(client: AsyncClient) -> None:
    people = [await someone(client, name) for name in ("ann", "bob", "cat")]
    board = (await client.get("/api/leaderboard", params={"by": "coins", "limit": 2})).json()
    first = min(person.id for person in people)
    assert board["items"][0] == {
        "rank": 1,
        "value": 10_000,
        "player": {"id": first, "name": board["items"][0]["player"]["name"], "rank": "雀蛋"},
    }
    assert (board["by"], board["period"], board["since_ms"]) == ("coins", "all", None)
    rest = await client.get("/api/leaderboard", params={"by": "coins", "cursor": board["next"]})
    places = board["items"] + rest.json()["items"]
    assert [place["rank"] for place in places] == [1, 1, 1]
    assert [place["player"]["id"] for place in places] == sorted(person.id for person in people)
    assert rest.json()["next"] is None


async def test_around_me(client: AsyncClient) -> None:
    ann = await someone(client, "ann")
    await someone(client, "bob")
    body = (await ann.get("/api/leaderboard/around-me?by=wins&limit=5")).json()
    assert body["me"] == {"rank": 1, "value": 0, "player": {"id": ann.id, "name": "ann", "rank": "雀蛋"}}
    assert body["me"] in body["items"]
    assert len(body["items"]) == 2
    today = (await ann.get("/api/leaderboard/around-me?period=day")).json()
    assert (today["me"], today["items"]) == (None, [])
    assert today["since_ms"] is not None
    assert code_of(await client.get("/api/leaderboard/around-me")) == "unauthorized"


async def test_bad_questions_are_told(client: AsyncClient) -> None:
    await someone(client, "ann")
    await someone(client, "bob")
    cursor = (await client.get("/api/leaderboard?limit=1")).json()["next"]
    assert (await client.get("/api/leaderboard", params={"cursor": cursor})).status_code == 200
    for params in (
        {"by": "luck"},
        {"period": "year"},
        {"limit": 0},
        {"limit": 101},
        {"limit": "many"},
        {"cursor": ""},
        {"cursor": "x"},
        {"cursor": "é"},
        {"cursor": "W10"},  # []
        {"cursor": "W1tbW1tbW1tb" * 10},
        {"cursor": "a" * 201},
        {"cursor": cursor, "by": "wins"},
        {"cursor": cursor, "period": "day"},
        {"cursor": cursor[:-2]},
    ):
        assert code_of(await client.get("/api/leaderboard", params=params)) == "invalid", params
    for path in ("?limit=0", "?by=luck", "?period=year"):
        ann = await someone(client, "cat")
        assert code_of(await ann.get(f"/api/leaderboard/around-me{path}")) == "invalid"
