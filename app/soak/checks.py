"""What must hold of a room after every step, whoever did what. Source: RULES §3–§11; PROTOCOL §3."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from app.client.event_types import EVENT_DATA
from app.client.view import apply_event
from app.client.view_types import RoomView
from app.economy.ledger import ISSUANCES, PRACTICE
from app.engine.events import redact
from app.engine.melds import MeldKind
from app.engine.state import SEATS, Hand, State
from app.engine.views import WATCHER
from app.rooms.model import RoomState
from app.rooms.ports import EventRecord
from app.rooms.steps import next_due_ms
from app.rooms.view import room_view
from app.rules.tiles import Tile, from_counts, full_set
from app.soak.books import Books

READERS = (0, 1, WATCHER)
MOST_EVENTS = 300  # of one round; presence and 託管 are not the round's
_OPEN_TAKEN = (MeldKind.CHOW, MeldKind.PUNG, MeldKind.EXPOSED_KONG, MeldKind.ADDED_KONG)


class Broken(AssertionError):
    """Something that must always hold does not."""


def require(holds: bool, what: str) -> None:
    """Raise :class:`Broken` unless it holds; unlike ``assert`` this is never optimised away."""
    if not holds:
        raise Broken(what)


def check_room(room: RoomState) -> None:
    """Clocks, decisions, tiles, and that the room waits for something."""
    for seat in room.taken:
        sitting = room.at(seat)
        require(0 <= sitting.reserve_ms <= room.tier.clocks.reserve_ms, f"reserve of seat {seat}")
        require(sitting.lag_quota_ms >= 0, f"lag quota of seat {seat}")
        decision = sitting.decision
        if decision is not None:
            require(decision.dp == room.dps[seat], f"seat {seat} is asked {decision.dp}")
            require(bool(decision.options), f"seat {seat} is asked and may answer nothing")
            require(decision.deadline_ms >= decision.asked_ms, f"deadline of seat {seat}")
    if room.is_playing or (len(room.taken) == len(SEATS) and room.paused is None):
        require(next_due_ms(room) is not None, "a room that waits for nothing waits for ever")
    if room.play is not None and not room.play.state.is_over and room.play.state.pile:
        check_tiles(room.play.state)


def check_tiles(state: State) -> None:
    """No tile is lost, none is there twice. Before a round is over, that is: a winning tile lies twice."""
    held = [tile for hand in state.hands for tile in _tiles_of(hand)]
    left = state.pile[state.head : state.tail]
    require(Counter([*held, *left]) == Counter(full_set(state.rules.flowers)), "tiles conserved")


def _tiles_of(hand: Hand) -> Iterable[Tile]:
    yield from from_counts(hand.counts)
    yield from hand.flowers
    yield from (tile for meld in hand.melds for tile in meld.tiles)
    yield from (discard.tile for discard in hand.discards if not discard.claimed)


def check_books(books: Books) -> None:
    """Each book sums to zero, and nobody owes anything."""
    practice = sum(held for account, held in books.balances.items() if account.startswith(PRACTICE))
    require(practice == 0, "the practice book sums to zero")
    require(sum(books.balances.values()) == 0, "the ledger sums to zero")
    owing = [account for account, held in books.balances.items() if held < 0 and account not in ISSUANCES]
    require(not owing, f"{owing} below zero")
    require(all(points >= 0 for points in books.points.values()), "points below zero")


class Readers:
    """Both seats and a watcher, each of whom folds what he is sent beside the room."""

    def __init__(self, room: RoomState) -> None:
        self._views: dict[int, dict[str, Any]] = {reader: room_view(room, reader) for reader in READERS}

    def follow(self, room: RoomState, events: Sequence[EventRecord]) -> None:
        """Numbers without a gap, data as documented, and every fold equal to a fresh view."""
        first = room.seq - len(events) + 1
        require([event.seq for event in events] == list(range(first, room.seq + 1)), "numbers")
        for reader in READERS:
            sees = (False, False) if room.play is None else room.play.state.sees[reader]
            for event in events:
                data = redact(event.kind, event.data, sees)
                msgspec.convert(dict(data), EVENT_DATA[event.kind])
                self._views[reader] = apply_event(self._views[reader], event.kind, data)
            require(self._views[reader] == room_view(room, reader), f"the view of reader {reader}")
            msgspec.convert(self._views[reader], RoomView)
