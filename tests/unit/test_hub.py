"""The registry of rooms: who sits where, and nobody is left behind. Source: PROTOCOL §2."""

from __future__ import annotations

import asyncio

import pytest

from app.economy.ledger import purse
from app.rooms import commands as cmd
from app.rooms.errors import InOtherRoom, InsufficientCoins, InviteRequired, NoSuchRoom, RoomError, RoomFull
from app.rooms.hub import Rooms
from app.rooms.model import Decision
from app.rooms.ports import Batch, RoomRecord, StoredRoom, StoreError, UnreadableRoom
from app.rooms.steps import GRACE_MS
from app.rooms.stopping import RETRY_AFTER_MS
from tests.fakes import FakeClock, MemoryStore, fake_sources
from tests.tables import CLASSIC


class House:
    def __init__(self) -> None:
        self.store = MemoryStore({"ann": 10_000, "ben": 10_000, "cat": 10_000, "poor": 499})
        self.clock = FakeClock()
        self.rooms = Rooms(fake_sources(self.store, self.clock))

    async def open(self, user_id: str, *, private: bool = False) -> str:
        room = await self.rooms.open(CLASSIC, self.store.player(user_id), private=private)
        return room.id

    async def join(self, room_id: str, user_id: str) -> int:
        return await self.rooms.join(room_id, self.store.player(user_id), None)

    async def look_again(self) -> None:
        """The database is back: whatever is in doubt is found out, and what follows from it is done."""
        self.store.is_unreadable = False
        self.clock.advance_to(self.clock.now_ms() + RETRY_AFTER_MS)
        await self.quiet()

    async def quiet(self) -> None:
        """Until every room has dealt with what it was told, and with what it was told because of that."""
        for _ in range(3):
            await asyncio.sleep(0)  # for who has just been woken to tell his room
            for room in self.rooms.running:
                await room.idle()


def expulsions() -> list[str]:
    """Players whose seats are yet to be freed, for they are barred."""
    return [name for task in asyncio.all_tasks() if (name := task.get_name()).startswith("expel ")]


def asked(house: House, user_id: str) -> Decision:
    """What the player is asked at his table."""
    state = house.rooms.state_of(user_id)
    assert state is not None
    seat = state.seat_of(user_id)
    assert seat is not None
    decision = state.at(seat).decision
    assert decision is not None
    return decision


async def test_one_room_at_a_time() -> None:
    house = House()
    room_id = await house.open("ann")
    assert house.rooms.room_of("ann") == room_id
    with pytest.raises(InOtherRoom) as elsewhere:
        await house.open("ann")
    assert elsewhere.value.room_id == room_id
    other = await house.open("ben")
    with pytest.raises(InOtherRoom):
        await house.rooms.join(other, house.store.player("ann"), None)


async def test_two_clicks_at_once_open_one_room() -> None:
    house = House()
    opened = await asyncio.gather(house.open("ann"), house.open("ann"), return_exceptions=True)
    assert sum(isinstance(outcome, str) for outcome in opened) == 1
    assert len(house.rooms.public_rooms()) == 1


async def test_two_strangers_at_once_get_one_seat() -> None:
    house = House()
    room_id = await house.open("ann")
    seated = await asyncio.gather(
        *(house.rooms.join(room_id, house.store.player(user_id), None) for user_id in ("ben", "cat")),
        return_exceptions=True,
    )
    assert seated[0] == 1
    assert isinstance(seated[1], RoomFull)
    assert house.rooms.room_of("cat") is None


async def test_joining_again_keeps_the_seat() -> None:
    house = House()
    room_id = await house.open("ann", private=True)
    assert await house.rooms.join(room_id, house.store.player("ann"), None) == 0


async def test_a_private_room_wants_its_invite() -> None:
    house = House()
    room_id = await house.open("ann", private=True)
    summary = house.rooms.summary(room_id)
    assert summary is not None
    assert summary.invite is not None
    for wrong in (None, "", "WRONGONE", summary.invite[:-1]):
        with pytest.raises(InviteRequired):
            await house.rooms.join(room_id, house.store.player("ben"), wrong)
    assert house.rooms.by_invite(summary.invite.lower()) == summary
    assert await house.rooms.join(room_id, house.store.player("ben"), summary.invite.lower()) == 1
    assert house.rooms.public_rooms() == []


