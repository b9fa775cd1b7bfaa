"""Rooms nobody is connected to any more. Source: RULES §10."""

from __future__ import annotations

from random import Random

import pytest

from tests.tables import Table


@pytest.mark.parametrize("seed", range(8))
async def test_a_room_nobody_is_connected_to_is_gone_within_a_minute(seed: int) -> None:
    """In every phase: the rest of a round is played out at once, and settles as any other."""
    table, rng = Table(seed=seed), Random(seed)
    ann, ben = await table.seated()
    for _ in range(rng.choice((0, 1, 2, 4, 8, 30))):
        asked = [r for r in (ann, ben) if table.state.at(table.seat_of(r)).decision is not None]
        if asked:
            reader = rng.choice(asked)
            await table.act(reader, rng.choice(reader.question["opts"])["o"])
    was_playing = table.state.is_playing
    await table.drop(ann)
    await table.pass_time(3_000)
    await table.drop(ben)
    await table.pass_time(59_000)
    assert not table.state.is_closed or not was_playing
    await table.pass_time(1_000)
    assert table.state.is_closed
    assert table.clock.next_due_ms() is None
    kinds = [event.kind for batch in table.store.batches for event in batch.events]
    assert kinds[-1] == "room_closed"
    assert kinds.count("settled") == kinds.count("round_started")
    assert sum(held for name, held in table.store.balances.items()) == 0


async def test_who_comes_back_within_the_minute_finds_the_round_as_it_was() -> None:
    table = Table()
    ann, ben = await table.at_first_turn()
    for reader in (ann, ben):
        await table.drop(reader)
    await table.pass_time(12_000)
    dealer = await table.connect(ann.connection.user_id)
    assert dealer.question["q"] == "turn"
    assert dealer.question["dp"] == ann.question["dp"]
    await table.pass_time(59_000)
    assert table.state.is_playing
