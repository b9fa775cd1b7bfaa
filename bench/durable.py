"""What durability costs: action to acknowledgement, and to both seats, with commits and without, in one run.

The rooms are the server's own, played on without sockets, which would bound the figures on a small machine.
``--postgres URL`` names a server one may make databases on. The last line is one JSON object of ratios.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path
from zoneinfo import ZoneInfo

import asyncpg
import uvloop

sys.path.insert(0, str(Path(__file__).parents[1]))

from app.cli.tuning import tune_interpreter
from app.economy.users import Name, SignIn
from app.rooms.hub import Rooms
from app.rooms.ports import Batch, Player
from app.store import migrate
from app.store.committer import GROUP
from app.store.database import Database
from app.store.room_store import SqlRoomStore
from app.store.users import SqlUsers
from bench.house import COINS, House, NoStore

ZONE = ZoneInfo("Asia/Taipei")
WINDOW_SECONDS = 0.5
TABLES = 200
SPREAD = 100  # actions: about what a round takes
OPEN_ROOMS = 1_000
APPENDED = 160  # actions a room
WARM_ACTIONS = 30  # a room, before the restart is timed


def quantile(samples: Sequence[float], share: float) -> float:
    ordered = sorted(samples)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def windowed_p99(samples: Sequence[tuple[float, float]]) -> float:
    """Median of the p99s of half-second windows, in ms."""
    windows: dict[int, list[float]] = defaultdict(list)
    for due, taken in samples:
        windows[int(due / WINDOW_SECONDS)].append(taken)
    return quantile([quantile(window, 0.99) for window in windows.values()], 0.5) * 1_000


def p50(samples: Sequence[tuple[float, float]]) -> float:
    return quantile([taken for _, taken in samples], 0.5) * 1_000


class Place:
    """One way to keep what happens: a database of its own, or none."""

    def __init__(self, name: str, url: str | None) -> None:
        self.name = name
        self._url = url
        self.database: Database | None = None
        self.house: House

    async def open(self, tables: int, group: int | None = None) -> None:
        if self._url is None:
            self.store: NoStore | SqlRoomStore = NoStore()
        else:
            await migrate.upgrade(self._url)
            self.database = Database(self._url, apart=True)  # as the server's
            sizes = {} if group is None else {"group": group}
            self.store = SqlRoomStore(self.database, ZONE, **sizes)
        self.house = House(self.store)
        for number in range(tables):
            await self.house.open((await self._player(number, "a"), await self._player(number, "b")))
        await self.house.spread(SPREAD)

    async def _player(self, number: int, side: str) -> Player:
        name = f"{self.name}-{number}{side}"
        if self.database is None:
            player = Player(name, name, COINS, 0)
            assert isinstance(self.store, NoStore)
            self.store.welcome(player)
            return player
        session = SignIn(f"{name}-{time.time_ns()}", "csrf", 10**15)
        user = await SqlUsers(self.database).create_guest(Name(name, name), COINS, session, 1)
        return Player(user.id, user.name, user.coins, user.points)

    async def measure(self, rate: float, seconds: float) -> None:
        await self.house.play(rate, seconds)

    async def close(self) -> None:
        await self.house.close()
        if self.database is not None:
            assert isinstance(self.store, SqlRoomStore)
            await self.store.close()
            await self.database.close()


async def paced(
    places: Sequence[Place], rates: Sequence[int], seconds: float, turns: int
) -> dict[str, float]:
    """Each rate at each place, turn and turn about: added ms of the windowed p99 over no commit at all."""
    ratios: dict[str, float] = {}
    for place in places:
        await place.open(TABLES)
    for rate in rates:
        for place in places:
            place.house.acks.clear()
            place.house.both.clear()
        for _ in range(turns):
            for place in places:
                await place.measure(rate, seconds)
        for place in places:
            shown = [
                f"{name} p50 {p50(samples):6.2f} p99 {windowed_p99(samples):7.2f} ms"
                for name, samples in (("ack", place.house.acks), ("both seats", place.house.both))
            ]
            kept = len(place.house.acks) / (rate * seconds * turns)
            print(f"{rate:6}/s {place.name:10} {'   '.join(shown)}   kept up {kept:4.0%}")
        bare = windowed_p99(places[0].house.both)
        for place in places[1:]:
            added = windowed_p99(place.house.both) - bare
            ratios[f"{place.name}_p99_added_ms_at_{rate}"] = round(added, 2)
    for place in places:
        await place.close()
    return ratios


async def saturated(makes: dict[str, Callable[[], Place]], seconds: float) -> dict[str, float]:
    """Durable actions a second, grouped over one transaction an action."""
    ratios: dict[str, float] = {}
    for name, make in makes.items():
        rates = {}
        for group in (1, None):
            place = make()
            await place.open(TABLES, group)
            rates[group] = await place.house.rush(seconds)
            await place.close()
        print(f"{name:10} one an action {rates[1]:6.0f}/s   grouped {rates[None]:6.0f}/s")
        ratios[f"{name}_grouped_vs_one_an_action"] = round(rates[None] / rates[1], 2)
    return ratios


async def appended(place: Place) -> float:
    """Durable actions a second of the store alone, grouped over one transaction an action.

    What is written are the batches of rooms that were really played, each room's one after the other.
    """
    await place.open(TABLES)
    assert place.database is not None
    played = await place.house.record(APPENDED)
    rates = {}
    for group, some in ((1, slice(None, APPENDED // 8)), (GROUP, slice(APPENDED // 8, None))):
        store = SqlRoomStore(place.database, ZONE, group)
        started = time.perf_counter()
        await asyncio.gather(*(commit_in_turn(store, batches[some]) for batches in played))
        taken = time.perf_counter() - started
        rates[group] = sum(len(batches[some]) for batches in played) / taken
        await store.close()
    await place.close()
    print(f"{place.name:10} store alone: one an action {rates[1]:6.0f}/s   grouped {rates[GROUP]:6.0f}/s")
    return rates[GROUP] / rates[1]


async def commit_in_turn(store: SqlRoomStore, batches: Sequence[Batch]) -> None:
    for batch in batches:
        await store.commit(batch)


async def recovered(place: Place) -> float:
    """Seconds to rebuild a thousand open rooms in the middle of a round."""
    await place.open(OPEN_ROOMS)
    while len(place.house.acks) < OPEN_ROOMS * WARM_ACTIONS:
        await place.house.rush(1.0)
    await place.house.close()
    rooms = Rooms(place.house.sources)
    started = time.perf_counter()
    assert await rooms.recover() == OPEN_ROOMS
    taken = time.perf_counter() - started
    await rooms.stop()
    await place.close()
    return taken


async def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=3.0)
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--rates", type=int, nargs="+", default=[500, 2_000, 3_000])
    parser.add_argument("--postgres", help="e.g. postgresql://postgres@127.0.0.1:5432/postgres")
    args = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="erma-bench-"))
    made: list[str] = []

    def sqlite() -> Place:
        return Place("sqlite", f"sqlite:///{folder}/{time.time_ns()}.sqlite3")

    makes: dict[str, Callable[[], Place]] = {"sqlite": sqlite}
    if args.postgres:
        for number in range(5):
            made.append(f"erma_bench_{time.time_ns()}_{number}")
            await administer(args.postgres, f"CREATE DATABASE {made[-1]}")
        urls = iter([args.postgres.rsplit("/", 1)[0] + f"/{name}" for name in made])
        makes["postgresql"] = lambda: Place("postgresql", next(urls))
    try:
        places = [Place("none", None), *(make() for make in makes.values())]
        ratios = await paced(places, args.rates, args.seconds, args.turns)
        ratios |= await saturated(makes, args.seconds)
        for name, make in makes.items():
            ratios[f"{name}_appended_grouped_vs_one_an_action"] = round(await appended(make()), 2)
        for name, make in makes.items():
            taken = await recovered(make())
            print(f"{name:10} {OPEN_ROOMS} rooms rebuilt in {taken:.2f} s")
            ratios[f"{name}_seconds_to_recover_{OPEN_ROOMS}"] = round(taken, 2)
    finally:
        for name in made:
            await administer(args.postgres, f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
    print(json.dumps(ratios))


async def administer(url: str, statement: str) -> None:
    connection = await asyncpg.connect(url)
    await connection.execute(statement)
    await connection.close()


if __name__ == "__main__":
    tune_interpreter()  # as the server does
    uvloop.run(main())