async def test_a_thin_purse_opens_and_joins_nothing() -> None:
    house = House()
    with pytest.raises(InsufficientCoins):
        await house.open("poor")
    room_id = await house.open("ann")
    with pytest.raises(InsufficientCoins):
        await house.rooms.join(room_id, house.store.player("poor"), None)
    assert house.rooms.room_of("poor") is None


async def test_a_closed_room_leaves_nobody_in_it() -> None:
    house = House()
    room_id = await house.open("ann", private=True)
    summary = house.rooms.summary(room_id)
    assert summary is not None
    room = house.rooms.find(room_id)
    assert room is not None
    await room.tell(cmd.CloseRoom("maintenance"))
    assert house.rooms.room_of("ann") is None
    assert house.rooms.find(room_id) is None
    assert house.rooms.by_invite(summary.invite or "") is None
    with pytest.raises(NoSuchRoom):
        await house.rooms.join(room_id, house.store.player("ben"), summary.invite)
    assert await house.open("ann")


async def test_a_room_that_could_not_be_written_holds_nobody() -> None:
    house = House()
    house.store.fail_next = StoreError("disk full")
    with pytest.raises(StoreError):
        await house.open("ann")
    assert house.rooms.room_of("ann") is None
    assert not [task for task in asyncio.all_tasks() if task.get_name().startswith("room ")]
    assert await house.open("ann")
    assert house.store.balances[purse("ann")] == 10_000


async def test_who_was_seated_by_a_commit_that_only_seemed_to_fail_sits_there() -> None:
    house = House()
    room_id = await house.open("ann")
    house.store.lose_next_answer = True
    with pytest.raises(StoreError):
        await house.rooms.join(room_id, house.store.player("ben"), None)
    assert house.rooms.room_of("ben") == room_id
    with pytest.raises(InOtherRoom):
        await house.open("ben")
    assert await house.rooms.join(room_id, house.store.player("ben"), None) == 1


@pytest.mark.parametrize("is_read_at_once", [True, False])
async def test_a_room_closed_by_a_commit_that_only_seemed_to_fail_is_closed(is_read_at_once: bool) -> None:
    house = House()
    room_id = await house.open("ann")
    load = house.store.load_room

    async def broken_once(room_id: str) -> StoredRoom | None:
        house.store.load_room = load  # type: ignore[method-assign]  # the test's own stands in
        raise StoreError("still gone")

    if not is_read_at_once:
        house.store.load_room = broken_once  # type: ignore[method-assign]  # the test's own stands in
    house.store.lose_next_answer = True
    with pytest.raises(StoreError):
        await house.rooms.withdraw(room_id, "ann")
    await house.look_again()
    with pytest.raises(RoomError) as refused:
        await house.rooms.join(room_id, house.store.player("ben"), None)
    assert refused.value.code == "no_such_room"
    assert house.rooms.room_of("ann") is None
    assert house.rooms.room_of("ben") is None
    assert house.rooms.find(room_id) is None


async def test_who_may_sit_in_a_new_room_keeps_his_place_until_it_is_known_and_then_his_seat() -> None:
    """The database dies as it has written that he sits down, and is still dead when the room looks."""
    house = House()
    house.store.lose_next_answer = house.store.is_unreadable = True
    with pytest.raises(StoreError):
        await house.open("ann", private=True)
    room_id = house.rooms.room_of("ann")
    assert room_id is not None
    assert house.rooms.table_of("ann") is None
    with pytest.raises(InOtherRoom):
        await house.open("ann")
    await house.look_again()
    state = house.rooms.state_of("ann")
    assert state is not None
    assert (state.id, state.seat_of("ann")) == (room_id, 0)
    assert house.rooms.by_invite(state.invite or "") == house.rooms.summary(room_id)
    assert house.rooms.table_of("ann") == room_id
    await house.rooms.withdraw(room_id, "ann")
    assert house.rooms.room_of("ann") is None


async def test_a_new_room_that_turns_out_to_be_empty_is_closed_and_its_host_is_free() -> None:
    house = House()
    house.store.fail_next, house.store.is_unreadable = StoreError("gone"), True
    with pytest.raises(StoreError):
        await house.open("ann", private=True)
    room_id = house.rooms.room_of("ann")
    assert room_id is not None
    await house.look_again()
    assert house.rooms.room_of("ann") is None
    assert house.rooms.running == []
    assert await house.store.load_room(room_id) is None
    assert await house.open("ann")


