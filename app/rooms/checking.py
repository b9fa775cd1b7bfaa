"""A finished round checked from its public record alone. Source: PROTOCOL §4; RULES §3–§11.

The shuffle is dealt again from its secrets, every action is played again, and what the record says came of it
is compared with what must. Given and not checked: names, times, and the coins and points both began with.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from app.engine import shuffle as fair
from app.engine.events import Event
from app.engine.record import Record, UnreadableRecord, replay_steps
from app.engine.state import SEATS, RoundOptions, State
from app.rooms.model import RoundPlay
from app.rooms.ports import Player, RoundRecord
from app.rooms.recovery import record_of
from app.rooms.settling import CLOSING, judge, revealed_data, settled_data
from app.rules.ruleset import load_ruleset
from app.rules.tiles import EAST, TileError, parse_tile

Actions = Sequence[tuple[int, str]]
BASIS_POINTS = 10_000


class RecordFault(Exception):
    """The first thing that does not hold: which check, and at what place of the record."""

    def __init__(self, check: str, where: str, message: str) -> None:
        super().__init__(f"{check}: {where}: {message}")
        self.check = check
        self.where = where
        self.message = message


def check_round(record: RoundRecord, actions: Actions, rake_bp: int) -> State:
    """The state the round ended in.

    Raises:
        RecordFault: something in the record does not follow from the rest.
    """
    _check_head(record, rake_bp)
    _check_shuffle(record)
    state, events = _replay(record, actions)
    result = record.result or {}
    expected = _closing(events)
    players = _players(record, result)
    verdict_of = RoundPlay(record=record, state=state)
    verdict = judge(verdict_of, players, rake_bp)
    expected["settled"] = settled_data(verdict_of, verdict, players)
    expected["revealed"] = revealed_data(record, state)
    _compare("result", expected, dict(result))
    return state


def _check_head(record: RoundRecord, rake_bp: int) -> None:
    try:
        own = RoundOptions.of(load_ruleset(record.ruleset))
    except LookupError:
        raise RecordFault("head", "ruleset", "no such rule set") from None
    options = record.options
    if set(options) - {"pauses"} != {"open_hand", "double", "min_fan", "prevalent"}:
        raise RecordFault("head", "options", "open_hand, double, min_fan and prevalent are needed")
    for name, offered in (("open_hand", own.open_hand), ("double", own.double)):
        if type(options[name]) is not bool or (options[name] and not offered):
            raise RecordFault("head", f"options.{name}", "the rule set has no such offer")
    if type(options.get("pauses", False)) is not bool:
        raise RecordFault("head", "options.pauses", "true or false")
    if type(options["min_fan"]) is not int or options["min_fan"] < 0:
        raise RecordFault("head", "options.min_fan", "a number from 0 on")
    if record.number < 1:
        raise RecordFault("head", "number", "rounds count from 1")
    if record.base_stake < 1:
        raise RecordFault("head", "base", "at least 1")
    if not 0 <= rake_bp <= BASIS_POINTS:
        raise RecordFault("head", "rake_bp", f"0 to {BASIS_POINTS}")


def _check_shuffle(record: RoundRecord) -> None:
    """The commitment is that of the secrets, and the version is one we can deal again."""
    if record.shuffle != fair.SHUFFLE_VERSION:
        raise RecordFault("shuffle", "proof.shuffle", f"only {fair.SHUFFLE_VERSION} can be checked")
    secret, nonce = (_bytes(name, getattr(record, name)) for name in ("secret", "nonce"))
    for seat, entropy in enumerate(record.entropy or ("", "")):
        _bytes(f"entropy[{seat}]", entropy)
    if fair.commitment(secret, nonce, record.id) != record.commitment:
        raise RecordFault("commitment", "proof.commitment", "not that of secret, nonce and round id")


def _bytes(name: str, text: str) -> bytes:
    try:
        value = bytes.fromhex(text)
    except ValueError:
        value = b""
    if len(value) != fair.SECRET_BYTES or value.hex() != text:
        raise RecordFault("shuffle", f"proof.{name}", f"{fair.SECRET_BYTES} bytes in lower-case hex")
    return value


def _replay(record: RoundRecord, actions: Actions) -> tuple[State, list[Event]]:
    """Play it all again; in the first round of a match dealer and wind follow as well."""
    try:
        prevalent = parse_tile(record.options["prevalent"])
    except TileError:
        raise RecordFault("head", "options.prevalent", "no such tile") from None
    if record.number == 1 and prevalent != EAST:
        raise RecordFault("dealer", "options.prevalent", "a match begins with 東")
    played = record_of(record, tuple(actions))
    if record.number == 1:
        played = replace(played, dealer=None)
    events: list[Event] = []
    state = None
    for number, step in enumerate(_steps(played)):
        state = step[0]
        events += step[1]
        if number == 0 and state.dealer != record.dealer:
            raise RecordFault("dealer", "dealer", f"the shuffle draws seat {state.dealer}")
    assert state is not None  # the first step is the deal
    if not state.is_over:
        raise RecordFault("replay", "actions", "the round has not ended")
    return state, events


def _steps(played: Record) -> Any:
    if played.dealer not in (None, *SEATS):
        raise RecordFault("dealer", "dealer", "no such seat")
    try:
        yield from replay_steps(played)
    except UnreadableRecord as fault:
        raise RecordFault("replay", "actions", str(fault)) from fault


def _closing(events: Sequence[Event]) -> dict[str, Any]:
    return {event.kind: event.data() or True for event in events if event.kind in CLOSING}


def _players(record: RoundRecord, result: Mapping[str, Any]) -> tuple[Player, Player]:
    """Both as the record says they came to the settlement."""
    coins, points = (_before(result, name) for name in ("coins", "points"))
    first, second = record.players
    return Player(first, "", coins[0], points[0]), Player(second, "", coins[1], points[1])


def _before(result: Mapping[str, Any], name: str) -> tuple[int, int]:
    try:
        first, second = result["settled"][name]["before"]
    except (LookupError, TypeError, ValueError):
        first = second = None
    if type(first) is not int or type(second) is not int or first < 0 or second < 0:
        raise RecordFault("result", f"result.settled.{name}.before", "two numbers from 0 on")
    return first, second


def _compare(where: str, expected: Any, given: Any) -> None:
    """The first place where the two differ.

    Raises:
        RecordFault: there is one.
    """
    if isinstance(expected, Mapping) and isinstance(given, Mapping):
        for key in [*expected, *(key for key in given if key not in expected)]:
            _compare(f"{where}.{key}", expected.get(key), given.get(key))
    elif isinstance(expected, list | tuple) and isinstance(given, list) and len(expected) == len(given):
        for index, (one, other) in enumerate(zip(expected, given, strict=True)):
            _compare(f"{where}[{index}]", one, other)
    elif type(expected) is not type(given) or expected != given:
        raise RecordFault("result", where, f"is {_shown(given)}, but follows as {_shown(expected)}")


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 80 else f"{text[:77]}…"
