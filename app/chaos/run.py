"""The run: start, let them play, kill, wait, start again; then look at everything."""

from __future__ import annotations

import asyncio
import signal
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, TypeVar

from sqlalchemy import Connection, func, inspect, select, update

from app.chaos.checks import faults_of
from app.chaos.journal import Journal
from app.chaos.pairs import play_pairs
from app.chaos.server import Server, ServerFailed
from app.economy.ledger import COMPUTER_ID
from app.rooms.ports import RoundStatus
from app.store.backend import Work
from app.store.database import Database
from app.store.models import RoundRow, TierRow, UserRow

T = TypeVar("T")

TIER = "classic64-1"
STOP_SECONDS = 5.0
DRAIN_SECONDS = 120.0
DIE_SECONDS = 60.0  # how long an armed server may live before it is killed like any other
RANDOM = "random"
WRITER_FIRST = 0.5  # how often what writes for it is killed before the server, where there is such a process
_NO_PAUSES = update(TierRow).values(clocks={})  # so that a second holds many moves
LATEST = {"before_commit": 60, "after_commit": 60, "mid_settlement": 1}  # the time it happens at most


class NotEmpty(Exception):
    """The database has players: no place for this."""


@dataclass(frozen=True, slots=True)
class Plan:
    """``kills`` in ``seconds`` at most; after each the server stays away for up to ``pause_seconds``."""

    database_url: str
    kills: int
    seconds: float
    rooms: int
    pause_seconds: float
    seed: int
    log: Path


async def run(plan: Plan) -> dict[str, Any]:
    """Do it, and tell what was done and what did not hold (``faults``).

    Raises:
        NotEmpty: the database is somebody's.
        ServerFailed: the server does not start, or does not stop.
    """
    started = time.monotonic()
    rng, journal = Random(plan.seed), Journal()  # noqa: S311 - repeatable, not secret
    server = Server(plan.database_url, plan.log)
    await _migrate(server, journal)
    over = asyncio.Event()
    players = [
        asyncio.create_task(play_pairs(server.url, TIER, rng, journal, over)) for _ in range(plan.rooms)
    ]
    try:
        await _kill_again_and_again(server, plan, rng, journal, started + plan.seconds)
        await _start(server)
        over.set()
        await asyncio.wait_for(asyncio.gather(*players), DRAIN_SECONDS)
        await server.stop(STOP_SECONDS)
    finally:
        for player in players:
            player.cancel()
        await server.kill()
    return await _report(plan, journal, time.monotonic() - started)


async def _migrate(server: Server, journal: Journal) -> None:
    """Make the database, killed once before each migration is through."""
    await _require_empty(server.database_url)
    fault = "mid_migration:1"
    while (status := await server.migrate(fault)) != 0:
        if status != -signal.SIGKILL:
            raise ServerFailed(f"migrate: exit status {status}")
        journal.counts["kills_mid_migration"] += 1
        fault = "mid_migration:2"  # one step further each time
    await _in_database(server.database_url, lambda connection: connection.execute(_NO_PAUSES))


async def _kill_again_and_again(
    server: Server, plan: Plan, rng: Random, journal: Journal, until: float
) -> None:
    for point in _points(rng, plan.kills):
        if time.monotonic() >= until:
            return
        await _start(server, None if point == RANDOM else f"{point}:{rng.randint(1, LATEST[point])}")
        if point == RANDOM and rng.random() < WRITER_FIRST and not await server.died(rng.uniform(0, 1)):
            journal.counts["writer_kills"] += server.kill_writer()
        was_there = await server.died(rng.uniform(0, 1) if point == RANDOM else DIE_SECONDS)
        await server.kill()
        journal.counts[f"kills_{point if was_there else RANDOM}"] += 1
        await asyncio.sleep(rng.uniform(0, plan.pause_seconds))


def _points(rng: Random, kills: int) -> Iterable[str]:
    """Each kind in its turn, in an order that differs."""
    kinds = [RANDOM, *LATEST]
    order = [kinds[number % len(kinds)] for number in range(kills)]
    rng.shuffle(order)
    return order


async def _start(server: Server, fault: str | None = None) -> None:
    """Start it; one that is to die may do so before it is up."""
    await server.start(fault)
    if not await server.ready() and fault is None:
        raise ServerFailed("the server does not start")


async def _require_empty(url: str) -> None:
    def players(connection: Connection) -> int:
        if not inspect(connection).has_table(UserRow.__tablename__):
            return 0
        people = select(func.count(UserRow.id)).where(UserRow.id != COMPUTER_ID)
        return connection.scalar(people) or 0

    if found := await _in_database(url, players):
        raise NotEmpty(f"the database has {found} players")


async def _report(plan: Plan, journal: Journal, seconds: float) -> dict[str, Any]:
    database = Database(plan.database_url)
    try:
        faults = await faults_of(database, journal)
        finished = select(func.count()).where(RoundRow.status == RoundStatus.FINISHED)
        rounds = await database.read(lambda connection: connection.scalar(finished))
    finally:
        await database.close()
    kills = sum(n for name, n in journal.counts.items() if name.startswith("kills_"))
    return {
        "ok": not faults,
        "faults": faults,
        "kills": kills,
        "rounds_finished": rounds,
        **dict(sorted(journal.counts.items())),
        "seed": plan.seed,
        "seconds": round(seconds, 1),
    }


async def _in_database(url: str, work: Work[T]) -> T:
    database = Database(url)
    try:
        return await database.write(work)
    finally:
        await database.close()
