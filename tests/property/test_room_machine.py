"""A running room under any interleaving of its people, the clock, operators, restarts and a failing store.

Here the whole runtime is driven: sockets, inbox, commits, timers. What must hold of the state is in
:mod:`app.soak.checks`; what must hold of what players are sent is here. Source: PROTOCOL §3.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Coroutine
from random import Random
from typing import Any, TypeVar

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    initialize,
    invariant,
    multiple,
    precondition,
    rule,
)

from app.rooms import commands as cmd
from app.rooms.audience import Resume
from app.rooms.codec import room_record
from app.rooms.errors import RoomError
from app.rooms.ports import StoreError
from app.rooms.tiers import Clocks, Tier
from app.rooms.view import room_view
from app.rules.ruleset import RULESET_IDS
from app.soak.checks import check_books, check_room
from tests.tables import Reader, Table

Result = TypeVar("Result")
FLOORS = Clocks(floor_min_ms=700, floor_max_ms=1_200)
PEOPLE = ("ann", "ben", "cat")


class RoomMachine(RuleBasedStateMachine):
    """Two seats, three people who want them, and watchers."""

    sent = Bundle("sent")  # requests that were accepted once, to be sent again

    def __init__(self) -> None:
        super().__init__()
        self.loop = asyncio.new_event_loop()
        self.table: Table | None = None

    def run(self, doing: Coroutine[Any, Any, Result]) -> Result:
        return self.loop.run_until_complete(asyncio.wait_for(doing, 20))

    def teardown(self) -> None:
        if self.table is not None:
            self.run(self.table.close())
        self.loop.close()

    @initialize(
        ruleset=st.sampled_from(RULESET_IDS),
        clocks=st.sampled_from((Clocks(), FLOORS)),
        fee=st.sampled_from((0, 7)),
        seed=st.integers(0, 2**16),
        lag_ms=st.sampled_from((0, 150, 900)),
        plays=st.booleans(),
    )
    def open(self, ruleset: str, clocks: Clocks, fee: int, seed: int, lag_ms: int, plays: bool) -> None:
        tier = Tier(f"{ruleset}-1", "場", ruleset, base_stake=10, entry_min=500, table_fee=fee, clocks=clocks)

        async def opened() -> Table:
            table = Table(tier, dict.fromkeys(PEOPLE, 10_000), seed, lag_ms)
            await (table.playing() if plays else table.seated())
            return table

        self.table = self.run(opened())

    # --- people -------------------------------------------------------------------------------------------

    @property
    def house(self) -> Table:
        assert self.table is not None
        return self.table

    def connected(self) -> list[Reader]:
        return [reader for reader in self.house.readers if reader.closed is None]

    def players(self) -> list[Reader]:
        """Connected players who sit."""
        return [r for r in self.house.readers if self.house.holds(r)]

    @rule(
        target=sent,
        pick=st.integers(0, 30),
        prefers=st.sampled_from(("", "win", "discard", "double", "pung")),
    )
    def answer(self, pick: int, prefers: str) -> Any:
        asked = [r for r in self.players() if self.house.state.at(self.house.seat_of(r)).decision is not None]
        if not asked:
            return multiple()
        reader = asked[pick % len(asked)]
        question = reader.question
        liked = [option for option in question["opts"] if option["kind"] == prefers] or question["opts"]
        fields = {"dp": question["dp"], "o": liked[pick % len(liked)]["o"]}
        answer = self.run(self.house.request(reader, **fields, waits=True))
        assert answer["m"] == "ack" or answer["code"] == "internal", answer
        if answer["m"] != "ack":
            return multiple()
        return (reader.connection.user_id, answer["id"], fields, answer["seq"])

    @rule(answers=st.integers(5, 40), seed=st.integers(0, 2**16))
    def play_on(self, answers: int, seed: int) -> None:
        """A stretch of an ordinary game: whoever is asked answers, anyhow."""
        rng = Random(seed)
        for _ in range(answers):
            asked = [r for r in self.players() if self.house.decision_of(r) is not None]
            if asked:
                reader = rng.choice(asked)
                question = reader.question
                option = rng.choice(question["opts"])
                self.run(self.house.request(reader, dp=question["dp"], o=option["o"], waits=True))
            else:
                self.run(self.house.pass_time(1_000))
            self.holds()

    @rule(request=sent)
    def send_again(self, request: tuple[str, str, dict[str, Any], int]) -> None:
        """The same id gets the same answer, whatever has happened since, and changes nothing."""
        user_id, action_id, fields, seq = request
        reader = next((r for r in self.players() if r.connection.user_id == user_id), None)
        if reader is None:
            return
        before = self.house.state.seq
        answer = self.run(self.house.request(reader, id=action_id, **fields))
        assert (answer["m"], answer["dup"], answer["seq"]) == ("ack", True, seq)
        other = self.run(self.house.request(reader, id=action_id, dp=fields["dp"], o="no"))
        assert other["code"] == "id_conflict"
        assert self.house.state.seq == before

    @rule(
        pick=st.integers(0, 3), dp=st.integers(0, 40), o=st.sampled_from(("ok", "d1m", "w", "x", "nonsense"))
    )
    def send_anything(self, pick: int, dp: int, o: str) -> None:
        readers = self.connected()
        if not readers:
            return
        reader = readers[pick % len(readers)]
        decision = self.house.decision_of(reader)
        if decision is not None and decision.dp == dp and decision.offers(o):
            return
        before = room_record(self.house.state)
        answer = self.run(self.house.request(reader, dp=dp, o=o))
        assert answer["code"] in ("stale", "not_your_decision", "option_unknown", "not_seated")
        assert room_record(self.house.state) == before

    @rule(user_id=st.sampled_from(PEOPLE), resumes=st.booleans())
    def connect(self, user_id: str, resumes: bool) -> None:
        """A new socket before the old one is gone, too: the newest wins."""
        table, resume = self.house, None
        if resumes and table.state.play is not None:
            resume = Resume(table.state.play.record.id, table.state.seq)
        watch = table.state.seat_of(user_id) is None
        older = [r for r in self.players() if r.connection.user_id == user_id]
        reader = self.run(table.connect(user_id, watch=watch, resume=resume if watch is False else None))
        if watch or table.state.is_closed:
            return
        assert reader.of("welcome")[0]["seat"] == table.state.seat_of(user_id)
        for each in older:
            assert each.closed == 4409

    @rule(pick=st.integers(0, 5))
    def drop(self, pick: int) -> None:
        readers = self.connected()
        if readers:
            self.run(self.house.drop(readers[pick % len(readers)]))

    @rule(pick=st.integers(0, 1), on=st.booleans())
    def switch_auto(self, pick: int, on: bool) -> None:
        players = self.players()
        if players:
            answer = self.run(self.house.request(players[pick % len(players)], kind=cmd.SwitchAuto, on=on))
            assert answer["m"] == "ack" or answer["code"] == "internal"

    @precondition(lambda self: len(self.house.states) > 40)
    @rule(pick=st.integers(0, 1))
    def leave(self, pick: int) -> None:
        players, table = self.players(), self.house
        if not players:
            return
        reader, penalty = players[pick % len(players)], None
        if table.state.is_playing:
            told = self.run(table.request(reader, kind=cmd.Leave))
            assert told["code"] in ("leave_unconfirmed", "internal")
            penalty = told.get("penalty")
        self.run(table.request(reader, kind=cmd.Leave, force=True, penalty_seen=penalty))

    @rule(user_id=st.sampled_from(PEOPLE))
    def sit_down(self, user_id: str) -> None:
        table = self.house
        if table.state.is_closed or table.state.seat_of(user_id) is not None:
            return
        if self.run(self._tell(cmd.TakeSeat(table.store.player(user_id)))):
            self.run(table.connect(user_id))

    # --- time and the house -------------------------------------------------------------------------------

    @rule(ms=st.sampled_from((1, 300, 1_000, 5_000, 20_000, 61_000)))
    def time_passes(self, ms: int) -> None:
        self.run(self.house.pass_time(ms))

    @precondition(lambda self: len(self.house.states) > 30)
    @rule()
    def void(self) -> None:
        if not self.house.state.is_closed:
            self.run(self._tell(cmd.VoidRound("maintenance")))

    async def _tell(self, command: cmd.Command) -> bool:
        """Whether it was done, as far as can be told."""
        try:
            await self.house.room.tell(command)
        except (RoomError, StoreError):
            return False
        finally:
            await self.house.quiet()
        return True

    @rule(command=st.sampled_from((cmd.ChangeBase(20), cmd.PauseRoom("maintenance"), cmd.ResumeRoom())))
    def operate(self, command: cmd.Command) -> None:
        if not self.house.state.is_closed:
            self.run(self._tell(command))

    @rule(down_ms=st.integers(0, 30_000))
    def restart(self, down_ms: int) -> None:
        if not self.house.state.is_closed:
            self.run(self.house.restart(down_ms))

    @rule(lost=st.booleans())
    def next_commit_fails(self, lost: bool) -> None:
        """Nothing of it is written; or all of it, and only the answer is lost."""
        if lost:
            self.house.store.lose_next_answer = True
        else:
            self.house.store.fail_next = StoreError("no space left")

    # --- what must hold -----------------------------------------------------------------------------------

    @invariant()
    def holds(self) -> None:
        if self.table is None:
            return
        table, state = self.house, self.house.state
        check_room(state)
        check_books(table.store)
        for reader in table.readers:
            if reader.closed is None and reader.view is not None:
                assert reader.view == room_view(table.states[reader.seq], reader.connection.reader)
        players = self.players()
        assert Counter(r.connection.reader for r in players if r.closed is None).most_common(1)[:1] in (
            [],
            *([(seat, 1)] for seat in (0, 1)),
        )
        for reader in players:
            decision = table.decision_of(reader)
            if decision is not None and reader.closed is None:
                assert reader.question["dp"] == decision.dp
        kinds = Counter(event.kind for batch in table.store.batches for event in batch.events)
        ends = kinds["settled"] + kinds["voided"]
        assert kinds["round_started"] - ends == state.is_playing
        settled = [key for key in table.store.keys if key.startswith("settlement:")]
        assert len(settled) <= kinds["settled"]


RoomMachine.TestCase.settings = settings(max_examples=40, stateful_step_count=60, deadline=None)
TestRoomMachine = RoomMachine.TestCase
