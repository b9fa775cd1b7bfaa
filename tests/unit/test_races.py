"""Everything at once: whatever comes in whatever order, each thing happens once. PROTOCOL §3.3, §3.5."""

from __future__ import annotations

import asyncio
import itertools
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from random import Random

import pytest

from app.bots.basic import basic
from app.engine import legal_actions, view_for
from app.rooms import commands as cmd
from app.rooms.errors import RoomError
from tests.tables import Reader, Table

COPIES = 20


async def at_double_offer(seed: int = 0) -> tuple[Table, Reader, Reader]:
    table = Table(seed=seed)
    ann, ben = await table.playing()
    for reader in (ann, ben):
        await table.act(reader, "kc")
    return table, ann, ben


async def asked(table: Table, readers: tuple[Reader, Reader]) -> Reader:
    """Whoever is asked next, time passing until somebody is."""
    while True:
        found = [reader for reader in readers if table.decision_of(reader) is not None]
        if found:
            return found[0]
        await table.pass_time(1_000)


@pytest.mark.parametrize("steps", range(0, 30, 3))
async def test_twenty_copies_of_an_act_are_one_act(steps: int) -> None:
    table, rng = Table(seed=steps), Random(steps)
    readers = await table.playing()
    for _ in range(steps):
        reader = await asked(table, readers)
        await table.act(reader, rng.choice(reader.question["opts"])["o"])
    reader = await asked(table, readers)
    before = sum(len(batch.actions) for batch in table.store.batches)
    act = cmd.Act("the-one", reader.question["dp"], reader.question["opts"][0]["o"])
    for _ in range(COPIES):
        table.room.ask(reader.connection, act)
    await table.quiet()
    answers = [frame for frame in reader.frames if frame.get("id") == "the-one"]
    assert Counter(answer["dup"] for answer in answers) == {False: 1, True: COPIES - 1}
    assert len({answer["seq"] for answer in answers}) == 1
    after = sum(len(batch.actions) for batch in table.store.batches)
    assert after - before == 1


@pytest.mark.parametrize("steps", range(0, 30, 3))
async def test_of_twenty_different_acts_one_is_taken(steps: int) -> None:
    table, rng = Table(seed=steps), Random(steps)
    readers = await table.playing()
    for _ in range(steps):
        reader = await asked(table, readers)
        await table.act(reader, rng.choice(reader.question["opts"])["o"])
    reader = await asked(table, readers)
    question = reader.question
    for number in range(COPIES):
        o = question["opts"][number % len(question["opts"])]["o"]
        table.room.ask(reader.connection, cmd.Act(f"one-of-{number}", question["dp"], o))
    await table.quiet()
    answers = [reader.answer(f"one-of-{number}") for number in range(COPIES)]
    assert answers[0]["m"] == "ack"
    assert {answer["code"] for answer in answers[1:]} == {"stale"}


async def double_at_once(seed: int) -> None:
    """Both answer in one instant, in any order, each more than once: both are counted."""
    table, ann, ben = await at_double_offer(seed)
    rng = Random(seed)
    choices = {reader: rng.choice(("db", "nd")) for reader in (ann, ben)}
    acts = [
        (reader, cmd.Act(f"{number}", reader.question["dp"], choices[reader]))
        for reader in (ann, ben)
        for number in (0, 0, 1)
    ]
    rng.shuffle(acts)
    for reader, act in acts:
        table.room.ask(reader.connection, act)
    await table.quiet()
    assert table.state.play is not None
    wanted = tuple(choices[reader] == "db" for reader in (ann, ben))
    assert table.state.play.state.doublers == wanted
    assert table.state.play.state.phase.value == "turn"
    taken = [answer for reader in (ann, ben) for answer in reader.of("ack") if not answer["dup"]]
    assert len(taken) == 3 * 2  # the confirm, the 明牌 offer and this one, of each
    await table.close()


async def test_both_double_at_once() -> None:
    for seed in range(100):
        await double_at_once(seed)


@pytest.mark.long
@pytest.mark.parametrize("start", range(0, 10_000, 1_000))
async def test_both_double_at_once_ten_thousand_times(start: int) -> None:
    for seed in range(start, start + 1_000):
        await double_at_once(seed)


# --- the end of a round ------------------------------------------------------------------------------------


async def at_a_win(seed: int) -> tuple[Table, Reader, Reader]:
    """Somebody may win, at the last moment before his time is up. The winner comes first."""
    table = Table(seed=seed)
    readers = await table.playing()
    while table.state.is_playing:
        reader = await asked(table, readers)
        if not table.state.is_playing:  # nobody won
            break
        assert table.state.play is not None
        state, seat = table.state.play.state, table.seat_of(reader)
        if any(option["kind"] == "win" for option in reader.question["opts"]):
            decision = table.decision_of(reader)
            assert decision is not None
            await table.pass_time(decision.deadline_ms - 1 - table.clock.now_ms())
            other = readers[0] if reader is readers[1] else readers[1]
            return table, reader, other
        await table.act(reader, basic(view_for(state, seat), legal_actions(state, seat)).code)
    return await at_a_win(seed + 10_000)


async def tell(table: Table, command: cmd.Command) -> None:
    with suppress(RoomError):
        await table.room.tell(command)


async def end_at_once(seed: int) -> None:
    """A win, both connections lost, the time run out, an escape and a void, all before any is dealt with."""
    table, winner, loser = await at_a_win(seed)
    dp = winner.question["dp"]
    told: list[asyncio.Task[None]] = []

    def void() -> None:
        told.append(asyncio.create_task(tell(table, cmd.VoidRound("maintenance"))))

    things: list[Callable[[], object]] = [
        lambda: table.room.ask(winner.connection, cmd.Act("win", dp, "w")),
        lambda: table.room.ask(winner.connection, cmd.Act("win-again", dp, "w")),
        lambda: table.room.detach(winner.connection),
        lambda: table.room.detach(loser.connection),
        lambda: table.clock.advance_to(table.clock.now_ms() + 1),
        lambda: table.room.ask(loser.connection, cmd.Leave("away", force=True, penalty_seen=320)),
        void,
    ]
    Random(seed).shuffle(things)
    for thing in things:
        thing()
    await asyncio.gather(*told)
    await table.room.idle()
    kinds = Counter(event.kind for batch in table.store.batches for event in batch.events)
    assert kinds["settled"] + kinds["voided"] == kinds["round_started"] == 1
    settled = [key for key in table.store.keys if key.startswith("settlement:")]
    assert len(settled) == kinds["settled"]
    assert sum(table.store.balances.values()) == 0
    results = list(itertools.chain.from_iterable(batch.results for batch in table.store.batches))
    assert len(results) == 2 * kinds["settled"]
    await table.close()


async def test_a_round_ends_once() -> None:
    for seed in range(60):
        await end_at_once(seed)


@pytest.mark.long
@pytest.mark.parametrize("start", range(1_000, 6_000, 1_000))
async def test_five_thousand_rounds_end_once(start: int) -> None:
    for seed in range(start, start + 1_000):
        await end_at_once(seed)
