"""Whole rooms under random players, clocks and drops: what must hold after every step.

Source: RULES §8–§11; PROTOCOL §3.1, §3.12.
"""

from __future__ import annotations

import itertools
from dataclasses import replace
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.client.event_types import EVENT_DATA
from app.client.view import apply_event
from app.client.view_types import RoomView
from app.economy.ledger import ISSUANCE
from app.engine.events import redact
from app.engine.state import SEATS
from app.engine.views import WATCHER
from app.rooms import commands as cmd
from app.rooms.codec import room_record
from app.rooms.model import RoomState
from app.rooms.ports import BalanceMoved, EventRecord, Player
from app.rooms.recovery import restore
from app.rooms.steps import NotYet, Refusal, next_due_ms, take
from app.rooms.tiers import Clocks, Tier
from app.rooms.transition import PlayersNeeded, Transition, World
from app.rooms.view import room_view
from app.rules.ruleset import RULESET_IDS
from tests.fakes import START_MS, MemoryStore

READERS = (0, 1, WATCHER)
PLAYERS = ("ann", "ben", "cat")


class RandomRoom:
    """A room driven without a runtime; every reader folds his own view beside it."""

    def __init__(self, tier: Tier, rng: Random) -> None:
        self.rng = rng
        self.now_ms = START_MS
        self.store = MemoryStore(dict.fromkeys(PLAYERS, 10_000))
        self.room = RoomState("room", tier, tier.base_stake, private=False, invite=None)
        self.views: dict[int, dict[str, Any]] = {reader: room_view(self.room, reader) for reader in READERS}
        self._ids = itertools.count(1)
        self.kinds: list[str] = []

    def players(self) -> dict[str, Player]:
        return {user_id: self.store.player(user_id) for user_id in PLAYERS}

    async def do(self, command: cmd.Command) -> Transition:
        players = None
        while True:
            world = World(self.now_ms, lambda: f"id-{next(self._ids)}", self.rng.randbytes, players)
            try:
                step = take(self.room, command, world)
                if step.is_durable:
                    await self.store.commit(step.batch())
                break
            except PlayersNeeded:
                players = self.players()
            except BalanceMoved:
                players = None
            except NotYet as not_yet:
                self.now_ms = not_yet.at_ms
        assert step.is_durable or step.room == self.room
        self.room = step.room
        self.check(step.events)
        return step

    def check(self, events: list[EventRecord]) -> None:
        """Coins conserved, numbers gapless, every fold equal to a fresh view."""
        room = self.room
        self.kinds += [event.kind for event in events]
        assert [event.seq for event in events] == list(range(room.seq - len(events) + 1, room.seq + 1))
        assert sum(self.store.balances.values()) == 0
        assert all(held >= 0 for account, held in self.store.balances.items() if account != ISSUANCE)
        for seat in room.taken:
            sitting = room.at(seat)
            assert 0 <= sitting.reserve_ms <= room.tier.clocks.reserve_ms
            assert sitting.decision is None or sitting.decision.dp == room.dps[seat]
        if room.is_playing or len(room.taken) == len(SEATS):
            assert next_due_ms(room) is not None, "a room that waits for nothing waits for ever"
        for reader in READERS:
            sees = (False, False) if room.play is None else room.play.state.sees[reader]
            for event in events:
                data = redact(event.kind, event.data, sees)
                msgspec.convert(dict(data), EVENT_DATA[event.kind])
                self.views[reader] = apply_event(self.views[reader], event.kind, data)
            assert self.views[reader] == room_view(room, reader)
            msgspec.convert(self.views[reader], RoomView)

    async def check_stored(self) -> None:
        """What is stored leads back to just this room."""
        stored = await self.store.load_room(self.room.id)
        assert self.room.is_closed == (stored is None)
        if stored is not None:
            assert room_record(restore(stored, self.players())) == room_record(self.room)

    async def seat_free_players(self) -> None:
        """Whoever may still pay sits down in a free seat."""
        for user_id, player in self.players().items():
            if len(self.room.taken) == len(SEATS) or self.room.is_closed:
                return
            if self.room.seat_of(user_id) is None and player.coins >= self.room.tier.entry_min:
                await self.do(cmd.TakeSeat(player))

    async def random_step(self) -> None:
        room, rng = self.room, self.rng
        asked = [seat for seat in room.taken if room.at(seat).decision is not None]
        chance = rng.random()
        if chance < 0.01 and room.taken:
            await self.leave(rng.choice(room.taken))
        elif chance < 0.05 and room.taken:
            seat = rng.choice(room.taken)
            await self.do(cmd.GoOffline(seat) if room.at(seat).is_online else cmd.GoOnline(seat))
        elif chance < 0.06 and room.taken:
            await self.do(
                cmd.Asked(
                    rng.choice(room.taken), cmd.SwitchAuto(f"auto-{next(self._ids)}", rng.random() < 0.5)
                )
            )
        elif chance < 0.063:
            await self.do(cmd.VoidRound("maintenance"))
        elif asked and chance < 0.93:
            await self.answer(rng.choice(asked))
        else:
            await self.let_time_pass()

    async def answer(self, seat: int) -> None:
        decision = self.room.at(seat).decision
        assert decision is not None
        self.now_ms += self.rng.randrange(2_000)
        option = self.rng.choice(decision.options)
        await self.do(cmd.Asked(seat, cmd.Act(f"act-{next(self._ids)}", decision.dp, option.o)))

    async def leave(self, seat: int) -> None:
        leave = cmd.Leave(f"leave-{next(self._ids)}")
        if not self.room.is_playing:
            await self.do(cmd.Asked(seat, leave))
            return
        with pytest.raises(Refusal, match="leave_unconfirmed") as refused:
            await self.do(cmd.Asked(seat, leave))
        penalty = refused.value.penalty
        assert penalty is not None
        player = self.room.at(seat).player
        await self.do(cmd.Asked(seat, replace(leave, force=True, penalty_seen=penalty)))
        assert self.store.player(player.id).coins == player.coins - penalty

    async def let_time_pass(self) -> None:
        due = next_due_ms(self.room)
        if due is not None:
            self.now_ms = max(self.now_ms, due)
            await self.do(cmd.Tick())


