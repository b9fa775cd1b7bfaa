"""What operators do to a room: never inside a round, never to its stakes. Source: RULES §3.6, §9."""

from __future__ import annotations

import asyncio

import pytest

from app.economy.operators import By, Change
from app.rooms import commands as cmd
from app.rooms.connection import CloseCode
from app.rooms.errors import Barred, NoRound, RoomChanged, RoomPaused
from app.rooms.model import RoomPhase
from app.rooms.ports import RoundStatus
from tests.tables import CLASSIC, Table
from tests.unit.test_hub import House

BY = By("boss", "測試", 1)


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


async def test_operators_changes_are_one_step_with_its_line_in_the_log() -> None:
    table = Table()
    await table.seated()
    steps = len(table.store.batches)
    both = (cmd.ChangeBase(20), cmd.PauseRoom("維護"))
    await table.room.tell(cmd.Operated(BY, "room.change", both, version=1))
    batch = table.store.batches[steps]
    assert len(table.store.batches) == steps + 1
    assert batch.changes == (
        Change(
            BY,
            "room.change",
            "room",
            {"base_stake": 10, "paused": None, "phase": "confirm"},
            {"base_stake": 20, "paused": "維護", "phase": "confirm"},
        ),
    )
    with pytest.raises(RoomChanged):
        await table.room.tell(cmd.Operated(BY, "room.change", (cmd.ChangeBase(30),), version=1))
    await table.restart()
    assert (table.state.version, table.state.base_stake) == (2, 20)
    with pytest.raises(NoRound):
        await table.room.tell(cmd.Operated(BY, "room.void", (cmd.VoidRound("測試"),)))


async def test_who_is_expelled_between_rounds_goes_at_once() -> None:
    table = Table()
    ann, ben = await table.seated()
    await table.room.tell(cmd.Expel("ben"))
    await table.quiet()
    assert table.state.taken == (0,)
    assert ben.closed == CloseCode.REMOVED
    assert ann.of("ev")[-1]["d"] == {"seat": 1, "reason": "removed"}
    await table.room.tell(cmd.Expel("ben"))
    assert ann.kinds().count("seat_left") == 1


async def test_who_is_expelled_in_a_round_goes_when_it_is_over_also_after_a_restart() -> None:
    table = Table()
    await table.at_first_turn()
    ben = next(reader for reader in table.readers if reader.connection.user_id == "ben")
    table.room.shut_out("ben")
    await table.room.tell(cmd.Expel("ben"))
    table.room.ask(ben.connection, cmd.SwitchAuto("late", False))  # had been sent before he was gone
    await table.room.idle()
    assert table.state.at(1).auto
    assert table.state.taken == (0, 1)
    await table.restart()
    ann = next(reader for reader in table.readers if reader.connection.user_id == "ann")
    await table.pass_time(3_600_000)
    kinds = ann.kinds()
    assert kinds.index("settled" if "settled" in kinds else "exhausted") < kinds.index("seat_left")
    assert table.state.seat_of("ben") is None
    assert table.state.match.rounds == 0


async def test_whoever_is_barred_sits_down_nowhere() -> None:
    house = House()
    room_id = await house.open("ann")
    await house.rooms.join(room_id, house.store.player("ben"), None)
    await house.rooms.bar("ben")
    assert house.rooms.room_of("ben") is None
    for sit in (house.rooms.join(room_id, house.store.player("ben"), None), house.open("ben")):
        with pytest.raises(Barred):
            await sit
    house.rooms.unbar("ben")
    assert await house.rooms.join(room_id, house.store.player("ben"), None) == 1


async def test_whoever_is_barred_on_his_way_to_a_seat_leaves_it_again() -> None:
    house = House()
    room_id = await house.open("ann")
    sitting = asyncio.create_task(house.rooms.join(room_id, house.store.player("ben"), None))
    await asyncio.sleep(0)
    await house.rooms.bar("ben")
    with pytest.raises(Barred):
        await sitting
    assert house.rooms.room_of("ben") is None
    opening = asyncio.create_task(house.open("cat"))
    await asyncio.sleep(0)
    await house.rooms.bar("cat")
    with pytest.raises(Barred):
        await opening
    assert house.rooms.room_of("cat") is None
    assert len(house.rooms.running) == 1
