"""Leaderboards of a million players against a primary-key look-up of the same database, in one run.

``--postgres URL`` names a server one may make databases on. A page, a player's own place and his
neighbourhood are asked for by the code that the server runs, turn and turn about with the look-up, for
players and spots all over the board. The last line is one JSON object of ratios of medians.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from random import Random

import asyncpg
from sqlalchemy import Connection, select, text

sys.path.insert(0, str(Path(__file__).parents[1]))

from app.economy.standings import Measure, Spot
from app.store import migrate
from app.store.database import Database
from app.store.leaderboards import SqlStandings
from app.store.models import UserRow
from app.store.standings import ALL, BITS, LEVELS

PLAYERS = 1_000_000
TIMES = 300
NUMBERS = {
    "sqlite": f"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {PLAYERS}) "
    "INSERT INTO {into} SELECT {what} FROM n",
    "postgresql": "INSERT INTO {into} SELECT {what} FROM " + f"generate_series(1, {PLAYERS}) AS n(i)",
}
ID = "'P' || substr('000000000' || i, -9)"
PAD = {"sqlite": ID, "postgresql": "'P' || lpad(i::text, 9, '0')"}
# few hold much: values fall with the square of a scattered number, so that many are shared
VALUE = "(({prime} * i) % 1000003) * (({prime} * i) % 1000003) / {scale}"


def name_of(number: int) -> str:
    return f"P{number:09}"


def fill(connection: Connection) -> None:
    dialect = connection.dialect.name
    identity = PAD[dialect]
    big = "CAST(i AS BIGINT)"
    points = VALUE.format(prime=7_919, scale=500_000).replace("i)", f"{big})")
    coins = VALUE.format(prime=104_729, scale=10_000).replace("i)", f"{big})")
    wins = VALUE.format(prime=15_485_863, scale=100_000_000).replace("i)", f"{big})")

    def make(table: str, columns: dict[str, str]) -> None:
        into = f"{table} ({', '.join(columns)})"
        what = ", ".join(columns.values())
        connection.execute(text(NUMBERS[dialect].format(into=into, what=what)))

    no = "false" if dialect == "postgresql" else "0"
    make("users", {"id": identity, "name": identity, "is_guest": no, "points": points, "created_ms": "0"})
    make("accounts", {"id": f"'user:' || {identity}", "balance": coins})
    zeros = dict.fromkeys(("draws", "losses", "escapes", "deserted", "best_fan", "dealt_in"), "0")
    make(
        "standings",
        {"period": f"'{ALL}'", "user_id": identity, "points": points, "coins": coins, "wins": wins, **zeros},
    )
    for measure in Measure:
        for level in range(LEVELS):
            prefix = f"CAST({measure.value} AS BIGINT) >> {BITS * level}"
            connection.execute(
                text(
                    "INSERT INTO tallies (period, measure, level, prefix, n) "
                    f"SELECT period, '{measure.value}', {level}, {prefix}, COUNT(*) FROM standings "
                    f"WHERE period = '{ALL}' GROUP BY period, {prefix}"
                )
            )


async def measured(url: str) -> dict[str, float]:
    """Median seconds of each operation on a filled database."""
    await migrate.upgrade(url)
    database = Database(url)
    try:
        await database.write(fill)
        await database.write(lambda connection: connection.execute(text("ANALYZE")))
        return await _operations(database)
    finally:
        await database.close()


async def _operations(database: Database) -> dict[str, float]:
    standings, rng = SqlStandings(database), Random(1)

    async def look_up(user_id: str) -> object:
        found = select(UserRow.name).where(UserRow.id == user_id)
        return await database.read(lambda connection: connection.execute(found).one())

    async def page(user_id: str) -> object:
        around = await standings.around(Measure.POINTS, ALL, user_id, 1)
        assert around is not None
        spot = Spot(around.me.value, user_id)
        started = time.perf_counter()
        await standings.page(Measure.POINTS, ALL, spot, 50)
        return time.perf_counter() - started

    async def own_place(user_id: str) -> object:
        return await standings.around(Measure.COINS, ALL, user_id, 1)

    async def around(user_id: str) -> object:
        return await standings.around(Measure.WINS, ALL, user_id, 11)

    operations: dict[str, Callable[[str], Awaitable[object]]] = {
        "look_up": look_up,
        "page_of_50": page,
        "own_place": own_place,
        "around_me_11": around,
    }
    taken: dict[str, list[float]] = {name: [] for name in operations}
    for turn in range(TIMES + 10):
        user_id = name_of(rng.randint(1, PLAYERS))
        for name, operation in operations.items():
            started = time.perf_counter()
            own_time = await operation(user_id)
            spent = own_time if isinstance(own_time, float) else time.perf_counter() - started
            if turn >= 10:  # the first ones warm statements and pages
                taken[name].append(spent)
    return {name: sorted(times)[len(times) // 2] for name, times in taken.items()}


async def run(postgres: str | None) -> dict[str, float]:
    ratios: dict[str, float] = {}
    with tempfile.TemporaryDirectory(prefix="erma-leaderboard-") as folder:
        urls = {"sqlite": f"sqlite:///{folder}/erma.sqlite3"}
        if postgres is not None:
            urls["postgresql"] = f"{postgres.rsplit('/', 1)[0]}/erma_leaderboard"
            await _in_postgres(postgres, "CREATE DATABASE erma_leaderboard")
        try:
            for kind, url in urls.items():
                medians = await measured(url)
                print(kind, {name: f"{seconds * 1e6:.0f} µs" for name, seconds in medians.items()})
                for name in list(medians)[1:]:
                    ratios[f"{kind}_{name}_vs_look_up"] = round(medians[name] / medians["look_up"], 2)
        finally:
            if postgres is not None:
                await _in_postgres(postgres, "DROP DATABASE erma_leaderboard WITH (FORCE)")
    return ratios


async def _in_postgres(url: str, command: str) -> None:
    connection = await asyncpg.connect(url)
    try:
        await connection.execute(command)
    finally:
        await connection.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--postgres", help="URL of a server one may make databases on")
    args = parser.parse_args()
    print(json.dumps(asyncio.run(run(args.postgres))))


if __name__ == "__main__":
    main()
