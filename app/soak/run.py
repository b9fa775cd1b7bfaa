"""Room after room, in as many processes as there are jobs, until enough rounds have begun or time is up."""

from __future__ import annotations

import asyncio
import time
import traceback
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from random import Random
from typing import Any

from app.rooms.tiers import Clocks, Tier
from app.rules.ruleset import RULESET_IDS
from app.soak.crowd import Crowd

STEPS_OF_A_ROOM = 2_000
FLOORS = Clocks(floor_min_ms=700, floor_max_ms=1_200)


@dataclass(frozen=True, slots=True)
class Plan:
    """``seconds`` bound the whole run; of ``views_every`` rooms one also compares every view."""

    rounds: int
    seconds: float
    seed: int
    jobs: int
    views_every: int


@dataclass(slots=True)
class Tally:
    """What came of one job. ``fault`` tells the first thing that did not hold, and in which room."""

    kinds: Counter[str] = field(default_factory=Counter)
    rooms: int = 0
    restarts: int = 0
    longest_round: int = 0
    fault: str | None = None

    @property
    def rounds(self) -> int:
        return self.kinds["round_started"]

    def add(self, crowd: Crowd) -> None:
        self.rooms += 1
        self.kinds += crowd.kinds
        self.restarts += crowd.restarts
        self.longest_round = max(self.longest_round, crowd.longest_round)


def soak(plan: Plan) -> dict[str, Any]:
    """The whole run; ``fault`` is None when everything held."""
    started = time.monotonic()
    share = -(-plan.rounds // plan.jobs)
    with ProcessPoolExecutor(plan.jobs) as pool:
        jobs = [pool.submit(_job, plan, number, share) for number in range(plan.jobs)]
        tallies = [job.result() for job in jobs]
    kinds = sum((tally.kinds for tally in tallies), Counter())
    return {
        "rounds": kinds["round_started"],
        "won": kinds["won"],
        "exhausted": kinds["exhausted"],
        "forfeited": kinds["forfeited"],
        "voided": kinds["voided"],
        "rooms": sum(tally.rooms for tally in tallies),
        "restarts": sum(tally.restarts for tally in tallies),
        "events": kinds.total(),
        "longest_round": max(tally.longest_round for tally in tallies),
        "seconds": round(time.monotonic() - started, 1),
        "fault": next((tally.fault for tally in tallies if tally.fault), None),
    }


def _job(plan: Plan, number: int, rounds: int) -> Tally:
    return asyncio.run(_rooms(plan, number, rounds))


async def _rooms(plan: Plan, number: int, rounds: int) -> Tally:
    tally, end = Tally(), time.monotonic() + plan.seconds
    while tally.rounds < rounds and time.monotonic() < end and tally.fault is None:
        seed = f"{plan.seed}/{number}/{tally.rooms}"
        crowd = _room(Random(seed), follows_views=tally.rooms % plan.views_every == 0)  # noqa: S311 - reproducible
        try:
            await _crowded(crowd, rounds - tally.rounds)
        except Exception as fault:
            place = traceback.extract_tb(fault.__traceback__)[-1]
            tally.fault = f"room {seed}: {type(fault).__name__}: {fault} ({place.name})"
        tally.add(crowd)
    return tally


def _room(rng: Random, *, follows_views: bool) -> Crowd:
    """Any rule set, with or without a fee, pauses and the computer."""
    ruleset = rng.choice(RULESET_IDS)
    tier = Tier(
        f"{ruleset}-1",
        "雀仔場",
        ruleset,
        base_stake=10,
        entry_min=500,
        table_fee=rng.choice((0, 7)),
        clocks=rng.choice((Clocks(), FLOORS)),
    )
    return Crowd(tier, rng, practice=rng.random() < 0.2, follows_views=follows_views)


async def _crowded(crowd: Crowd, rounds: int) -> None:
    for _ in range(STEPS_OF_A_ROOM):
        if crowd.kinds["round_started"] >= rounds and not crowd.room.is_playing:
            return
        await crowd.gather()
        if crowd.room.is_closed or not crowd.room.people:
            return
        await crowd.act_at_random()
