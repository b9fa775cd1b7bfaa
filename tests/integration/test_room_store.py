"""One batch, one transaction: all of it or nothing, and each refusal by its name."""

from __future__ import annotations

import asyncio
import threading
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import Connection, Select, func, select
from sqlalchemy.exc import OperationalError

from app.economy.ledger import HOUSE_RAKE, Posting, PostingKind, purse
from app.economy.users import User
from app.engine.actions import VOID
from app.engine.state import CLOCK
from app.rooms.ports import (
    ActionRecord,
    AlreadyAnswered,
    AlreadySettled,
    AnswerRecord,
    BalanceMoved,
    Batch,
    EventRecord,
    Player,
    ResultRecord,
    RoomRecord,
    RoomStore,
    RoundRecord,
    RoundStatus,
    StoreError,
)
from app.store.database import Database
from app.store.models import AccountRow, Base
from app.store.room_store import SqlRoomStore
from tests.integration.stories import ZONE, a_room, a_round, execute, guest, later, won_batch

ON_EVERY_DATABASE = APART = True


@pytest.fixture
async def players(database: Database) -> list[User]:
    return [await guest(database, "ann"), await guest(database, "bob")]


@pytest.fixture
def store(database: Database) -> RoomStore:
    return SqlRoomStore(database, ZONE)


@pytest.fixture
async def room(store: RoomStore, players: list[User]) -> RoomRecord:
    room = a_room(players)
    await store.create_room(room, 2_000)
    return room


@pytest.fixture
async def record(store: RoomStore, room: RoomRecord) -> RoundRecord:
    record = a_round(room)
    await store.commit(Batch(room=later(room), at_ms=3_000, rounds=(record,)))
    return record


async def scalar(database: Database, statement: Select[Any]) -> Any:
    return await database.read(lambda connection: connection.scalar(statement))


async def everything(database: Database) -> dict[str, list[Any]]:
    def work(connection: Connection) -> dict[str, list[Any]]:
        return {
            name: [tuple(row) for row in connection.execute(table.select())]
            for name, table in Base.metadata.tables.items()
        }

    return await database.read(work)


async def test_a_settled_round_is_there_whole(
    database: Database, store: RoomStore, room: RoomRecord, record: RoundRecord, players: list[User]
) -> None:
    batch = won_batch(later(room), record, players)
    await store.commit(batch)

    stored = await store.load_room(room.id)
    assert stored is not None
    assert (stored.room, stored.round) == (batch.room, batch.rounds[0])
    assert (stored.actions, stored.events) == (batch.actions, batch.events)
    assert await store.answer(room.id, players[0].id, "act-round-1") == batch.answers[0]
    assert await store.answer("another room", players[0].id, "act-round-1") is None
    ann, bob = players
    assert await store.players([ann.id, bob.id, "nobody"]) == {
        ann.id: Player(ann.id, "ann", 10_247, 26),
        bob.id: Player(bob.id, "bob", 9_740, 0),
    }
    rake = select(AccountRow.balance).where(AccountRow.id == HOUSE_RAKE)
    assert await scalar(database, rake) == 13


async def test_each_refusal_has_its_name_and_writes_nothing(
    database: Database, store: RoomStore, room: RoomRecord, record: RoundRecord, players: list[User]
) -> None:
    settled = won_batch(later(room), record, players)
    await store.commit(settled)
    before = await everything(database)
    ann, bob = players
    nothing_new = Batch(room=replace(later(settled.room), phase="closed"), at_ms=6_000)
    posting = settled.postings[0]
    cases: list[tuple[type[StoreError], Batch]] = [
        (AlreadyAnswered, replace(nothing_new, answers=settled.answers)),
        (AlreadySettled, replace(nothing_new, postings=settled.postings)),
        (AlreadySettled, replace(nothing_new, results=_at_present_points(settled.results))),
        (BalanceMoved, replace(nothing_new, postings=(replace(posting, key="settlement:other"),))),
        (BalanceMoved, replace(nothing_new, results=settled.results)),
        (
            BalanceMoved,  # nothing was expected, but more is taken than there is
            replace(
                nothing_new,
                postings=(Posting("x", PostingKind.FEE, {purse(bob.id): -9_741, purse(ann.id): 9_741}),),
            ),
        ),
        (StoreError, replace(nothing_new, actions=settled.actions)),
        (StoreError, replace(nothing_new, events=settled.events)),
        (StoreError, replace(nothing_new, actions=(ActionRecord("no round", 0, 0, "w", 1),))),
        (StoreError, replace(nothing_new, actions=(ActionRecord(record.id, 1, 3, "w", 1),))),
        (StoreError, replace(nothing_new, events=(EventRecord(9, 1, None, "k", {"no": object()}),))),
        (StoreError, replace(nothing_new, answers=(AnswerRecord("nobody", "1", "d", 1),))),
        (StoreError, replace(nothing_new, postings=(Posting("y", PostingKind.FEE, {"nowhere": 0}),))),
        (StoreError, replace(nothing_new, room=replace(room, id="no room"))),
        (StoreError, replace(nothing_new, rounds=(a_round(room, "r2"), a_round(room, "r3")))),
    ]
    for kind, batch in cases:
        with pytest.raises(StoreError) as refusal:
            await store.commit(batch)
        assert type(refusal.value) is kind, refusal.value
        assert await everything(database) == before


