"""Settlements by what is remembered of the players: what is stored is what would have been without.

Source: docs/adr/0013.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import date

import pytest
from asyncpg import CannotConnectNowError
from sqlalchemy import select
from sqlalchemy.exc import OperationalError

from app.economy.ledger import Posting, PostingKind, purse
from app.economy.operators import By
from app.economy.periods import Period, day_of, period_key
from app.economy.player_desk import Sanction
from app.economy.standings import Measure
from app.economy.users import User
from app.rooms.ports import ResultRecord
from app.store import room_store, settlement
from app.store.audit import audit
from app.store.database import Database
from app.store.models import ResultRow, StandingRow, TallyRow, UserRow
from app.store.player_desk import SqlPlayerDesk
from app.store.recollection import Recollection
from app.store.room_store import SqlRoomStore
from app.store.settlement import Settlement
from app.store.standings import OUTCOMES, Key, Standing, keys_of, prefixes, standings_of
from app.store.steps import Row
from tests.integration.stories import ZONE, guest, won_batch
from tests.integration.test_failed_commits import Blind, failing_at
from tests.integration.test_group_commit import running

ON_EVERY_DATABASE = APART = True
LOCKS = ("SELECT json_array", "WITH r0")  # what is looked up as it is written
DAY_MS = 86_400_000
DAY = date(2026, 11, 29)


async def play(store: SqlRoomStore, pair: list[User], number: int, at_ms: int, fan: int = 8) -> None:
    """A round of its own room, won by the first."""
    batch, record = await running(store, pair, number)
    now = await store.players([user.id for user in pair])
    standing = [replace(user, coins=now[user.id].coins, points=now[user.id].points) for user in pair]
    await store.commit(replace(won_batch(batch.room, record, standing, fan), at_ms=at_ms))


@pytest.mark.parametrize("rounds_before", [0, 1])
async def test_a_settlement_reads_nothing(database: Database, rounds_before: int) -> None:
    """Not even the first of a day: what it goes by was read when the round began."""
    store = SqlRoomStore(database, ZONE)
    pair = [await guest(database, "ann"), await guest(database, "bob")]
    batch, record = await running(store, pair, 2)
    for number in range(rounds_before):
        await play(store, pair, number, at_ms=5_000)
    now = await store.players([user.id for user in pair])
    standing = [replace(user, coins=now[user.id].coins, points=now[user.id].points) for user in pair]
    with failing_at(database, None) as met:
        await store.commit(replace(won_batch(batch.room, record, standing), at_ms=6_000))
    requires = ("SELECT 1 AS found", "INSERT", "UPDATE")
    assert len(met) == 1 or all(statement.startswith(requires) for statement in met)
    assert await standings_are_right(database)


async def test_a_round_over_midnight_reads_before_others_wait_for_it(database: Database) -> None:
    """The new day's standings are read in a transaction of their own; nothing is locked first then."""
    store = SqlRoomStore(database, ZONE)
    pair = [await guest(database, "ann"), await guest(database, "bob")]
    batch, record = await running(store, pair, 1)
    with failing_at(database, None) as met:
        await store.commit(replace(won_batch(batch.room, record, pair), at_ms=6_000 + DAY_MS))
    assert len([statement for statement in met if statement.startswith("SELECT standings")]) == 1
    assert not [statement for statement in met if statement.startswith(LOCKS)]
    assert await standings_are_right(database)


@pytest.mark.parametrize(
    "fault", [ConnectionResetError(), OperationalError("", None, OSError()), CannotConnectNowError()]
)
async def test_what_cannot_be_read_ahead_is_looked_up(
    database: Database, monkeypatch: pytest.MonkeyPatch, fault: Exception
) -> None:
    def broken(*_: object) -> dict[Key, Standing]:
        raise fault

    monkeypatch.setattr(room_store, "read_standings", broken)
    store = SqlRoomStore(database, ZONE)
    pair = [await guest(database, "ann"), await guest(database, "bob")]
    for number in range(2):
        await play(store, pair, number, at_ms=5_000)
    assert await standings_are_right(database)


