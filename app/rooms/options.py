"""From the engine's legal actions to the questions a seat is asked. Source: PROTOCOL §3.2, RULES §12."""

from __future__ import annotations

from functools import cache
from typing import Any

from app.engine import actions as act
from app.engine import legal_actions
from app.engine.actions import Action, ActionKind
from app.engine.events import KONG_HOW, fan_data, names
from app.engine.hints import ready_hints
from app.engine.legal import is_forced
from app.engine.melds import Meld, MeldKind
from app.engine.state import Phase, Seat, State
from app.engine.wins import score_win
from app.rooms.model import Option, Question
from app.rooms.tiers import Clocks
from app.rules.tiles import TILE_NAMES, Tile

_NAMES = {
    ActionKind.OPEN_HAND: "open_hand",
    ActionKind.KEEP_CLOSED: "keep_closed",
    ActionKind.DOUBLE: "double",
    ActionKind.NO_DOUBLE: "no_double",
    ActionKind.READY: "ready",
    ActionKind.DISCARD: "discard",
    ActionKind.DISCARD_READY: "discard_ready",
    ActionKind.CHOW: "chow",
    ActionKind.PUNG: "pung",
    ActionKind.EXPOSED_KONG: "kong",
    ActionKind.CONCEALED_KONG: "kong",
    ActionKind.ADDED_KONG: "kong",
    ActionKind.WIN: "win",
    ActionKind.PASS: "pass",
}
_KONG_MELDS = {
    ActionKind.EXPOSED_KONG: MeldKind.EXPOSED_KONG,
    ActionKind.CONCEALED_KONG: MeldKind.CONCEALED_KONG,
    ActionKind.ADDED_KONG: MeldKind.ADDED_KONG,
}


def open_actions(state: State, seat: Seat) -> tuple[Action, ...]:
    """The actions a seat must be asked about: none while the only one is forced."""
    return () if is_forced(state, seat) else legal_actions(state, seat)


def action_option(state: State, seat: Seat, action: Action) -> Option:
    """An action as the client is shown it."""
    if action.kind not in (ActionKind.WIN, ActionKind.CHOW):
        return _plain_option(action)
    claimed = None if state.phase is Phase.TURN or state.last is None else state.last.tile
    if action.kind is ActionKind.WIN:
        return _win_option(state, seat, claimed)
    assert claimed is not None  # a chow takes the last discard
    return _chow_option(action, claimed)


def _win_option(state: State, seat: Seat, claimed: Tile | None) -> Option:
    score = score_win(state, seat, claimed)
    fans = [fan_data(fan) for fan in score.fans]
    return Option(act.WIN.code, {"kind": _NAMES[ActionKind.WIN], "total": score.total, "fans": fans})


# There are few different ones, and many come at every turn: equal ones are one object, made once.
@cache
def _chow_option(action: Action, claimed: Tile) -> Option:
    tiles = names(Meld(MeldKind.CHOW, action.tile).tiles)
    return Option(action.code, {"kind": _NAMES[action.kind], "tile": TILE_NAMES[claimed], "tiles": tiles})


@cache
def _plain_option(action: Action) -> Option:
    data: dict[str, Any] = {"kind": _NAMES[action.kind]}
    if action.kind in _KONG_MELDS:
        data["how"] = KONG_HOW[_KONG_MELDS[action.kind]]
    if action.tile >= 0:
        data["tile"] = TILE_NAMES[action.tile]
    return Option(action.code, data)


def question_of(state: State, actions: tuple[Action, ...]) -> Question:
    """What these actions answer."""
    if state.phase is Phase.OPEN_HAND_OFFER:
        return Question.OPEN_HAND
    if state.phase is Phase.OPENING_PAUSE:
        return Question.DOUBLE if actions[0].kind is ActionKind.DOUBLE else Question.OPENING
    return Question.TURN if state.phase is Phase.TURN else Question.CLAIM


def time_for(state: State, seat: Seat, question: Question, clocks: Clocks) -> int:
    """The decision's own time in ms, before the reserve. A ready seat's win or kong has a claim's time."""
    if question is Question.CLAIM or (question is Question.TURN and state.hands[seat].ready is not None):
        return clocks.claim_ms
    if question is Question.TURN:
        return clocks.opening_ms if state.discards == 0 else clocks.turn_ms
    if question is Question.OPENING:
        return clocks.offer_ms if state.options.double else clocks.pause_ms
    return clocks.offer_ms


def question_details(
    state: State, seat: Seat, question: Question, actions: tuple[Action, ...]
) -> tuple[tuple[Option, ...], dict[str, Any]]:
    """All options of a seat's question, and what is told with it: the ready hints. Source: RULES §5."""
    options = tuple(action_option(state, seat, action) for action in actions)
    hints = ready_hints(state, seat) if question is Question.TURN else []
    return options, {"hints": hints} if hints else {}
