"""Frames nobody should send, by the thousand, in the middle of a round. Source: PROTOCOL §3, §3.3, §3.10.

They are made from good ones: broken JSON, other types, missing and further fields, deep nesting, old and
other people's decisions. Each gets its documented answer, and the round stands as it stood.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from app.client.table import TableClient
from app.store.database import Database
from tests.integration.serving import Site, serving
from tests.integration.stories import execute
from tests.integration.test_two_sockets import four_discards, play_while

PATIENT = """UPDATE tiers SET clocks = '{"turn_ms": 3600000, "claim_ms": 3600000, "opening_ms": 3600000}'"""
UNLIMITED = {"frames_per_second": 1e6, "frames_burst": 1_000_000}
AT_ONCE = 40  # more would overflow a queue that is not read meanwhile
REFUSALS = {
    "stale",
    "not_your_decision",
    "option_unknown",
    "leave_unconfirmed",
    "penalty_changed",
    "bad_schema",
}
JUNK: tuple[Any, ...] = (None, True, -1, 2**63, 1.5, "", "y", "\u0000", "５萬", [], {}, [[]], "a" * 600)

Hostile = tuple[str | bytes, set[str]]  # a frame, and the codes that answer it


def good_frames(rng: Random, dp: int) -> list[dict[str, Any]]:
    """Well formed, and nothing in them can succeed."""
    name = f"{rng.randrange(10**9)}"
    return [
        {"m": "act", "id": name, "dp": dp, "o": "zz"},
        {"m": "act", "id": name, "dp": rng.randrange(dp), "o": rng.choice(("d1m", "w", "x", "ok"))},
        {"m": "act", "id": name, "dp": dp + rng.randrange(1, 99), "o": "d1m"},
        {"m": "leave", "id": name},
        {"m": "leave", "id": name, "force": True, "penalty_seen": rng.randrange(300)},
    ]


def broken_text(rng: Random, dp: int) -> Hostile:
    text = json.dumps(rng.choice(good_frames(rng, dp)))
    kind = rng.randrange(4)
    if kind == 0:
        return text[: rng.randrange(len(text))], {"bad_frame"}
    if kind == 1:
        return text.encode(), {"bad_frame"}  # binary, whatever is in it
    if kind == 2:
        return "[" * rng.randrange(1, 4_000), {"bad_frame"}
    return text + rng.choice('}]x,"0'), {"bad_frame"}


def other_shape(rng: Random, dp: int) -> Hostile:
    frame = rng.choice(good_frames(rng, dp))
    field = rng.choice(sorted(frame))
    kind = rng.randrange(4)
    if kind == 0:
        del frame[field]
        is_fine = frame.get("m") == "leave" and "id" in frame  # its other fields may be left out
        return json.dumps(frame), REFUSALS if is_fine else {"bad_schema"}
    if kind == 1:
        frame[f"{field}{rng.randrange(9)}"] = rng.choice(JUNK)
        return json.dumps(frame), {"bad_schema"}
    if kind == 2:
        frame[field] = {"deep": 1}
        for _ in range(rng.randrange(200)):
            frame[field] = {"deep": frame[field]}
        return json.dumps(frame), {"bad_schema", "bad_frame"}
    frame[field] = rng.choice(JUNK)
    return json.dumps(frame), REFUSALS | {"bad_frame", "bad_schema"}


def out_of_place(rng: Random, dp: int) -> Hostile:
    return json.dumps(rng.choice(good_frames(rng, dp))), REFUSALS


MAKERS: tuple[Callable[[Random, int], Hostile], ...] = (broken_text, other_shape, out_of_place)


def id_of(raw: str | bytes) -> object:
    """The id a frame can be answered under, None where there is none."""
    try:
        found = json.loads(raw)["id"]
    except (ValueError, LookupError, TypeError, RecursionError):
        return None
    return found if isinstance(found, str) else None


async def answers(table: TableClient, number: int) -> list[dict[str, Any]]:
    """The next so many answers; beside them nothing comes but pongs, and the open question after a view."""
    found: list[dict[str, Any]] = []
    while len(found) < number:
        frame = await table.receive()
        if frame["m"] in ("pong", "ask"):
            continue
        assert frame["m"] == "err", frame
        found.append(frame)
    return found


async def attack(table: TableClient, rng: Random, number: int, dp: int) -> None:
    """So many frames, each with its answer. What the room must look at is answered after what it need not."""
    for _ in range(0, number, AT_ONCE):
        sent: list[Hostile] = []
        for place in range(AT_ONCE):
            hostile = rng.choice(MAKERS)(rng, dp)
            sent.append(hostile)
            await table.socket.send(hostile[0])
            if place % 4 == 3:  # five bad ones in a row would close
                await table.send({"m": "ping", "n": place, "t": 0})
        expected = {name: hostile for hostile in sent if (name := id_of(hostile[0])) is not None}
        for answer in await answers(table, AT_ONCE):
            raw, codes = expected.get(answer.get("id"), ("", {"bad_frame", "bad_schema"}))
            assert answer["code"] in codes, (raw, answer)


async def under_attack(site: Site, seed: int, number: int) -> None:
    async with site.guest("阿梅") as mei, site.guest("聽雨") as rain:
        room_id, invite = await mei.open_room()
        await rain.join(room_id, invite)
        async with await mei.table(room_id) as first, await rain.table(room_id) as second:
            rng = Random(seed)
            await asyncio.gather(*(play_while(each, four_discards, rng) for each in (first, second)))
            await asyncio.gather(*(still(each) for each in (first, second)))
            before = (first.view, first.seq, second.view, second.seq)
            for table, other in ((first, second), (second, first)):
                dp = 1 if table.question is None else int(table.question["dp"])
                await attack(table, rng, number // 2, max(dp, 1))
                await still(other)
            await asyncio.gather(*(still(each) for each in (first, second)))
            assert (first.view, first.seq, second.view, second.seq) == before


async def still(table: TableClient) -> None:
    """The whole view and the open question anew, and everything before them dealt with."""
    for request, answer in (({"m": "sync"}, "snap"), ({"m": "ping", "n": 0, "t": 0}, "pong")):
        await table.send(request)
        while (await table.receive())["m"] != answer:
            pass


async def test_hostile_frames_change_nothing(database: Database, database_url: str) -> None:
    await execute(database, PATIENT)
    async with serving(database_url, **UNLIMITED) as site:
        await under_attack(site, 1, 2_000)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(5))
async def test_a_hundred_thousand_hostile_frames_change_nothing(
    database: Database, database_url: str, seed: int
) -> None:
    await execute(database, PATIENT)
    async with serving(database_url, **UNLIMITED) as site:
        await under_attack(site, 100 + seed, 20_000)
