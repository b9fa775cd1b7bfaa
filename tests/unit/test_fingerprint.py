"""Where a room stands, in a few bytes: the same for the same state, another for any other."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from app.rooms.connection import CloseCode
from app.rooms.fingerprint import FORM, fingerprint, is_comparable, position
from app.rooms.model import RoomState
from app.rooms.ports import StoredRoom, UnreadableRoom
from app.rooms.recovery import restore
from tests.tables import Table


async def a_table() -> Table:
    """Dealt, and the dealer has discarded once."""
    table = Table(seed=3)
    mover, _ = await table.at_first_turn()
    await table.act(mover, next(o["o"] for o in mover.question["opts"] if o["kind"] == "discard"))
    await table.room.stop(CloseCode.END)
    return table


async def stored(table: Table) -> StoredRoom:
    found = await table.store.load_room("room")
    assert found is not None
    return found


def rebuilt(table: Table, room: StoredRoom) -> RoomState:
    return restore(room, {user: table.store.player(user) for user in ("ann", "ben")})


async def test_a_fingerprint_is_for_ever() -> None:
    """Rooms are stored with this one. If it must change, FORM does too, or a new version stops every room."""
    table = await a_table()
    assert (FORM, fingerprint(table.state)) == (1, "1:b35ab63c853d0c68")


async def test_the_stored_state_leads_back_to_it() -> None:
    table = await a_table()
    room = await stored(table)
    assert room.room.state["hash"] == fingerprint(rebuilt(table, room)) == fingerprint(table.state)
    assert fingerprint(table.state.postponed(10**9)) == fingerprint(table.state)  # as a restart does


async def test_everything_in_a_position_counts() -> None:
    table = await a_table()
    assert table.state.play is not None
    state = table.state.play.state
    first, second = state.hands
    others = [
        state._replace(wall=state.wall[1:] + state.wall[:1]),
        state._replace(head=state.head + 1),
        state._replace(passed=not state.passed),
        state._replace(hands=(second, first)),
        state._replace(hands=(first._replace(drawn=5), second)),
        state._replace(hands=(first._replace(discards=()), second._replace(discards=()))),
        state._replace(doublers=(True, False)),
        state._replace(calls=state.calls + 1),
    ]
    assert position(state) not in [position(other) for other in others]
    play = table.state.play
    hashes = {
        fingerprint(table.state._replace(play=play._replace(state=other))) for other in [state, *others]
    }
    assert len(hashes) == len(others) + 1


def without_the_last_action(room: StoredRoom) -> StoredRoom:
    return replace(room, actions=room.actions[:-1])


def with_another_action(room: StoredRoom) -> StoredRoom:
    last = room.actions[-1]
    other = "d1m" if last.code != "d1m" else "d2m"
    return replace(room, actions=(*room.actions[:-1], last._replace(code=other)))


def with_another_secret(room: StoredRoom) -> StoredRoom:
    assert room.round is not None
    return replace(room, round=replace(room.round, secret="00" * 32))


def of_another_version(room: StoredRoom) -> StoredRoom:
    assert room.round is not None
    return replace(room, round=replace(room.round, record_version=99))


def with_state(**changes: Any) -> Any:
    def change(room: StoredRoom) -> StoredRoom:
        return replace(room, room=replace(room.room, state={**room.room.state, **changes}))

    return change


@pytest.mark.parametrize(
    "change",
    [
        without_the_last_action,
        with_another_action,
        with_another_secret,
        of_another_version,
        with_state(dps=[9, 9]),
        with_state(match={}),
        with_state(seats=[None, None]),
        with_state(seats=7),
        with_state(hash=f"{FORM}:0000000000000000"),
    ],
)
async def test_what_leads_elsewhere_is_not_gone_on_from(change: Any) -> None:
    table = await a_table()
    with pytest.raises(UnreadableRoom):
        rebuilt(table, change(await stored(table)))


@pytest.mark.parametrize("older", [None, "0:0000000000000000"])
async def test_a_head_without_a_hash_of_this_form_is_taken_as_it_is(older: str | None) -> None:
    table = await a_table()
    assert not is_comparable(older)
    room = with_state(hash=older)(await stored(table))
    assert fingerprint(rebuilt(table, room)) == fingerprint(table.state)