def _at_present_points(results: tuple[ResultRecord, ...]) -> tuple[ResultRecord, ...]:
    return tuple(replace(result, points_before=result.points_after) for result in results)


async def test_an_error_keeps_its_cause_and_no_secret(store: RoomStore, room: RoomRecord) -> None:
    record = replace(a_round(room), dealer="not a number")  # type: ignore[arg-type]  # wrong or looser on purpose
    with pytest.raises(StoreError) as refusal:
        await store.commit(Batch(room=later(room), at_ms=1, rounds=(record, a_round(room, "r2"))))
    assert refusal.value.__cause__ is not None
    assert record.secret not in repr(refusal.value.__cause__)


REFUSING = {
    "sqlite": ("CREATE TRIGGER refused BEFORE {verb} ON {table} BEGIN SELECT RAISE(FAIL, 'no'); END",),
    "postgresql": (
        "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''no''; END'",
        "CREATE TRIGGER refused BEFORE {verb} ON {table} FOR EACH ROW EXECUTE FUNCTION refuse()",
    ),
}
UNREFUSING = {"sqlite": "DROP TRIGGER refused", "postgresql": "DROP TRIGGER refused ON {table}"}


@pytest.mark.parametrize(
    "statement", ["answers", "rounds", "postings", "entries", "accounts", "round_results", "events"]
)
async def test_a_failure_at_any_statement_leaves_nothing(
    database: Database,
    store: RoomStore,
    room: RoomRecord,
    record: RoundRecord,
    players: list[User],
    statement: str,
) -> None:
    verb = "UPDATE" if statement in {"accounts", "rounds"} else "INSERT"
    await execute(database, *(line.format(verb=verb, table=statement) for line in REFUSING[database.dialect]))
    before = await everything(database)
    batch = won_batch(later(room), record, players)
    with pytest.raises(StoreError) as refusal:
        await store.commit(batch)
    assert type(refusal.value) is StoreError
    assert await everything(database) == before
    await execute(database, UNREFUSING[database.dialect].format(table=statement))
    await store.commit(batch)


async def test_a_withdrawn_proposal_makes_way_in_the_same_batch(store: RoomStore, room: RoomRecord) -> None:
    first = replace(a_round(room), status=RoundStatus.PROPOSED, dealer=None, entropy=None)
    second = replace(first, id="round-2")
    await store.commit(Batch(room=later(room, proposal=first.id), at_ms=3_000, rounds=(first,)))
    withdrawn = replace(first, status=RoundStatus.WITHDRAWN)
    head = later(room, 2, proposal=second.id)
    await store.commit(Batch(room=head, at_ms=3_001, rounds=(second, withdrawn)))
    stored = await store.load_room(room.id)
    assert stored is not None
    assert (stored.proposal, stored.round) == (second, None)


async def test_a_rebuilt_room_still_has_the_events_of_the_last_round(
    store: RoomStore, room: RoomRecord, record: RoundRecord, players: list[User]
) -> None:
    batch = won_batch(later(room), record, players)
    await store.commit(batch)
    proposed = replace(a_round(room, "round-2", 2), status=RoundStatus.PROPOSED)
    offline = EventRecord(3, 6_000, None, "offline", {"seat": 1})
    head = replace(later(batch.room, proposal=proposed.id), seq=3)
    await store.commit(Batch(room=head, at_ms=6_000, rounds=(proposed,), events=(offline,)))
    stored = await store.load_room(room.id)
    assert stored is not None
    assert stored.proposal == proposed
    assert (stored.round, stored.actions) == (batch.rounds[0], batch.actions)
    assert stored.events == (*batch.events, offline)
    running = replace(proposed, status=RoundStatus.RUNNING)
    begun = EventRecord(4, 7_000, running.id, "started", {})
    gone = EventRecord(5, 7_001, None, "offline", {"seat": 0})
    head = replace(later(head, round=running.id, proposal=None), seq=5)
    await store.commit(Batch(room=head, at_ms=7_000, rounds=(running,), events=(begun, gone)))
    stored = await store.load_room(room.id)
    assert stored is not None
    assert stored.events == (begun, gone)


