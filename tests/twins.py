"""The same game twice, with other tiles where one player cannot look.

The *observer* plays by a script that knows nothing but his frames; the opponent plays at random the first
time, and the second time does, at the same moments, what he did before, on hidden tiles that were exchanged.
Whatever the observer or a watcher is sent, and when, must then be the same. Source: PROTOCOL §3.1, §3.6.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

from app.engine import shuffle as fair
from app.engine.opening import DEALER_PLACES, OTHER_PLACES
from app.engine.state import Seat
from app.rooms import commands as cmd
from app.rooms.audience import Resume
from app.rooms.connection import Connection
from app.rooms.model import Decision, Question
from app.rooms.ports import EventRecord
from app.rooms.tiers import Clocks, Tier
from app.rules.tiles import Tile, is_flower, parse_tile
from tests.tables import Reader, Table

FLOORS = Clocks(floor_min_ms=700, floor_max_ms=1_200)
CLOSING = ("won", "exhausted", "forfeited", "voided")
NAMES = ("ann", "ben")
WATCHER = "wei"

Wall = tuple[Tile, ...]
Heard = tuple[int, str, dict[str, Any]]  # when, who, what
Key = tuple[int, str]  # the number of the last event when it was asked, and the question


class Walls:
    """Stands in for the shuffle: by seed, another wall under the same commitment."""

    def __init__(self) -> None:
        self.replaced: dict[bytes, Wall] = {}
        self.seeds: list[bytes] = []

    def __call__(self, seed: bytes, tiles: tuple[Tile, ...]) -> fair.Shuffle:
        natural = _SHUFFLE(seed, tiles)
        self.seeds.append(seed)
        return replace(natural, wall=self.replaced.get(seed, natural.wall))


_SHUFFLE = fair.shuffle


@dataclass
class Script:
    """What the opponent did: after how many ms, and which option."""

    answers: dict[Key, tuple[int, str]] = field(default_factory=dict)


class Duel(Table):
    """One game. ``opponent`` None plays at random and writes ``script``; else that script is played again."""

    def __init__(self, ruleset: str, seed: int, observer: Seat, opponent: Script | None = None) -> None:
        tier = Tier(f"{ruleset}-1", "場", ruleset, base_stake=10, entry_min=500, clocks=FLOORS)
        self.heard: list[Heard] = []
        self.observer = observer
        self.script = opponent or Script()
        self._is_repeat = opponent is not None
        self._mine, self._his = Random(f"{seed} observer"), Random(f"{seed} opponent")
        self._extras = Random(f"{seed} extras")
        self._due: dict[Seat, tuple[int, int, str]] = {}  # by seat: when, decision, option
        self._answered = [0, 0]  # by seat: the last decision that was answered, the answer may be held back
        super().__init__(tier, dict.fromkeys(NAMES, 1_000_000), seed)

    def reader(self, connection: Connection) -> Reader:
        def hears(frame: dict[str, Any]) -> None:
            if connection.user_id in (NAMES[self.observer], WATCHER):
                self.heard.append((self.clock.now_ms(), connection.user_id, frame))

        return Reader(connection, hears, folds=False)

    async def play(self, rounds: int, until_ms: int | None = None) -> None:
        """Until so many rounds are over, or it is ``until_ms``."""
        await self.seated()
        await self.connect(WATCHER, watch=True)
        extra_ms = self.clock.now_ms() + self._extras.randrange(15_000)
        ended = 0
        while ended < rounds:
            self._plan()
            times = [at_ms for at_ms, _, _ in self._due.values()]
            next_ms = min([extra_ms, *times, *([due] if (due := self.clock.next_due_ms()) else [])])
            if until_ms is not None and next_ms > until_ms:
                return
            await self.pass_time(next_ms - self.clock.now_ms())
            for seat, (at_ms, dp, o) in list(self._due.items()):
                if at_ms <= next_ms:
                    del self._due[seat]
                    await self._answer(seat, dp, o)
            if extra_ms <= next_ms:
                await self._something_else()
                extra_ms = next_ms + self._extras.randrange(400, 25_000)
            play = self.state.play
            ended = 0 if play is None else play.record.number - (not play.state.is_over)

    # --- answers ------------------------------------------------------------------------------------------

    def _plan(self) -> None:
        """Whoever is asked something new makes up his mind what to answer, and when."""
        for seat in (self.observer, 1 - self.observer):
            decision = self.state.at(seat).decision
            planned = self._due.get(seat)
            if planned is not None and (decision is None or decision.dp != planned[1]):
                del self._due[seat]
            if decision is not None and seat not in self._due and decision.dp > self._answered[seat]:
                delay, o = self._choice(seat, decision)
                self._due[seat] = (max(decision.asked_ms + delay, self.clock.now_ms()), decision.dp, o)

    def _choice(self, seat: Seat, decision: Decision) -> tuple[int, str]:
        options = [option.o for option in decision.options]
        if seat == self.observer:
            return self._mine.randrange(50, 2_500), self._mine.choice(options)
        key = (self.state.seq, decision.question.value)
        if self._is_repeat and key in self.script.answers:
            return self.script.answers[key]
        # what follows a discard is answered within the floor, and what is asked only this time is declined
        delay = self._his.randrange(50, 690 if decision.question is Question.CLAIM else 2_500)
        o = "x" if self._is_repeat else self._closed(options)
        self.script.answers.setdefault(key, (delay, o))
        return delay, o

    def _closed(self, options: list[str]) -> str:
        """Anything, but seldom what shows the hand or binds it: there would be little left to exchange."""
        shy = [o for o in options if o != "oh" and o[0] != "r"]
        return self._his.choice(shy if shy and self._his.random() < 0.95 else options)

    async def _answer(self, seat: Seat, dp: int, o: str) -> None:
        decision = self.state.at(seat).decision
        if decision is None or decision.dp != dp:
            return
        reader = self._reader_of(NAMES[seat])
        if reader is not None:
            entropy = f"{seat + 1:064x}" if decision.question is Question.CONFIRM else None
            self._answered[seat] = dp
            self.room.ask(reader.connection, cmd.Act(f"{NAMES[seat]}-{dp}", dp, o, entropy))
            await self.quiet()

    def _reader_of(self, user_id: str) -> Reader | None:
        return next((r for r in self.readers if r.connection.user_id == user_id and r.closed is None), None)

    # --- whatever else the observer may do to learn something ----------------------------------------------

    async def _something_else(self) -> None:
        name = NAMES[self.observer]
        mine = self._reader_of(name)
        what = self._extras.choice(("sync", "return", "auto", "leave", "stale", "watch"))
        action_id = f"{what}-{self.clock.now_ms()}"
        if mine is None or what == "return":
            if mine is not None:
                await self.drop(mine)
            self._answered[self.observer] = 0  # what was held back is lost with its connection
            play = self.state.play
            seq = max((h[2]["seq"] for h in self.heard if h[1] == name and "seq" in h[2]), default=0)
            resume = Resume(play.record.id, seq) if play is not None else None
            await self.connect(name, resume=resume)
        elif what == "sync":
            self.room.sync(mine.connection)
        elif what == "auto":
            self.room.ask(mine.connection, cmd.SwitchAuto(action_id, self._extras.random() < 0.3))
        elif what == "leave" and self.state.is_playing:
            self.room.ask(mine.connection, cmd.Leave(action_id))
        elif what == "stale":
            self.room.ask(mine.connection, cmd.Act(action_id, self._extras.randrange(1, 9), "w"))
        elif what == "watch":
            watcher = self._reader_of(WATCHER)
            if watcher is not None:
                await self.drop(watcher)
            await self.connect(WATCHER, watch=True)
        await self.quiet()


# --- what the observer cannot know -------------------------------------------------------------------------


@dataclass(frozen=True)
class Hidden:
    """Places of the wall whose tiles the observer has not seen: in the opponent's hand, and not yet drawn."""

    held: tuple[int, ...]
    undrawn: tuple[int, ...]


