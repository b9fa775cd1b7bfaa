"""What operators do to a room: never inside a round, never to its stakes. Source: RULES §3.6, §9."""

from __future__ import annotations

import pytest

from app.rooms import commands as cmd
from app.rooms.errors import RoomPaused
from app.rooms.model import RoomPhase
from app.rooms.ports import RoundStatus
from tests.tables import CLASSIC, Table


async def test_a_new_base_is_asked_about_anew_under_a_new_secret() -> None:
    table = Table()
    ann, ben = await table.seated()
    await table.act(ann, "ok")
    old = ann.question
    await table.room.tell(cmd.ChangeBase(20))
    await table.quiet()
    for reader in (ann, ben):
        assert reader.view is not None
        assert (reader.question["base"], reader.view["room"]["base"]) == (20, 20)
        assert reader.question["round_id"] != old["round_id"]
        assert reader.question["commitment"] != old["commitment"]
    assert table.state.phase is RoomPhase.CONFIRM
    withdrawn = [r for batch in table.store.batches for r in batch.rounds if r.id == old["round_id"]][-1]
    assert withdrawn.status is RoundStatus.WITHDRAWN
    answer = await table.request(ann, dp=old["dp"], o="ok")
    assert answer["code"] == "stale"


async def test_a_running_round_keeps_its_base() -> None:
    table = Table()
    ann, ben = await table.at_first_turn()
    await table.room.tell(cmd.ChangeBase(20))
    asked = await table.request(ann, kind=cmd.Leave)
    assert asked["penalty"] == 32 * CLASSIC.base_stake
    await table.pass_time(3_600_000)
    settled = next(f["d"] for f in ann.of("ev") if f["k"] == "settled")
    assert settled["base"] == CLASSIC.base_stake
    assert ben.kinds().index("base_changed") < ben.kinds().index("settled")


async def test_who_cannot_pay_the_new_base_loses_the_seat() -> None:
    table = Table(coins={"ann": 10_000, "ben": 600})
    await table.seated()
    await table.room.tell(cmd.ChangeBase(20))  # entry minimum 1 000
    assert table.state.taken == (0,)


async def test_a_paused_room_starts_nothing_and_lets_nobody_in() -> None:
    table = Table(coins={"ann": 10_000, "ben": 10_000, "cat": 10_000})
    ann, ben = await table.seated()
    await table.act(ann, "ok")
    await table.room.tell(cmd.PauseRoom("維護"))
    await table.pass_time(120_000)
    await table.quiet()
    assert table.state.taken == (0, 1)
    assert table.state.proposal is None
    assert ben.view is not None
    assert ben.view["room"]["paused"] == "維護"
    await table.request(ben, kind=cmd.Leave)
    with pytest.raises(RoomPaused):
        await table.room.tell(cmd.TakeSeat(table.store.player("cat")))
    await table.room.tell(cmd.ResumeRoom())
    await table.room.tell(cmd.TakeSeat(table.store.player("cat")))
    assert table.state.phase is RoomPhase.CONFIRM
    assert table.state.proposal is not None


async def test_a_pause_lets_the_running_round_end() -> None:
    table = Table()
    ann, _ = await table.at_first_turn()
    await table.room.tell(cmd.PauseRoom("維護"))
    await table.pass_time(3_600_000)
    assert ann.kinds().count("settled") == 1
    assert not table.state.is_playing
    await table.restart()
    assert table.state.paused == "維護"
