"""Watchers: a little behind, never past what lies open, all of it once the round is over."""

from __future__ import annotations

from random import Random

import pytest

from app.engine.views import WATCHER
from app.rooms.audience import Resume
from app.rooms.gallery import DELAY
from app.rooms.view import room_view
from tests.tables import Reader, Table


async def play_on(table: Table, readers: tuple[Reader, Reader], rng: Random, steps: int) -> None:
    for _ in range(steps):
        asked = [r for r in readers if table.state.at(table.seat_of(r)).decision is not None]
        if not asked or not table.state.is_playing:
            await table.pass_time(1_000)
            continue
        reader = rng.choice(asked)
        await table.act(reader, rng.choice(reader.question["opts"])["o"])


@pytest.mark.parametrize("seed", range(8))
async def test_a_watcher_is_behind_by_whole_steps_until_the_round_is_over(seed: int) -> None:
    table, rng = Table(seed=seed), Random(seed)
    readers = await table.playing()
    watcher = await table.connect("wei", watch=True)
    before_the_round = watcher.seq
    while table.state.is_playing:
        await play_on(table, readers, rng, 1)
        if table.state.is_playing:
            assert table.state.seq - watcher.seq >= DELAY or watcher.seq == before_the_round
            assert watcher.view == room_view(table.states[watcher.seq], WATCHER)
            late = await table.connect("may", watch=True)
            assert (late.seq, late.view) == (watcher.seq, watcher.view)
            await table.drop(late)
    assert watcher.seq == table.state.seq
    assert watcher.view == room_view(table.state, WATCHER)
    assert not watcher.of("ask")
    seqs = [frame["seq"] for frame in watcher.of("ev")]
    assert seqs == list(range(seqs[0], table.state.seq + 1))


async def test_before_the_round_is_over_no_hand_is_seen_that_was_not_opened() -> None:
    for seed in range(12):
        table, rng = Table(seed=seed), Random(seed)
        readers = await table.playing()
        watcher = await table.connect("wei", watch=True)
        while table.state.is_playing:
            await play_on(table, readers, rng, 1)
        assert table.state.play is not None
        openers = table.state.play.state.openers
        for frame in watcher.of("ev"):
            if frame["k"] in ("won", "exhausted", "forfeited", "voided"):
                break
            if frame["k"] == "dealt":
                assert [hand is not None for hand in frame["d"]["hands"]] == list(openers)
            if frame["k"] == "drawn":
                assert (frame["d"]["tile"] is not None) == openers[frame["d"]["seat"]]


async def test_a_watcher_resumes_where_he_was() -> None:
    table, rng = Table(), Random(1)
    readers = await table.playing()
    watcher = await table.connect("wei", watch=True)
    await play_on(table, readers, rng, 20)
    assert watcher.view is not None
    assert table.state.play is not None
    round_id = table.state.play.record.id
    seq, view = watcher.seq, watcher.view
    await table.drop(watcher)
    await play_on(table, readers, rng, 4)
    again = await table.connect("wei", watch=True, resume=Resume(round_id, seq))
    assert not again.of("snap")
    again_seqs = [frame["seq"] for frame in again.of("ev")]
    assert again_seqs == list(range(seq + 1, seq + 1 + len(again_seqs)))
    assert view == room_view(table.states[seq], WATCHER)


async def test_a_watcher_says_and_does_nothing() -> None:
    table = Table()
    ann, _ = await table.playing()
    watcher = await table.connect("wei", watch=True)
    answer = await table.request(watcher, dp=1, o="kc")
    assert answer["code"] == "not_seated"
    table.room.say(watcher.connection, {"phrase": "hello"})
    table.room.say(ann.connection, {"phrase": "luck"})
    await table.quiet()
    assert [frame["phrase"] for frame in watcher.of("said")] == ["luck"]