async def test_who_turns_out_not_to_sit_at_anothers_table_is_free() -> None:
    house = House()
    room_id = await house.open("ann")
    house.store.fail_next, house.store.is_unreadable = StoreError("gone"), True
    with pytest.raises(StoreError):
        await house.rooms.join(room_id, house.store.player("ben"), None)
    assert house.rooms.room_of("ben") == room_id
    await house.look_again()
    assert house.rooms.room_of("ben") is None
    assert house.rooms.room_of("ann") == room_id
    assert await house.rooms.join(room_id, house.store.player("ben"), None) == 1


async def test_who_came_to_a_full_table_in_doubt_is_free_again_also_while_its_round_runs() -> None:
    """A third asks for a seat while it is not known how the table stands: the round goes on without him."""
    house = House()
    room_id = await house.open("ann")
    await house.rooms.join(room_id, house.store.player("ben"), None)
    room = house.rooms.find(room_id)
    assert room is not None
    for user_id in ("ann", "ben"):
        connection = room.connection(user_id, user_id, watch=False)
        room.attach(connection, None)
        room.ask(connection, cmd.Act(f"{user_id}-1", 1, "ok"))
    await room.idle()
    assert room.state.is_playing
    house.store.fail_next, house.store.is_unreadable = StoreError("gone"), True
    with pytest.raises(StoreError):
        await room.tell(cmd.GoOffline(0))
    with pytest.raises(StoreError):
        await house.rooms.join(room_id, house.store.player("cat"), None)
    assert house.rooms.room_of("cat") == room_id
    await house.look_again()
    assert house.rooms.room_of("cat") is None
    assert room.state.is_playing


@pytest.mark.parametrize("is_host", [True, False])
async def test_who_is_banned_while_nobody_knows_whether_he_sits_leaves_the_seat_he_has(is_host: bool) -> None:
    house = House()
    table = None if is_host else await house.open("ann")
    house.store.lose_next_answer = house.store.is_unreadable = True
    with pytest.raises(StoreError):
        await (house.open("ben") if table is None else house.join(table, "ben"))
    room_id = house.rooms.room_of("ben")
    assert room_id is not None
    await house.rooms.bar("ben")
    await house.look_again()
    await house.look_again()
    assert house.rooms.room_of("ben") is None
    assert len(house.rooms.running) == (0 if is_host else 1)
    stored = await house.store.load_room(room_id)
    assert (None if stored is None else stored.room.seats) == (None if is_host else ("ann", None))
    assert expulsions() == []


