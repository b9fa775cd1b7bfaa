"""A round as it is kept: rules, seed and actions; everything else follows. Source: STYLE, record."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from app.engine.actions import parse_action
from app.engine.events import Event
from app.engine.round import apply, start_round
from app.engine.state import RoundOptions, Seat, State
from app.rules.ruleset import UnknownRuleSet, load_version
from app.rules.tiles import EAST, Tile

RECORD_VERSION = 1


class UnreadableRecord(ValueError):
    """A record this code cannot replay: another version, or not what the engine would have allowed."""


@dataclass(frozen=True, slots=True)
class Record:
    """``dealer`` None means the one the shuffle draws; ``actions`` are (seat, code) in the order played."""

    ruleset: str
    ruleset_version: int
    seed: bytes
    dealer: Seat | None
    prevalent: Tile = EAST
    options: RoundOptions | None = None
    actions: tuple[tuple[Seat, str], ...] = ()
    version: int = RECORD_VERSION


def replay_steps(record: Record) -> Iterator[tuple[State, tuple[Event, ...]]]:
    """Every state of the record with the events that led to it, the starting one first.

    Raises:
        UnreadableRecord: at the first thing that does not fit.
    """
    if record.version != RECORD_VERSION:
        raise UnreadableRecord(f"record {record.version}")
    try:
        rules = load_version(record.ruleset, record.ruleset_version)
    except UnknownRuleSet as fault:
        raise UnreadableRecord(f"{record.ruleset} {record.ruleset_version}") from fault
    state, events = start_round(
        rules, record.seed, record.dealer, prevalent=record.prevalent, options=record.options
    )
    yield state, events
    for number, (seat, code) in enumerate(record.actions):
        try:
            state, events = apply(state, seat, parse_action(code))
        except ValueError as fault:
            raise UnreadableRecord(f"action {number}: {fault}") from fault
        yield state, events


def replay(record: Record) -> State:
    """The state a record leads to: same record, same state.

    Raises:
        UnreadableRecord: the record does not fit the engine.
    """
    *_, (state, _events) = replay_steps(record)
    return state
