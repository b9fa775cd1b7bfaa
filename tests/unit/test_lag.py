"""The network's share of a decision is not the player's. Source: PROTOCOL §3.5, RULES §12."""

from __future__ import annotations

import pytest

from app.rooms.decisions import LAG_QUOTA_MS, MAX_LAG_MS
from tests.tables import CLASSIC, Reader, Table

CLOCKS = CLASSIC.clocks


async def first_turn(lag_ms: int) -> tuple[Table, Reader]:
    """The dealer is to discard, over a connection that takes so long."""
    table = Table(lag_ms=lag_ms)
    dealer, _ = await table.at_first_turn()
    return table, dealer


@pytest.mark.parametrize(("lag_ms", "allowed"), [(0, 0), (120, 120), (300, 300), (5_000, MAX_LAG_MS)])
async def test_an_answer_may_come_later_by_the_lag_and_no_more(lag_ms: int, allowed: int) -> None:
    table, reader = await first_turn(lag_ms)
    decision = table.state.at(table.seat_of(reader)).decision
    assert decision is not None
    assert decision.lag_ms == allowed
    asked = reader.question
    assert asked["deadline_ms"] == decision.asked_ms + asked["base_ms"] + asked["bank_ms"]
    await table.pass_time(decision.deadline_ms + allowed - table.clock.now_ms() - 1)
    assert (await table.act(reader, asked["opts"][0]["o"]))["m"] == "ack"


async def test_after_the_lag_the_question_is_stale() -> None:
    table, reader = await first_turn(200)
    decision = table.state.at(table.seat_of(reader)).decision
    assert decision is not None
    await table.pass_time(decision.deadline_ms + 200 - table.clock.now_ms())
    answer = await table.request(reader, dp=decision.dp, o=decision.options[0].o)
    assert answer["code"] == "stale"


async def test_lag_is_taken_off_the_quota_before_the_reserve() -> None:
    table, reader = await first_turn(250)
    seat = table.seat_of(reader)
    before = table.state.at(seat)
    assert before.decision is not None
    end = before.decision.asked_ms + before.decision.base_ms
    await table.pass_time(end + 400 - table.clock.now_ms())
    await table.act(reader, reader.question["opts"][0]["o"])
    after = table.state.at(seat)
    assert after.lag_quota_ms == before.lag_quota_ms - 250
    assert after.reserve_ms == before.reserve_ms - 150


async def test_the_quota_of_a_round_is_used_up() -> None:
    table, reader = await first_turn(MAX_LAG_MS)
    seat = table.seat_of(reader)
    quotas = []
    while table.state.is_playing:
        sitting = table.state.at(seat)
        if sitting.decision is None:
            await table.pass_time(1_000)
            continue
        quotas.append(sitting.lag_quota_ms)
        assert sitting.decision.lag_ms == min(MAX_LAG_MS, sitting.lag_quota_ms)
        await table.pass_time(sitting.decision.asked_ms + sitting.decision.base_ms - table.clock.now_ms())
        await table.pass_time(sitting.decision.lag_ms)
        if table.state.at(seat).decision == sitting.decision:  # there was a reserve to answer from
            await table.act(reader, sitting.decision.options[0].o)
    assert len(quotas) > 4
    assert quotas == [max(0, LAG_QUOTA_MS - number * MAX_LAG_MS) for number in range(len(quotas))]