async def test_what_others_did_meanwhile_is_not_overwritten(database: Database) -> None:
    """Two stores that each remember, operators, bans, new days, in any order."""
    rng = random.Random(11)
    stores = [SqlRoomStore(database, ZONE) for _ in range(2)]
    users = [await guest(database, f"p{number}", 10_000) for number in range(4)]
    boss = await guest(database, "boss")
    desk = SqlPlayerDesk(database)
    banned: set[str] = set()
    at_ms = 5_000
    for number in range(60):
        by = By(boss.id, "because", at_ms)
        match rng.randrange(8):
            case 0:
                await desk.adjust(rng.choice(users).id, rng.choice((-5, 5, 70)), f"{number}", by)
            case 1:
                user_id = rng.choice(users).id
                await desk.sanction(user_id, Sanction.BAN, user_id not in banned, by)
                banned ^= {user_id}
            case 2:
                at_ms += DAY_MS
            case _:
                await play(rng.choice(stores), rng.sample(users, 2), number, at_ms, rng.choice((1, 8, 64)))
    assert banned
    assert await standings_are_right(database)
    assert (await audit(database)).fault is None


async def test_the_first_result_of_a_day_may_come_from_two_sides(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What another has brought while we waited for the lock is not seen by the look that waited."""
    store = Blind(database, ZONE)
    pair = [await guest(database, "ann"), await guest(database, "bob")]
    await play(store, pair, 1, at_ms=5_000)
    looks: list[int] = []

    def late(rows: Sequence[Row]) -> dict[Key, Standing]:
        looks.append(len(rows))
        return {} if len(looks) == 1 else standings_of(rows)

    monkeypatch.setattr(settlement, "standings_of", late)
    await play(Blind(database, ZONE), pair, 2, at_ms=6_000)
    assert looks == [6, 6]
    assert await standings_are_right(database)
    assert (await audit(database)).fault is None


async def test_what_another_brings_after_the_look_ahead_is_not_lost(database: Database) -> None:
    ours, other = SqlRoomStore(database, ZONE), SqlRoomStore(database, ZONE)
    pair = [await guest(database, "ann"), await guest(database, "bob")]
    await play(ours, pair, 0, at_ms=5_000)
    batch, record = await running(ours, pair, 1)
    await play(other, pair, 2, at_ms=5_000)
    now = await ours.players([user.id for user in pair])
    standing = [replace(user, coins=now[user.id].coins, points=now[user.id].points) for user in pair]
    await ours.commit(replace(won_batch(batch.room, record, standing), at_ms=6_000))
    assert await standings_are_right(database)
    assert (await audit(database)).fault is None


async def standings_are_right(database: Database) -> bool:
    """Counted anew from the results and the purses, and the tallies from the standings."""

    async def rows(statement: object) -> list[dict[str, object]]:
        return await database.read(lambda c: [dict(row._mapping) for row in c.execute(statement)])  # type: ignore[call-overload]  # any select

    counted: dict[tuple[str, str], Counter[str]] = {}
    for row in await rows(select(ResultRow.__table__)):
        result = ResultRecord(**{name: row[name] for name in ResultRecord.__dataclass_fields__})  # type: ignore[arg-type]  # as stored
        for period in Period:
            key = period_key(period, day_of(int(str(row["at_ms"])), ZONE)), result.user_id
            own = counted.setdefault(key, Counter())
            own["points"] += result.points_after - result.points_before
            own[OUTCOMES[result.outcome]] += 1
            own["coins"] += result.coins_delta if period is not Period.ALL else 0
    stored = {(row["period"], row["user_id"]): row for row in await rows(select(StandingRow.__table__))}
    for key, own in counted.items():
        names = [name for name in own if name != "coins" or key[0] != Period.ALL.value]
        assert {name: stored[key][name] for name in names} == {name: own[name] for name in names}, key

    out = {row["id"] for row in await rows(select(UserRow.id).where(UserRow.banned_ms.is_not(None)))}
    tallied: Counter[tuple[object, ...]] = Counter()
    for (board, user_id), row in stored.items():
        for measure in Measure if user_id not in out else ():
            for at in prefixes(int(str(row[measure]))):
                tallied[board, measure.value, *at] += 1
    tallies = {
        tuple(row.values())[:4]: row["n"] for row in await rows(select(TallyRow.__table__)) if row["n"]
    }
    assert tallies == tallied
    return True


def known(user_id: str, period: str) -> Standing:
    return {"period": period, "user_id": user_id}


def a_settlement(posting: Posting | None = None, **changes: object) -> Settlement:
    result = ResultRecord("r", "ann", 0, "won", 5, 0, 8, 8)
    won = Posting("k", PostingKind.SETTLEMENT, {purse("ann"): -5, "house:rake": 5}, expect={purse("ann"): 20})
    values = {"postings": [(posting or won, 1)], "results": [(result, 1, DAY)]} | changes
    return Settlement(**values)  # type: ignore[arg-type]  # of these kinds


def recollection_of(settled: Settlement) -> Recollection:
    recollection = Recollection()
    recollection.keep({(period, user_id): known(user_id, period) for period, user_id in settled.places})
    return recollection


def test_what_is_remembered_is_recalled() -> None:
    settled = a_settlement()
    recalled = recollection_of(settled).recall(settled)
    assert recalled is not None
    assert recalled.balances == {purse("ann"): 20, "house:rake": 0}
    assert recalled.points == {"ann": 0}
    assert set(recalled.standings) == set(settled.places)


TAKEN = Posting("k", PostingKind.REFUND, {purse("ann"): 5, "house:rake": -5}, expect={purse("ann"): 20})
UNTOLD = Posting("k", PostingKind.FEE, {purse("ann"): -5, "house:rake": 5})
TOLD_OF_THE_HOUSE = replace(TAKEN, expect={purse("ann"): 20, "house:rake": 9})
PRACTISED = Posting("k", PostingKind.FEE, {"practice:user:ann": -5, "practice:house:rake": 5})


@pytest.mark.parametrize("posting", [TAKEN, UNTOLD, TOLD_OF_THE_HOUSE, PRACTISED])
def test_what_is_not_known_is_looked_up(posting: Posting) -> None:
    assert recollection_of(a_settlement()).recall(a_settlement(posting)) is None


def test_another_day_is_looked_up_and_a_player_forgotten() -> None:
    settled = a_settlement()
    (result, at_ms, _), *_ = settled.results
    next_week = a_settlement(results=[(result, at_ms, date(2026, 12, 8))])
    recollection = recollection_of(settled)
    assert recollection.recall(next_week) is None
    recollection.learn(next_week, {})
    assert recollection.recall(next_week) is not None
    assert recollection.recall(settled) is None
    recollection.forget(["ann"])
    assert recollection.recall(next_week) is None


def test_a_fee_leaves_what_is_known_of_the_day() -> None:
    settled = a_settlement()
    recollection = recollection_of(settled)
    fee = moved_by("ann")
    assert recollection.recall(fee) is not None
    recollection.learn(fee, {key: known(key[1], key[0]) for key in fee.places})
    assert recollection.recall(settled) is not None


def test_no_more_players_than_so_many_are_remembered() -> None:
    recollection = Recollection(2)
    for user_id in ("ann", "bob", "ann", "cat"):
        recollection.keep(dict.fromkeys(keys_of([user_id], [])))
    kept = [user for user in ("ann", "bob", "cat") if recollection.recall(moved_by(user)) is not None]
    assert kept == ["ann", "cat"]


def moved_by(user_id: str) -> Settlement:
    own = purse(user_id)
    return Settlement([(Posting("k", PostingKind.FEE, {own: -5, "house:fees": 5}, expect={own: 20}), 1)])
