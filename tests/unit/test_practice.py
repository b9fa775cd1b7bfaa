"""A table with the computer: practice coins, no points, no fees. Source: RULES §9."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from app.economy.ledger import (
    COMPUTER_ID,
    PLAY,
    PRACTICE,
    Book,
    Posting,
    PostingKind,
    UnbalancedPosting,
    purse,
)
from app.rooms import commands as cmd
from app.rooms.codec import room_record
from app.rooms.model import RoomPhase
from app.rooms.practice import FULL_PURSE
from app.rooms.recovery import restore
from tests.tables import CLASSIC, Reader, Table

FEE = replace(CLASSIC, table_fee=7)


async def play_round(table: Table, ann: Reader, rng: Random) -> None:
    """Ann answers whatever she is asked, anyhow; time passes for the computer."""
    await table.act(ann, "ok")
    await table.pass_time(table.state.tier.clocks.forced_ms)
    while table.state.is_playing:
        sitting = table.state.at(table.seat_of(ann))
        if sitting.decision is not None:
            await table.act(ann, rng.choice(ann.question["opts"])["o"])
        else:
            await table.pass_time(1_000)


@pytest.mark.parametrize("seed", range(6))
async def test_nothing_played_with_the_computer_reaches_coins_points_or_fees(seed: int) -> None:
    table = Table(FEE, coins={"ann": 120}, seed=seed, practice=True)
    ann = await table.practising()
    for _ in range(3):
        await play_round(table, ann, Random(seed))
    store = table.store
    assert (store.balances[purse("ann")], store.points["ann"]) == (120, 0)
    assert not [result for batch in store.batches for result in batch.results]
    moved = {name for batch in store.batches for posting in batch.postings for name in posting.entries}
    assert moved
    assert all(name.startswith(PRACTICE) for name in moved)
    assert sum(held for name, held in store.balances.items() if name.startswith(PRACTICE)) == 0
    settled = ann.of("ev")
    closing = [frame["d"] for frame in settled if frame["k"] == "settled"]
    assert len(closing) == 3
    assert all(data["points"]["before"] == data["points"]["after"] == [0, 0] for data in closing)


async def test_an_empty_practice_purse_is_filled_and_nobody_sent_away() -> None:
    table = Table(coins={"ann": 0}, practice=True)
    ann = await table.practising()
    full = FULL_PURSE * CLASSIC.base_stake
    assert [table.state.at(seat).player.coins for seat in (0, 1)] == [full, full]
    assert table.state.phase is RoomPhase.CONFIRM
    rng, lowest = Random(2), CLASSIC.entry_min
    for _ in range(12):
        await play_round(table, ann, rng)
        assert table.state.taken == (0, 1)
    begun = [frame["d"]["coins"] for frame in ann.of("ev") if frame["k"] == "round_started"]
    assert len(begun) == 12
    assert all(held >= lowest for coins in begun for held in coins)
    for seat, user_id in ((0, COMPUTER_ID), (1, "ann")):
        book = Book("ann")
        assert table.store.balances[book.purse(user_id)] == table.state.at(seat).player.coins


async def test_the_computer_confirms_and_answers_after_about_a_second() -> None:
    table = Table(practice=True)
    ann = await table.practising()
    await table.act(ann, "ok")
    assert table.state.phase is RoomPhase.CONFIRM
    await table.pass_time(CLASSIC.clocks.forced_ms)
    assert table.state.is_playing
    assert table.state.play is not None
    assert table.state.play.record.entropy is not None
    assert table.state.play.record.entropy[0] == "0" * 64
    computer = table.state.at(0)
    assert computer.decision is not None
    assert computer.decision.due_ms - table.clock.now_ms() == CLASSIC.clocks.forced_ms


async def test_the_room_ends_with_its_player() -> None:
    table = Table(practice=True)
    ann = await table.practising()
    await table.request(ann, kind=cmd.Leave)
    assert table.state.is_closed
    assert ann.closed == 1000


async def test_an_escape_costs_practice_coins_alone() -> None:
    table = Table(coins={"ann": 50}, practice=True)
    ann = await table.practising()
    await table.act(ann, "ok")
    await table.pass_time(1_000)
    asked = await table.request(ann, kind=cmd.Leave)
    assert (asked["code"], asked["penalty"]) == ("leave_unconfirmed", 32 * CLASSIC.base_stake)
    await table.request(ann, kind=cmd.Leave, force=True, penalty_seen=asked["penalty"])
    assert table.state.is_closed
    assert (table.store.balances[purse("ann")], table.store.points["ann"]) == (50, 0)


async def test_a_table_with_the_computer_is_rebuilt_as_it_was() -> None:
    table = Table(practice=True)
    ann = await table.practising()
    await table.act(ann, "ok")
    await table.pass_time(3_000)
    stored = await table.store.load_room("room")
    assert stored is not None
    players = await table.store.players([user_id for user_id in stored.room.seats if user_id])
    assert room_record(restore(stored, players)) == room_record(table.state)


async def test_both_readers_of_presence_agree_that_the_computer_is_there() -> None:
    table = Table(practice=True)
    ann = await table.practising()
    assert ann.view is not None
    assert ann.view["seats"][0]["online"]
    assert ann.view["room"]["practice"]


def test_no_posting_touches_both_books() -> None:
    with pytest.raises(UnbalancedPosting):
        Posting("key", PostingKind.SETTLEMENT, {PLAY.purse("ann"): -5, Book("ann").purse("ann"): 5})