def tier_of(ruleset: str, fee: int, floors: bool = False) -> Tier:
    clocks = Clocks(floor_min_ms=700, floor_max_ms=1_200) if floors else Clocks()
    return Tier(f"{ruleset}-1", "雀仔場", ruleset, base_stake=10, entry_min=500, table_fee=fee, clocks=clocks)


@settings(max_examples=16)
@given(st.sampled_from(RULESET_IDS), st.sampled_from((0, 7)), st.booleans(), st.integers(0, 2**32))
async def test_a_room_survives_anything(ruleset: str, fee: int, floors: bool, seed: int) -> None:
    table = RandomRoom(tier_of(ruleset, fee, floors), Random(seed))
    for number in range(250):
        await table.seat_free_players()
        if table.room.is_closed or not table.room.taken:
            break
        await table.random_step()
        if number % 7 == 0:
            await table.check_stored()


@settings(max_examples=12)
@given(st.sampled_from(RULESET_IDS), st.booleans(), st.integers(0, 2**32))
async def test_a_round_left_to_the_clock_ends_by_itself(ruleset: str, floors: bool, seed: int) -> None:
    table = RandomRoom(tier_of(ruleset, 0, floors), Random(seed))
    await table.seat_free_players()
    for seat in SEATS:
        decision = table.room.at(seat).decision
        assert decision is not None
        await table.do(cmd.Asked(seat, cmd.Act(f"confirm-{seat}", decision.dp, "ok")))
    for _ in range(300):
        if not table.room.is_playing:
            break
        await table.let_time_pass()
    assert "settled" in table.kinds
    assert not table.room.is_playing
