"""Quick match on a clock that stands still, with real rooms over a store in memory. Source: PROTOCOL §2."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from app.economy.ledger import purse
from app.rooms import commands as cmd
from app.rooms.connection import CloseCode
from app.rooms.errors import InOtherRoom, InsufficientCoins, RoomFull
from app.rooms.hub import Rooms
from app.rooms.matching import LIFE_MS, Matcher, MatchStatus, Searching
from app.rooms.ports import StoreError
from app.rooms.room import Room
from app.rooms.stopping import RETRY_AFTER_MS
from app.rooms.tiers import Tier
from tests.fakes import FakeClock, MemoryStore, fake_sources
from tests.tables import CLASSIC, Reader

RICHER = replace(CLASSIC, id="classic64-2", base_stake=50, entry_min=2_500)
NAMES = ("ann", "ben", "cat", "dan", "eve")


class Hall:
    """Players, rooms and the matcher."""

    def __init__(self) -> None:
        self.clock = FakeClock()
        self.store = MemoryStore(dict.fromkeys(NAMES, 10_000))
        self.rooms = Rooms(fake_sources(self.store, self.clock))
        self.matcher = Matcher(self.rooms, self.store, self.clock)

    async def enter(self, user_id: str, tier: Tier = CLASSIC) -> MatchStatus:
        return await self.matcher.enter(tier, self.store.player(user_id))

    async def pair(self, first: str = "ann", second: str = "ben") -> Room:
        """Two who are matched; their room."""
        await self.enter(first)
        status = await self.enter(second)
        assert status.status is Searching.MATCHED
        return self.room(second)

    def room(self, user_id: str) -> Room:
        room = self.rooms.find(self.rooms.room_of(user_id) or "")
        assert room is not None
        return room

    async def connect(self, user_id: str) -> Reader:
        room = self.room(user_id)
        reader = Reader(room.connection(user_id, user_id, watch=False))
        room.attach(reader.connection, None)
        await room.idle()
        await reader.read()
        return reader

    async def confirm(self, user_id: str) -> None:
        room, reader = self.room(user_id), await self.connect(user_id)
        room.ask(reader.connection, cmd.Act(f"c-{user_id}", reader.question["dp"], "ok"))
        await room.idle()

    async def pass_time(self, ms: int) -> None:
        """Let time pass, stopping at every timer of every room."""
        end = self.clock.now_ms() + ms
        while (due := self.clock.next_due_ms()) is not None and due <= end:
            self.clock.advance_to(due)
            await self.quiet()
        self.clock.advance_to(end)

    async def quiet(self) -> None:
        for user_id in NAMES:
            room = self.rooms.find(self.rooms.room_of(user_id) or "")
            if room is not None:
                await room.idle()
        await self.matcher.idle()

    def seats(self, user_id: str) -> list[str]:
        state = self.room(user_id).state
        return [state.at(seat).player.id for seat in state.taken]


@pytest.fixture
async def hall() -> AsyncIterator[Hall]:
    hall = Hall()
    yield hall
    await hall.matcher.stop()
    await hall.rooms.stop()


async def test_the_two_oldest_of_a_tier_share_a_room(hall: Hall) -> None:
    assert await hall.enter("ann") == MatchStatus(Searching.WAITING, CLASSIC.id, waited_ms=0)
    assert (await hall.enter("ben", RICHER)).status is Searching.WAITING
    hall.clock.advance_to(hall.clock.now_ms() + 4_000)
    assert hall.matcher.poll("ann").waited_ms == 4_000
    matched = await hall.enter("cat")
    assert matched == hall.matcher.poll("ann")
    assert matched == MatchStatus(Searching.MATCHED, CLASSIC.id, hall.rooms.room_of("ann"))
    assert hall.seats("ann") == ["ann", "cat"]
    assert hall.matcher.poll("ben").status is Searching.WAITING
    assert hall.matcher.poll("eve") == MatchStatus(Searching.NONE)


async def test_nobody_plays_himself(hall: Hall) -> None:
    first, second = await asyncio.gather(hall.enter("ann"), hall.enter("ann"))
    assert first == second == MatchStatus(Searching.WAITING, CLASSIC.id, waited_ms=0)
    assert hall.rooms.room_of("ann") is None


async def test_double_clicks_on_both_sides_make_one_room(hall: Hall) -> None:
    statuses = await asyncio.gather(*(hall.enter(user) for user in ("ann", "ben", "ann", "ben", "ann")))
    assert {status.room_id for status in statuses if status.status is Searching.MATCHED} == {
        hall.rooms.room_of("ann")
    }
    assert hall.seats("ben") == ["ann", "ben"]
    assert (await hall.enter("ann")).status is Searching.MATCHED
    with pytest.raises(InOtherRoom):
        await hall.enter("ann", RICHER)


async def test_four_at_once_make_two_rooms(hall: Hall) -> None:
    await asyncio.gather(*(hall.enter(user) for user in NAMES))
    assert hall.seats("ann") == ["ann", "ben"]
    assert hall.seats("cat") == ["cat", "dan"]
    assert hall.matcher.poll("eve").status is Searching.WAITING


async def test_another_tier_moves_the_entry(hall: Hall) -> None:
    await hall.enter("ann")
    assert (await hall.enter("ann", RICHER)).tier_id == RICHER.id
    assert (await hall.enter("ben")).status is Searching.WAITING
    assert (await hall.enter("cat", RICHER)).status is Searching.MATCHED


async def test_an_entry_nobody_asks_for_lapses(hall: Hall) -> None:
    await hall.enter("ann")
    hall.clock.advance_to(hall.clock.now_ms() + LIFE_MS)
    assert hall.matcher.poll("ann").status is Searching.WAITING
    hall.clock.advance_to(hall.clock.now_ms() + LIFE_MS + 1)
    assert (await hall.enter("ben")).status is Searching.WAITING
    assert hall.matcher.poll("ann") == MatchStatus(Searching.NONE)


async def test_entry_limits(hall: Hall) -> None:
    hall.store.balances[purse("ann")] = 499
    with pytest.raises(InsufficientCoins) as refused:
        await hall.enter("ann")
    assert refused.value.short == 1
    await hall.enter("ben")
    hall.store.balances[purse("ben")] = 0  # lost while he waited
    assert (await hall.enter("cat")).status is Searching.WAITING
    assert hall.matcher.poll("ben") == MatchStatus(Searching.NONE)
    assert (await hall.enter("dan")).status is Searching.MATCHED
    assert hall.seats("dan") == ["cat", "dan"]


async def test_a_waiting_entry_is_cancelled(hall: Hall) -> None:
    await hall.enter("ann")
    assert await hall.matcher.leave("ann") == MatchStatus(Searching.NONE)
    assert await hall.matcher.leave("ann") == MatchStatus(Searching.NONE)
    assert (await hall.enter("ben")).status is Searching.WAITING


async def test_cancelling_before_the_round_puts_the_partner_first(hall: Hall) -> None:
    room = await hall.pair()
    assert await hall.matcher.leave("ann") == MatchStatus(Searching.NONE)
    assert hall.rooms.room_of("ann") is None
    assert hall.matcher.poll("ben") == MatchStatus(Searching.WAITING, CLASSIC.id, room.state.id, 0)
    assert (await hall.enter("cat")).room_id == room.state.id
    assert hall.seats("cat") == ["cat", "ben"]
    assert hall.matcher.poll("ben").status is Searching.MATCHED


async def test_who_waits_already_gets_the_freed_seat(hall: Hall) -> None:
    room = await hall.pair()
    await hall.enter("cat")
    await hall.matcher.leave("ben")
    await hall.quiet()
    assert hall.matcher.poll("cat") == MatchStatus(Searching.MATCHED, CLASSIC.id, room.state.id)


async def test_cancelling_after_the_start_changes_nothing(hall: Hall) -> None:
    room = await hall.pair()
    await hall.confirm("ann")
    await hall.confirm("ben")
    assert room.state.is_playing
    for user_id in ("ann", "ben"):
        assert await hall.matcher.leave(user_id) == MatchStatus(Searching.MATCHED, CLASSIC.id, room.state.id)
    assert room.state.is_playing
    assert room.state.taken == (0, 1)


async def test_who_does_not_confirm_is_replaced(hall: Hall) -> None:
    room = await hall.pair()
    ben = await hall.connect("ben")
    await hall.confirm("ann")
    await hall.pass_time(CLASSIC.clocks.confirm_ms)
    await ben.read()
    assert ben.closed == CloseCode.REMOVED
    assert hall.matcher.poll("ben") == MatchStatus(Searching.NONE)
    assert hall.matcher.poll("ann").status is Searching.WAITING
    assert (await hall.enter("cat")).room_id == room.state.id


async def test_of_two_who_never_come_neither_keeps_a_seat(hall: Hall) -> None:
    room = await hall.pair()
    await hall.pass_time(CLASSIC.clocks.confirm_ms)
    assert room.state.is_closed
    assert (hall.rooms.room_of("ann"), hall.rooms.room_of("ben")) == (None, None)


async def test_nobody_is_brought_to_an_empty_chair(hall: Hall) -> None:
    room = await hall.pair()
    await hall.matcher.leave("ben")
    hall.clock.advance_to(hall.clock.now_ms() + LIFE_MS + 1)  # ann neither asks nor is connected
    assert (await hall.enter("cat")).status is Searching.WAITING
    await hall.connect("ann")
    await hall.quiet()
    assert hall.matcher.poll("cat").room_id == room.state.id


async def test_a_free_seat_is_the_publics_only_while_nobody_waits(hall: Hall) -> None:
    room = await hall.pair()
    assert hall.rooms.public_rooms() == []
    await hall.matcher.leave("ben")
    assert [summary.id for summary in hall.rooms.public_rooms()] == [room.state.id]
    hall.clock.advance_to(hall.clock.now_ms() + LIFE_MS + 1)
    await hall.enter("cat")
    assert hall.rooms.public_rooms() == []
    with pytest.raises(RoomFull):
        await hall.rooms.join(room.state.id, hall.store.player("dan"), None)
    await hall.matcher.leave("cat")
    assert await hall.rooms.join(room.state.id, hall.store.player("dan"), None) == 1


async def test_sitting_down_by_oneself_ends_the_entry(hall: Hall) -> None:
    await hall.enter("ann")
    await hall.rooms.open(CLASSIC, hall.store.player("ann"), private=True)
    assert hall.matcher.poll("ann") == MatchStatus(Searching.NONE)
    with pytest.raises(InOtherRoom):
        await hall.enter("ann")
    assert await hall.matcher.leave("ann") == MatchStatus(Searching.NONE)
    assert (await hall.enter("ben")).status is Searching.WAITING


async def test_a_match_that_cannot_be_written_is_tried_again(hall: Hall) -> None:
    await hall.enter("ann")
    hall.store.fail_next = StoreError("disk full")
    assert (await hall.enter("ben")).status is Searching.WAITING
    assert hall.matcher.poll("ann").status is Searching.WAITING
    await hall.quiet()
    assert hall.matcher.poll("ben").status is Searching.MATCHED


async def test_a_match_in_doubt_is_waited_for_and_tried_again(hall: Hall) -> None:
    """Nobody loses his place in the queue while it is not known whether he sits already."""
    await hall.enter("ann")
    hall.store.fail_next, hall.store.is_unreadable = StoreError("gone"), True
    assert (await hall.enter("ben")).status is Searching.WAITING
    for user_id in ("ann", "ben"):
        assert hall.matcher.poll(user_id).status is Searching.WAITING
        await hall.quiet()
    hall.store.is_unreadable = False
    await hall.pass_time(RETRY_AFTER_MS)
    hall.matcher.poll("ann")
    await hall.quiet()
    assert [hall.matcher.poll(user_id).status for user_id in ("ann", "ben")] == [Searching.MATCHED] * 2
    assert len(hall.rooms.running) == 1


async def test_who_looks_already_goes_on_looking_while_nobody_knows_whether_he_sits(hall: Hall) -> None:
    await hall.enter("ann")
    hall.store.fail_next, hall.store.is_unreadable = StoreError("gone"), True
    await hall.enter("ben")
    await hall.quiet()
    assert hall.rooms.room_of("ann") is not None
    hall.clock.advance_to(hall.clock.now_ms() + 100)
    assert await hall.enter("ann") == MatchStatus(Searching.WAITING, CLASSIC.id, waited_ms=100)
    assert (await hall.enter("ben", RICHER)).tier_id == RICHER.id
    hall.store.is_unreadable = False
    await hall.pass_time(RETRY_AFTER_MS)
    assert (await hall.enter("cat")).status is Searching.MATCHED
    assert hall.seats("ann") == ["ann", "cat"]
    assert hall.matcher.poll("ben") == MatchStatus(Searching.WAITING, RICHER.id, waited_ms=RETRY_AFTER_MS)


async def test_whoever_sits_after_all_looks_no_longer_in_whatever_tier(hall: Hall) -> None:
    await hall.enter("ann")
    hall.store.lose_next_answer = hall.store.is_unreadable = True
    await hall.enter("ben")
    await hall.enter("ann", RICHER)
    hall.store.is_unreadable = False
    await hall.pass_time(RETRY_AFTER_MS)
    assert hall.matcher.poll("ann") == MatchStatus(Searching.MATCHED, CLASSIC.id, hall.rooms.table_of("ann"))
    assert hall.seats("ann") == ["ann", "ben"]
    with pytest.raises(InOtherRoom):
        await hall.enter("ann", RICHER)


async def test_a_matched_room_is_known_again_after_a_restart(hall: Hall) -> None:
    room = await hall.pair()
    await hall.connect("ann")
    await hall.matcher.leave("ben")
    later = Matcher(hall.rooms, hall.store, hall.clock)
    assert (await later.enter(CLASSIC, hall.store.player("cat"))).room_id == room.state.id


async def test_a_refusal_at_the_table_is_not_asked_for_again_without_pause(hall: Hall) -> None:
    """The tier's limits have changed since the room was opened: the queue lets in whom the room refuses."""
    older = replace(CLASSIC, entry_max=20_000)
    await hall.enter("ann", older)
    await hall.enter("ben", older)
    await hall.connect("ann")
    await hall.matcher.leave("ben")
    hall.store.balances[purse("cat")] = 50_000
    async with asyncio.timeout(5):
        assert (await hall.enter("cat")).status is Searching.WAITING
    assert hall.rooms.room_of("cat") is None
