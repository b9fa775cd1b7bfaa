"""Batches of many rooms at once: each is written or refused as if it were alone, on both databases."""

from __future__ import annotations

import asyncio
import random
from dataclasses import replace
from itertools import combinations

import pytest
from sqlalchemy import func, select

from app.economy.ledger import Posting, PostingKind, purse
from app.economy.users import User
from app.rooms.ports import (
    ActionRecord,
    AlreadyAnswered,
    AlreadySettled,
    AnswerRecord,
    BalanceMoved,
    Batch,
    EventRecord,
    RoundRecord,
    StoreError,
)
from app.store.audit import audit
from app.store.database import Database
from app.store.models import EventRow, PostingRow, ResultRow
from app.store.room_store import SqlRoomStore
from tests.integration.stories import ZONE, a_room, a_round, guest, later, won_batch
from tests.integration.test_room_store import scalar

ON_EVERY_DATABASE = APART = True


async def running(store: SqlRoomStore, players: list[User], number: int) -> tuple[Batch, RoundRecord]:
    """A room with a running round: the batch that started it, and the round."""
    room = a_room(players, f"room-{number}")
    record = a_round(room, f"round-{number}")
    await store.create_room(room, 2_000)
    batch = Batch(room=later(room), at_ms=3_000, rounds=(record,))
    await store.commit(batch)
    return batch, record


def discard(batch: Batch, record: RoundRecord, user: User) -> Batch:
    """A batch as most are: one action, its event, its answer."""
    return Batch(
        room=replace(later(batch.room), seq=1),
        at_ms=4_000,
        actions=(ActionRecord(record.id, 0, 0, "d5m", 4_000),),
        events=(EventRecord(1, 4_000, record.id, "discarded", {"seat": 0, "tile": "5m"}),),
        answers=(AnswerRecord(user.id, f"act-{record.id}", "d", 1),),
    )


async def test_one_bad_batch_takes_nobody_down_with_it(database: Database) -> None:
    store = SqlRoomStore(database, ZONE)
    players = [await guest(database, "ann"), await guest(database, "bob")]
    begun = [await running(store, players, number) for number in range(12)]
    batches = [discard(*each, players[0]) for each in begun]
    await store.commit(batches[3])
    no_purse = Posting("k", PostingKind.FEE, {"nowhere": 0})
    bad: dict[int, tuple[type[StoreError], Batch]] = {
        1: (StoreError, replace(batches[1], room=replace(batches[1].room, id="no room"))),
        3: (AlreadyAnswered, batches[3]),
        6: (StoreError, replace(batches[6], postings=(no_purse,))),
        7: (StoreError, replace(batches[7], actions=(ActionRecord("no round", 0, 0, "w", 1),))),
        10: (StoreError, replace(batches[10], events=(EventRecord(1, 1, None, "k", {"no": object()}),))),
    }
    if database.file is None:  # what PostgreSQL itself refuses to keep; SQLite keeps it
        nul = EventRecord(1, 1, None, "k", {"no": "\0"})
        bad[11] = (StoreError, replace(batches[11], events=(nul,)))
    handed_in = [bad[n][1] if n in bad else batch for n, batch in enumerate(batches)]
    outcomes = await asyncio.gather(*map(store.commit, handed_in), return_exceptions=True)
    assert [type(outcome) for outcome in outcomes] == [
        bad[number][0] if number in bad else type(None) for number in range(12)
    ]
    for number, batch in enumerate(batches):
        stored = await store.load_room(batch.room.id)
        assert stored is not None
        assert stored.events == (() if number in bad and number != 3 else batch.events)


@pytest.mark.parametrize("new_terms", [False, True])
@pytest.mark.parametrize("seq", [0, 1])
async def test_what_was_worked_out_from_an_earlier_room_comes_too_late(
    database: Database, new_terms: bool, seq: int
) -> None:
    """It brings nothing that is there already: a statement that was given up, and is done after all. Whether
    or not what came before it has made an event: the log may end where it ended for this one.
    """
    store = SqlRoomStore(database, ZONE)
    players = [await guest(database, "ann"), await guest(database, "bob")]
    begun, record = await running(store, players, 1)
    done = discard(begun, record, players[0])
    await store.commit(done)
    late = replace(done.room, seq=seq, state={"late": True})
    with pytest.raises(StoreError):
        await store.commit(Batch(room=late, at_ms=5_000, new_terms=new_terms))
    stored = await store.load_room(begun.room.id)
    assert stored is not None
    assert stored.room == done.room


