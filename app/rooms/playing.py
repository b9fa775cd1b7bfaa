"""Through a round: play an action, tell what happened, ask what is next. Source: RULES §3, §4, §10."""

from __future__ import annotations

from collections.abc import Sequence

from app.bots.auto_play import auto_play
from app.bots.basic import basic
from app.engine import actions as act
from app.engine import apply, legal_actions, view_for
from app.engine.actions import Action, ActionKind
from app.engine.events import Event
from app.engine.state import CLOCK, Phase, Seat, State
from app.rooms.decisions import ask_round, close_decision
from app.rooms.model import RoundPlay
from app.rooms.ports import ActionRecord
from app.rooms.settling import CLOSING, refund_fee, settle
from app.rooms.transition import Transition

# What an unanswered offer means; a turn or claim left unanswered is auto-play's. Source: RULES §12.
_SILENCE = {
    ActionKind.OPEN_HAND: act.KEEP_CLOSED,
    ActionKind.DOUBLE: act.NO_DOUBLE,
    ActionKind.READY: act.PASS,
}


def playing(step: Transition) -> RoundPlay:
    """The round at the table; only for callers who know that one runs."""
    play = step.room.play
    assert play is not None
    return play


def play_action(step: Transition, seat: Seat, action: Action, reason: str | None = None) -> None:
    """One action of a seat (or of :data:`CLOCK`): the engine moves, the log grows, a finished round settles.

    Raises:
        IllegalAction: not legal now. Callers offer only legal actions, so this is a fault of ours.
    """
    play = playing(step)
    state, events = apply(play.state, seat, action)
    step.actions.append(ActionRecord(play.record.id, play.actions, seat, action.code, step.now_ms))
    if seat != CLOCK:
        close_decision(step, seat)
    same_turn = action == act.PASS and state.phase is play.state.phase is Phase.TURN
    forced_at_ms = play.forced_at_ms if same_turn else None
    step.update(play=play._replace(state=state, actions=play.actions + 1, forced_at_ms=forced_at_ms))
    record_events(step, events, reason)


def record_events(step: Transition, events: Sequence[Event], reason: str | None = None) -> None:
    """Log what the engine says happened, then go on: settle a finished round, else ask who is next."""
    play = playing(step)
    for event in events:
        data = event.data()
        if event.kind == "voided":
            data |= {"reason": reason, "coins": refund_fee(step)}
        if event.kind in CLOSING:
            step.update(play=play._replace(closing={**play.closing, event.kind: data or True}))
        step.log(event.kind, data, play.record.id)
    if play.state.is_over:
        settle(step)
    else:
        ask_round(step)


def silent_action(state: State, seat: Seat) -> Action:
    """What is played for a seat that says nothing, or is on 託管. Source: RULES §10, §12."""
    options = legal_actions(state, seat)
    refusal = _SILENCE.get(options[0].kind)
    return auto_play(view_for(state, seat), options) if refusal is None else refusal


def partner_action(state: State, seat: Seat) -> Action:
    """What the computer plays, from what a player in its place would see."""
    return basic(view_for(state, seat), legal_actions(state, seat))