async def test_the_round_at_the_table_is_known_though_the_clock_was_put_back(
    store: RoomStore, room: RoomRecord, record: RoundRecord, players: list[User]
) -> None:
    """The one before it seems to have been made later, by its id too."""
    over = won_batch(later(room), record, players)
    await store.commit(over)
    running, before_ms = replace(a_round(room, "a round", 2), number=2), 1_000
    head = replace(later(over.room, round=running.id), seq=over.room.seq + 1)
    begun = EventRecord(head.seq, before_ms, running.id, "started", {})
    await store.commit(Batch(room=head, at_ms=before_ms, rounds=(running,), events=(begun,)))
    stored = await store.load_room(room.id)
    assert stored is not None
    assert (stored.round, stored.actions, stored.events) == (running, (), (begun,))


async def test_closed_rooms_are_not_reopened(store: RoomStore, room: RoomRecord) -> None:
    assert await store.open_room_ids() == [room.id]
    await store.commit(Batch(room=replace(later(room), phase="closed"), at_ms=9_000))
    assert await store.open_room_ids() == []
    assert await store.load_room(room.id) is None
    assert await store.load_room("no room") is None


async def test_the_clock_acts_too(store: RoomStore, room: RoomRecord, record: RoundRecord) -> None:
    voided = ActionRecord(record.id, 0, CLOCK, VOID.code, 4_000)
    await store.commit(Batch(room=later(room, 2, round=record.id), at_ms=4_000, actions=(voided,)))
    stored = await store.load_room(room.id)
    assert stored is not None
    assert stored.actions == (voided,)


async def test_of_two_settlements_at_once_one_must_compute_anew(
    database: Database, store: RoomStore, players: list[User]
) -> None:
    batches = []
    for number in range(8):
        room = a_room(players, f"room-{number}")
        record = a_round(room, f"round-{number}")
        await store.create_room(room, 2_000)
        await store.commit(Batch(room=later(room), at_ms=3_000, rounds=(record,)))
        batches.append(won_batch(later(room), record, players))
    outcomes = await asyncio.gather(*(store.commit(batch) for batch in batches), return_exceptions=True)
    assert [type(outcome) for outcome in outcomes if outcome is not None] == [BalanceMoved] * 7
    assert await scalar(database, select(func.sum(AccountRow.balance))) == 0


@pytest.mark.sqlite_only
async def test_readers_cannot_write(database: Database, room: RoomRecord) -> None:
    with pytest.raises(OperationalError, match="readonly"):
        await database.read(lambda c: c.exec_driver_sql("UPDATE rooms SET phase = 'closed'"))


@pytest.mark.sqlite_only
async def test_readers_do_not_wait_for_the_writer(
    database: Database, store: RoomStore, room: RoomRecord
) -> None:
    is_writing, may_end = threading.Event(), threading.Event()

    def work(connection: Connection) -> None:
        connection.exec_driver_sql("UPDATE rooms SET phase = 'closed'")
        is_writing.set()
        assert may_end.wait(10)

    writing = asyncio.create_task(database.write(work))
    await asyncio.to_thread(is_writing.wait, 10)
    assert await store.open_room_ids() == [room.id]
    may_end.set()
    await writing
    assert await store.open_room_ids() == []


@pytest.mark.sqlite_only
async def test_a_commit_once_begun_runs_to_its_end(
    database: Database, store: RoomStore, room: RoomRecord
) -> None:
    is_writing, may_end = threading.Event(), threading.Event()

    def work(connection: Connection) -> None:
        is_writing.set()
        assert may_end.wait(10)
        connection.exec_driver_sql("UPDATE rooms SET phase = 'closed'")

    writing = asyncio.create_task(database.write(work))
    await asyncio.to_thread(is_writing.wait, 10)
    writing.cancel()
    may_end.set()
    with pytest.raises(asyncio.CancelledError):
        await writing
    await execute(database, "SELECT 1")  # queued behind it
    assert await store.open_room_ids() == []