async def test_who_is_banned_while_his_room_is_written_leaves_the_seat_he_is_said_not_to_have(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    house = House()
    create_room = house.store.create_room

    async def create_and_ban(room: RoomRecord, at_ms: int) -> None:
        await create_room(room, at_ms)
        await house.rooms.bar("ann")

    monkeypatch.setattr(house.store, "create_room", create_and_ban)
    house.store.lose_next_answer = True
    with pytest.raises(StoreError):
        await house.open("ann")
    await house.look_again()
    assert house.rooms.room_of("ann") is None
    assert house.rooms.running == []


@pytest.mark.parametrize("is_unbarred", [False, True])
async def test_a_ban_that_cannot_be_carried_out_is_tried_again_after_a_pause_while_it_stands(
    monkeypatch: pytest.MonkeyPatch, is_unbarred: bool
) -> None:
    house, tries = House(), 0
    room_id = await house.open("ann")
    await house.join(room_id, "ben")

    async def refuse(_: Batch) -> None:
        nonlocal tries
        tries += 1
        raise StoreError("read only")

    with monkeypatch.context() as broken:
        broken.setattr(house.store, "commit", refuse)
        await house.rooms.bar("ben")
        await house.quiet()
        assert tries == 2  # once more, as the room has looked how it stands
        await house.look_again()
        assert tries == 3
        assert house.rooms.table_of("ben") == room_id
    if is_unbarred:
        house.rooms.unbar("ben")
    await house.look_again()
    assert house.rooms.table_of("ben") == (room_id if is_unbarred else None)
    assert house.rooms.table_of("ann") == room_id
    assert expulsions() == []


async def test_rooms_that_stop_wait_for_no_ban() -> None:
    house = House()
    await house.open("ann")
    house.store.fail_next = StoreError("gone")
    await house.rooms.bar("ann")
    assert len(expulsions()) == 1
    await house.rooms.stop()
    assert expulsions() == []


async def test_who_was_left_in_two_rooms_sits_in_the_other_when_one_is_over() -> None:
    house = House()
    await house.open("cat")  # so that the ids differ
    first = await house.open("ann")
    other = Rooms(fake_sources(house.store, house.clock))
    second = (await other.open(CLASSIC, house.store.player("ann"), private=False)).id
    for rooms in (house.rooms, other):
        await rooms.stop()
    house.store.open_rooms = (first, second)
    house.rooms = Rooms(fake_sources(house.store, house.clock, seed=2))
    assert await house.rooms.recover() == 2
    for room_id in (first, second):
        assert house.rooms.room_of("ann") == room_id
        await house.rooms.withdraw(room_id, "ann")
    assert house.rooms.room_of("ann") is None
    assert await house.open("ann")
    await house.rooms.stop()


async def test_an_invite_leads_nowhere_when_its_room_could_not_be_opened(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    house = House()
    monkeypatch.setattr("app.rooms.hub._new_invite", lambda: "ABCDEFGH")
    monkeypatch.setattr("app.rooms.hub.require_entry", lambda *_: None)
    with pytest.raises(InsufficientCoins):
        await house.open("poor", private=True)
    assert house.rooms.by_invite("ABCDEFGH") is None
    assert not house.rooms._invites


@pytest.mark.parametrize("is_stopped_at_once", [True, False])
async def test_a_room_whose_task_dies_lets_its_players_go(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, is_stopped_at_once: bool
) -> None:
    """When it is closed in the store too: until then they would sit in two rooms after a restart."""
    house = House()
    room_id = await house.open("ann")
    await house.rooms.join(room_id, house.store.player("ben"), None)
    room = house.rooms.find(room_id)
    assert room is not None
    connection = room.connection("ann", "Ann", watch=False)
    room.attach(connection, None)
    await room.idle()

    def broken(*_: object) -> int:
        raise RuntimeError("a broken invariant")

    stop_room, tried = house.store.stop_room, asyncio.Event()

    async def gone(*_: object) -> None:
        tried.set()
        raise StoreError("gone")

    if not is_stopped_at_once:
        house.store.stop_room = gone  # type: ignore[method-assign, assignment]  # the test's own stands in
    monkeypatch.setattr("app.rooms.room.next_due_ms", broken)
    last, late = (room.tell(cmd.GoOffline(seat)) for seat in (0, 1))
    outcomes = await asyncio.gather(last, late, return_exceptions=True)
    monkeypatch.undo()
    assert isinstance(outcomes[1], RoomError)
    if not is_stopped_at_once:
        await tried.wait()
        with pytest.raises(InOtherRoom):
            await house.open("ann")
        assert house.rooms.stopped == 1
        house.store.stop_room = stop_room  # type: ignore[method-assign]  # the test's own stands in
        house.clock.advance_to(house.clock.now_ms() + RETRY_AFTER_MS)
    await asyncio.gather(room._task)
    assert "the task has died" in caplog.text
    assert connection.is_closing
    assert house.rooms.find(room_id) is None
    assert house.rooms.running == []
    assert house.rooms.stopped == 1
    assert await house.store.load_room(room_id) is None
    for user_id in ("ann", "ben"):
        assert house.rooms.room_of(user_id) is None
        assert await house.open(user_id)


@pytest.mark.parametrize("fault", [UnreadableRoom("dps"), AssertionError(), AttributeError("phase")])
async def test_a_room_that_cannot_be_rebuilt_is_stopped_alone(fault: Exception) -> None:
    house = House()
    broken, sound = await house.open("ann"), await house.open("ben")
    await house.rooms.stop()
    load = house.store.load_room

    async def load_room(room_id: str) -> StoredRoom | None:
        if room_id == broken:
            raise fault
        return await load(room_id)

    house.store.load_room = load_room  # type: ignore[method-assign]  # the test's own stands in
    house.store.open_rooms = (broken, sound)
    again = Rooms(fake_sources(house.store, FakeClock(), seed=1))
    assert await again.recover() == 1
    assert again.room_of("ben") == sound
    assert again.find(broken) is None
    assert again.stopped == 1
    house.store.load_room = load  # type: ignore[method-assign]  # the test's own stands in
    assert await load(broken) is None  # closed for good
    await again.open(CLASSIC, house.store.player("ann"), private=False)
    await again.stop()


async def test_what_is_asked_after_a_restart_is_granted_its_own_grace() -> None:
    """Killed again within the grace of the first restart: the new questions have had none of it."""
    house = House()
    room_id = await house.open("ann")
    await house.rooms.join(room_id, house.store.player("ben"), None)
    house.store.open_rooms = (room_id,)
    clock = FakeClock()
    for restart in (1, 2):
        await house.rooms.stop()
        clock.advance_to(clock.now_ms() + 5_000)
        house.rooms = Rooms(fake_sources(house.store, clock, seed=restart))
        await house.rooms.recover()
        room = house.rooms.find(room_id)
        assert room is not None
        if restart == 1:
            for user_id in ("ann", "ben"):
                connection = room.connection(user_id, user_id, watch=False)
                room.attach(connection, None)
                await room.idle()
                room.ask(connection, cmd.Act(f"{user_id}-1", 1, "ok"))
                await room.idle()
            assert room.state.is_playing
    decision = asked(house, "ann")
    assert decision.deadline_ms == clock.now_ms() + GRACE_MS + CLASSIC.clocks.offer_ms
    await house.rooms.stop()


async def restarted(house: House, *room_ids: str) -> None:
    """The server has been away for an hour and is back."""
    await house.rooms.stop()
    house.clock.advance_to(house.clock.now_ms() + 3_600_000)
    house.store.open_rooms = room_ids
    house.rooms = Rooms(fake_sources(house.store, house.clock, seed=house.clock.now_ms()))
    await house.rooms.recover()


@pytest.mark.parametrize("is_lost", [True, False])
async def test_a_room_that_cannot_be_reopened_yet_is_reopened_before_anything_else(is_lost: bool) -> None:
    """Nobody's time runs out over a disk that is full just then, and nobody seems to be there."""
    house = House()
    room_id = await house.open("ann")
    await house.rooms.join(room_id, house.store.player("ben"), None)
    room = house.rooms.find(room_id)
    assert room is not None
    room.attach(room.connection("ann", "Ann", watch=False), None)
    await room.idle()
    left_ms = asked(house, "ann").deadline_ms - house.clock.now_ms()
    if is_lost:
        house.store.lose_next_answer = True
    else:
        house.store.fail_next = StoreError("disk full")
    await restarted(house, room_id)
    room = house.rooms.find(room_id)
    assert room is not None
    if not is_lost:
        with pytest.raises(StoreError):  # not before it is known how the room stands
            await room.tell(cmd.ChangeBase(20))
        house.store.fail_next = StoreError("disk full")
        house.clock.advance_to(house.clock.now_ms() + 3_600_000)  # for as long as the server was away
        await room.idle()
    await house.look_again()
    assert asked(house, "ann").deadline_ms == house.clock.now_ms() + left_ms + GRACE_MS
    assert not any(room.state.at(seat).is_online for seat in room.state.people)
    await house.rooms.stop()


async def test_a_start_that_was_killed_takes_nothing_from_who_it_did_not_reach() -> None:
    """The downtime is each room's own: one that was reopened before the kill has had less of it."""
    house = House()
    reached, other = await house.open("ann"), await house.open("ben")
    await house.rooms.join(other, house.store.player("cat"), None)
    left_ms = asked(house, "ben").deadline_ms - house.clock.now_ms()
    await restarted(house, reached)
    await restarted(house, reached, other)
    assert asked(house, "ben").deadline_ms == house.clock.now_ms() + left_ms + GRACE_MS
    await house.rooms.stop()


async def test_a_database_that_fails_stops_no_room() -> None:
    house = House()
    room_id = await house.open("ann")
    await house.rooms.stop()
    load = house.store.load_room

    async def fail(room_id: str) -> StoredRoom | None:
        raise StoreError("gone")

    house.store.load_room = fail  # type: ignore[method-assign]  # the test's own stands in
    house.store.open_rooms = (room_id,)
    with pytest.raises(StoreError):
        await Rooms(fake_sources(house.store, FakeClock(), seed=1)).recover()
    assert await load(room_id) is not None


async def test_restarts_one_after_the_other_grant_their_grace_once() -> None:
    """A server that fails again and again must not put the next deadline off for ever."""
    house = House()
    await house.open("ann")
    room_id = house.rooms.room_of("ann")
    assert room_id is not None
    await house.rooms.join(room_id, house.store.player("ben"), None)
    house.store.open_rooms = (room_id,)
    clock = FakeClock()
    for _ in range(10):
        await house.rooms.stop()
        clock.advance_to(clock.now_ms() + 1_000)
        house.rooms = Rooms(fake_sources(house.store, clock, seed=2))
        await house.rooms.recover()
    decision = asked(house, "ann")
    assert decision.deadline_ms == clock.now_ms() + GRACE_MS + CLASSIC.clocks.confirm_ms
    await house.rooms.stop()