def hidden_places(events: Sequence[EventRecord], wall: Wall, observer: Seat) -> Hidden:
    """From a round's full log up to its end; a hand that was opened, or declared ready, counts as seen."""
    opponent = 1 - observer
    dealer = next(event.data["dealer"] for event in events if event.kind == "round_started")
    order = _pile_places(len(wall))
    held = list(DEALER_PLACES if dealer == opponent else OTHER_PLACES)
    head, tail, is_open = 0, len(order), False
    for event in events:
        data, own = event.data, event.data.get("seat") == opponent
        if event.kind == "offer_closed" and data["offer"] == "open_hand":
            is_open = opponent in data["seats"]
        elif event.kind == "ready_declared" and own:
            is_open = True
        elif event.kind == "flower":
            if own:
                _lay(held, wall, [data["tile"]])
            if data["replacement"] is not None:
                tail -= 1
                held += [order[tail]] if own else []
        elif event.kind == "drawn":
            place = order[tail - 1] if data["replacement"] else order[head]
            head, tail = (head, tail - 1) if data["replacement"] else (head + 1, tail)
            held += [place] if own else []
        elif own:
            _lay(held, wall, list(_shown(event)), from_draw=data.get("from_draw", False))
    return Hidden(() if is_open else tuple(held), tuple(order[head:tail]))


def _pile_places(size: int) -> list[int]:
    dealt = {*DEALER_PLACES, *OTHER_PLACES}
    return [place for place in range(size) if place not in dealt]


def _shown(event: EventRecord) -> Iterator[str]:
    """Tiles that leave the concealed hand with this event; a concealed kong's stay where they are, too."""
    data: Mapping[str, Any] = event.data
    if event.kind == "discarded":
        yield data["tile"]
    elif event.kind == "chow":
        tiles = list(data["tiles"])
        tiles.remove(data["tile"])
        yield from tiles
    elif event.kind == "pung":
        yield from [data["tile"]] * 2
    elif event.kind == "kong":
        yield from [data["tile"]] * {"exposed": 3, "concealed": 4, "added": 1}[data["how"]]


def _lay(held: list[int], wall: Wall, tiles: Sequence[str], *, from_draw: bool = False) -> None:
    for name in tiles:
        tile = parse_tile(name)
        places = [place for place in held if wall[place] == tile]
        held.remove(places[-1] if from_draw else places[0])


def exchanged(wall: Wall, hidden: Hidden, rng: Random) -> Wall:
    """The hidden tiles in another order. A flower stays undrawn: drawn, it would have been laid open."""
    places = [place for place in (*hidden.held, *hidden.undrawn) if not is_flower(wall[place])]
    tiles = [wall[place] for place in places]
    rng.shuffle(tiles)
    after = list(wall)
    for place, tile in zip(places, tiles, strict=True):
        after[place] = tile
    return tuple(after)