async def settled(store: SqlRoomStore, number: int, pair: list[User]) -> None:
    """A room in which a round is played and won, however often the purses move meanwhile."""
    batch, record = await running(store, pair, number)
    while True:
        now = await store.players([user.id for user in pair])
        standing = [replace(user, coins=now[user.id].coins, points=now[user.id].points) for user in pair]
        try:
            await store.commit(won_batch(batch.room, record, standing, fan=8))
        except BalanceMoved:
            continue
        return


async def all_are_settled(database: Database, rounds: int) -> None:
    assert await scalar(database, select(func.count()).select_from(ResultRow)) == 2 * rounds
    settlements = select(func.count()).select_from(PostingRow).where(PostingRow.kind == "settlement")
    assert await scalar(database, settlements) == rounds
    assert (await audit(database)).fault is None


async def test_settlements_of_the_same_players_never_lock_each_other_out(database: Database) -> None:
    """Every pair of five players settles at once, crosswise, until each has: all through, none twice."""
    store = SqlRoomStore(database, ZONE)
    users = [await guest(database, name) for name in ("ann", "bob", "cat", "dan", "eve")]
    rng = random.Random(5)
    pairs = [rng.sample(pair, 2) for pair in combinations(users, 2)]
    await asyncio.gather(*(settled(store, number, pair) for number, pair in enumerate(pairs)))
    await all_are_settled(database, len(pairs))


async def test_eight_writers_lose_nothing(database: Database, database_url: str, database_kind: str) -> None:
    """Each with a connection of its own, as eight processes have: the same few players, in any order."""
    users = [await guest(database, name) for name in ("ann", "bob", "cat", "dan")]
    rng, rounds = random.Random(8), 5
    writers = [Database(database_url, apart=database_kind == "apart") for _ in range(8)]

    async def work(number: int, writer: Database) -> None:
        store = SqlRoomStore(writer, ZONE)
        for played in range(rounds):
            await settled(store, number * rounds + played, rng.sample(users, 2))

    await asyncio.gather(*(work(number, writer) for number, writer in enumerate(writers)))
    for writer in writers:
        await writer.close()
    await all_are_settled(database, len(writers) * rounds)


async def test_a_day_ends_within_a_group(database: Database) -> None:
    """Each round belongs to the day its own batch says, whoever is written with it."""
    store = SqlRoomStore(database, ZONE)
    late_ms, next_day_ms = 1_764_431_999_000, 1_764_432_001_000  # 23:59:59 and 00:00:01 in Taipei
    ends = []
    for number, at_ms in enumerate((late_ms, next_day_ms)):
        pair = [await guest(database, f"{name}{number}") for name in ("ann", "bob")]
        batch, record = await running(store, pair, number)
        ends.append(replace(won_batch(batch.room, record, pair), at_ms=at_ms))
    await asyncio.gather(*map(store.commit, ends))
    days = "SELECT period, count(*) FROM standings WHERE period LIKE 'day:%' GROUP BY period ORDER BY period"
    rows = await database.read(lambda c: [tuple(row) for row in c.exec_driver_sql(days)])
    assert [count for _, count in rows] == [2, 2]


async def test_the_same_settlement_handed_in_twice_at_once_is_written_once(database: Database) -> None:
    store = SqlRoomStore(database, ZONE)
    players = [await guest(database, "ann"), await guest(database, "bob")]
    batch, record = await running(store, players, 1)
    end = won_batch(batch.room, record, players)
    again = replace(end, answers=())  # whoever it was that asked
    outcomes = await asyncio.gather(store.commit(end), store.commit(again), return_exceptions=True)
    refused = [outcome for outcome in outcomes if outcome is not None]
    assert len(refused) == 1
    assert isinstance(refused[0], BalanceMoved | AlreadySettled)
    events = select(func.count()).select_from(EventRow)
    assert await scalar(database, events) == len(end.events)
    assert (await audit(database)).fault is None


async def test_two_that_go_by_different_purses_cannot_both_be_right(database: Database) -> None:
    """What one batch of a group expects is not forgotten over what another does."""
    store = SqlRoomStore(database, ZONE)
    players = [await guest(database, "ann"), await guest(database, "bob")]
    ends = []
    for number, held in enumerate((players[0].coins + 1, players[0].coins)):
        room = replace(a_room(players), id=f"room-{number}", invite=f"invite-{number}")
        await store.create_room(room, 2_000)
        ends.append(Batch(room=later(room), at_ms=3_000, held={purse(players[0].id): held}))
    outcomes = await asyncio.gather(*map(store.commit, ends), return_exceptions=True)
    assert [type(outcome) for outcome in outcomes] == [BalanceMoved, type(None)]
