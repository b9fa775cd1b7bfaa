"""One room driven without sockets or a clock of its own: whoever may do something does it at random."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from random import Random

from app.engine.state import SEATS, Seat
from app.rooms import commands as cmd
from app.rooms.codec import room_record
from app.rooms.errors import InsufficientCoins, RoomPaused
from app.rooms.model import RoomState
from app.rooms.ports import BalanceMoved, EventRecord, Player
from app.rooms.recovery import restore
from app.rooms.steps import NotYet, Refusal, next_due_ms, postponement, take
from app.rooms.tiers import Tier
from app.rooms.transition import PlayersNeeded, Transition, World
from app.soak.books import Books
from app.soak.checks import MOST_EVENTS, Broken, Readers, check_books, check_room, require

START_MS = 1_764_450_000_000
PLAYERS = ("ann", "ben", "cat")
COINS = 10_000
_NOT_OF_THE_ROUND = frozenset({"online", "offline", "auto_play", "seat_left", "room_closed"})


class Crowd:
    """A room, its storage and its people. ``kinds`` counts the events so far.

    With ``follows_views`` three readers fold every event and are compared with fresh views, which is the
    dearest check.
    """

    def __init__(
        self, tier: Tier, rng: Random, *, practice: bool = False, follows_views: bool = True
    ) -> None:
        self.rng = rng
        self.now_ms = START_MS
        self.books = Books(dict.fromkeys(PLAYERS, COINS))
        self.room = RoomState("room", tier, tier.base_stake, private=False, invite=None, practice=practice)
        self.kinds: Counter[str] = Counter()
        self.restarts = 0
        self.longest_round = 0
        self._readers = Readers(self.room) if follows_views else None
        self._ids = itertools.count(1)
        self._events_of_round = 0

    # --- one command --------------------------------------------------------------------------------------

    async def do(self, command: cmd.Command) -> Transition:
        """Carry a command out, as a running room would, and check what has come of it.

        Raises:
            Refusal, RoomError: it is refused; nothing has changed.
            Broken: something does not hold.
        """
        players: Mapping[str, Player] | None = None
        while True:
            lags_ms = (self.rng.randrange(500), self.rng.randrange(500))
            world = World(self.now_ms, self._new_id, self.rng.randbytes, players, lags_ms)
            try:
                step = take(self.room, command, world)
                if step.is_durable:
                    await self.books.commit(step.batch())
                break
            except PlayersNeeded as need:
                players = await self.books.players(need.user_ids)
            except BalanceMoved:
                players = await self.books.players(step.concerned)
            except NotYet as not_yet:
                self.now_ms = not_yet.at_ms
        require(step.is_durable or step.room == self.room, "a step that is not stored changes nothing")
        self.room = step.room
        self._check(step.events)
        return step

    def _new_id(self) -> str:
        return f"id-{next(self._ids)}"

    def _check(self, events: list[EventRecord]) -> None:
        for event in events:
            self.kinds[event.kind] += 1
            self._events_of_round = 0 if event.kind == "round_started" else self._events_of_round
            self._events_of_round += event.kind not in _NOT_OF_THE_ROUND
        if self.room.is_playing:
            self.longest_round = max(self.longest_round, self._events_of_round)
            require(self._events_of_round <= MOST_EVENTS, "a round ends")
        check_room(self.room)
        check_books(self.books)
        if self._readers is not None:
            self._readers.follow(self.room, events)

    # --- what people do -----------------------------------------------------------------------------------

    async def gather(self) -> None:
        """Whoever may still pay sits down in a free seat; in a practice room across from the computer."""
        for user_id in PLAYERS:
            if len(self.room.taken) == len(SEATS) or self.room.is_closed:
                return
            player = self.books.player(user_id)
            if self.room.practice:
                await self.do(cmd.Practise(player))
            elif self.room.seat_of(user_id) is None:
                with suppress(InsufficientCoins, RoomPaused):
                    await self.do(cmd.TakeSeat(player))

    async def act_at_random(self) -> None:
        """One thing that somebody, or time, or the server does now."""
        people, chance = self.room.people, self.rng.random()
        asked = [seat for seat in people if self.room.at(seat).decision is not None]
        if chance < 0.004 and people:
            await self.leave(self.rng.choice(people))
        elif chance < 0.04 and people:
            await self._come_or_go(self.rng.choice(people))
        elif chance < 0.05 and people:
            switch = cmd.SwitchAuto(self._new_id(), self.rng.random() < 0.5)
            await self.do(cmd.Asked(self.rng.choice(people), switch))
        elif chance < 0.052:
            await self.do(cmd.VoidRound("maintenance"))
        elif chance < 0.056:
            await self.restart()
        elif chance < 0.06:
            await self.do(self._operator_act())
        elif asked and chance < 0.95:
            await self.answer(self.rng.choice(asked))
        else:
            await self.let_time_pass()

    async def answer(self, seat: Seat, choose: Callable[[Random], float] = Random.random) -> None:
        decision = self.room.at(seat).decision
        require(decision is not None, "an answer needs a question")
        assert decision is not None
        self.now_ms += self.rng.randrange(2_000)
        option = decision.options[int(choose(self.rng) * len(decision.options))]
        await self.do(cmd.Asked(seat, cmd.Act(self._new_id(), decision.dp, option.o)))

    async def leave(self, seat: Seat) -> None:
        """Leave; in a round what it costs is asked first, and is what it then costs."""
        leave = cmd.Leave(self._new_id())
        if not self.room.is_playing:
            await self.do(cmd.Asked(seat, leave))
            return
        player, book = self.room.at(seat).player, self.room.book
        held = self.books.balances[book.purse(player.id)]
        penalty = await self._penalty_told(seat, leave)
        await self.do(cmd.Asked(seat, replace(leave, force=True, penalty_seen=penalty)))
        require(self.books.balances[book.purse(player.id)] == held - penalty, "the penalty is paid")

    async def _penalty_told(self, seat: Seat, leave: cmd.Leave) -> int:
        try:
            await self.do(cmd.Asked(seat, leave))
        except Refusal as refusal:
            if refusal.penalty is not None:
                return refusal.penalty
        raise Broken("nobody leaves a round without being told what it costs")

    def _operator_act(self) -> cmd.Command:
        """A base that leaves most purses at the table; a pause, which is seldom long."""
        if self.room.paused is not None or self.rng.random() < 0.3:
            return cmd.ResumeRoom()
        if self.rng.random() < 0.3:
            return cmd.PauseRoom("maintenance")
        return cmd.ChangeBase(self.rng.choice((5, 10, 20)))

    async def _come_or_go(self, seat: Seat) -> None:
        is_online = self.room.at(seat).is_online
        await self.do(cmd.GoOffline(seat) if is_online else cmd.GoOnline(seat))

    async def let_time_pass(self) -> None:
        """To the next thing that happens by itself. A paused room may wait for its operator alone."""
        due = next_due_ms(self.room)
        if due is None and self.room.paused is not None:
            await self.do(cmd.ResumeRoom())
            return
        if due is not None:
            self.now_ms = max(self.now_ms, due)
            await self.do(cmd.Tick())

    # --- what the server does -----------------------------------------------------------------------------

    async def restart(self) -> None:
        """The server stops and comes back: the room is what was committed, with nobody connected."""
        stored = await self.books.load_room(self.room.id)
        if stored is None:
            return
        players = await self.books.players([user_id for user_id in stored.room.seats if user_id])
        is_same = room_record(restore(stored, players)) == room_record(self.room)
        require(is_same, "a room is rebuilt as it was")
        left_ms = (next_due_ms(self.room) or self.now_ms) - self.now_ms
        self.now_ms += self.rng.randrange(60_000)
        later_ms = postponement(self.room, stored.updated_ms, self.now_ms)
        due_ms = next_due_ms(self.room.postponed(later_ms)) or self.now_ms + left_ms
        require(due_ms - self.now_ms >= left_ms, "nobody pays for the downtime")
        self.restarts += 1
        online = [seat for seat in self.room.people if self.room.at(seat).is_online]
        await self.do(cmd.Reopen(stored.updated_ms))
        for seat in online:
            await self.do(cmd.GoOnline(seat))
