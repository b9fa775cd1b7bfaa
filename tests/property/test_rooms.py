"""Whole rooms under a crowd: what must hold after every step, whoever did what (:mod:`app.soak.checks`).

Source: RULES §8–§11; PROTOCOL §3.1, §3.12.
"""

from __future__ import annotations

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from app.engine.state import SEATS
from app.rooms import commands as cmd
from app.rooms.tiers import Clocks, Tier
from app.rules.ruleset import RULESET_IDS
from app.soak.crowd import Crowd


def tier_of(ruleset: str, fee: int, floors: bool = False) -> Tier:
    clocks = Clocks(floor_min_ms=700, floor_max_ms=1_200) if floors else Clocks()
    return Tier(f"{ruleset}-1", "雀仔場", ruleset, base_stake=10, entry_min=500, table_fee=fee, clocks=clocks)


@settings(max_examples=24)
@given(
    st.sampled_from(RULESET_IDS), st.sampled_from((0, 7)), st.booleans(), st.booleans(), st.integers(0, 2**32)
)
async def test_a_room_survives_anything(
    ruleset: str, fee: int, floors: bool, practice: bool, seed: int
) -> None:
    crowd = Crowd(tier_of(ruleset, fee, floors), Random(seed), practice=practice)
    for _ in range(250):
        await crowd.gather()
        if crowd.room.is_closed or not crowd.room.people:
            break
        await crowd.act_at_random()


@settings(max_examples=12)
@given(st.sampled_from(RULESET_IDS), st.booleans(), st.booleans(), st.integers(0, 2**32))
async def test_a_round_left_to_the_clock_ends_by_itself(
    ruleset: str, floors: bool, practice: bool, seed: int
) -> None:
    crowd = Crowd(tier_of(ruleset, 0, floors), Random(seed), practice=practice)
    await crowd.gather()
    for seat in SEATS:
        decision = crowd.room.at(seat).decision
        if decision is not None:
            await crowd.do(cmd.Asked(seat, cmd.Act(f"confirm-{seat}", decision.dp, "ok")))
    for _ in range(300):
        if not crowd.room.is_playing:
            break
        await crowd.let_time_pass()
    assert crowd.kinds["settled"] == 1
    assert not crowd.room.is_playing
