"""Which questions are open, and when the server answers for a seat. Source: RULES §10, §12; PROTOCOL §3.2."""

from __future__ import annotations

from typing import Any

from app.engine.actions import Action
from app.engine.state import SEATS, Phase, Seat, State
from app.rooms.model import Decision, Option, Question, RoundPlay
from app.rooms.options import open_actions, question_details, question_of, time_for
from app.rooms.transition import Transition

REACTIONS = (Phase.CLAIM, Phase.ROB)
LAG_QUOTA_MS = 2_000  # what a slow network may take in a round without costing anything
MAX_LAG_MS = 300  # and in one decision


def ask(
    step: Transition,
    seat: Seat,
    question: Question,
    options: tuple[Option, ...],
    base_ms: int,
    extra: dict[str, Any] | None = None,
) -> None:
    """Open a decision at a seat; the number of decisions only grows."""
    sitting = step.seat(seat)
    dps = list(step.room.dps)
    dps[seat] += 1
    decision = Decision(
        dp=dps[seat],
        question=question,
        options=options,
        asked_ms=step.now_ms,
        base_ms=base_ms,
        bank_ms=sitting.reserve_ms if question.uses_reserve else 0,
        lag_ms=min(step.world.lags_ms[seat], MAX_LAG_MS, sitting.lag_quota_ms),
        server_plays_at_ms=_server_plays_at_ms(step, seat, question),
        extra=extra or {},
    )
    seats = step.room.seats_with(seat, sitting._replace(decision=decision))
    step.update(dps=(dps[0], dps[1]), seats=seats)


def close_decision(step: Transition, seat: Seat) -> None:
    """A decision is over: what it took beyond its own time comes off the network's allowance, then off the
    reserve.
    """
    sitting = step.seat(seat)
    decision = sitting.decision
    if decision is None:
        return
    over = max(0, step.now_ms - decision.asked_ms - decision.base_ms)
    lag = min(over, decision.lag_ms)
    reserve = sitting.reserve_ms
    if decision.question.uses_reserve:
        reserve = max(0, reserve - (over - lag))
    step.update_seat(seat, decision=None, reserve_ms=reserve, lag_quota_ms=max(0, sitting.lag_quota_ms - lag))


def ask_round(step: Transition) -> None:
    """After the engine moved: ask every seat that has something to decide, and set the server's timers."""
    play = step.room.play
    assert play is not None  # only called while a round runs
    state = play.state
    for seat in SEATS:
        actions = open_actions(state, seat)
        current = step.seat(seat).decision
        if current is not None:
            if _answers(current, actions):
                continue
            close_decision(step, seat)
        if actions:
            _ask_actions(step, seat, state, actions)
    forced, pause = _timers(step, play)
    if (forced, pause) != (play.forced_at_ms, play.pause_ends_ms):
        step.update(play=play._replace(forced_at_ms=forced, pause_ends_ms=pause))


def _ask_actions(step: Transition, seat: Seat, state: State, actions: tuple[Action, ...]) -> None:
    question = question_of(state, actions)
    options, extra = question_details(state, seat, question, actions)
    ask(step, seat, question, options, time_for(state, seat, question, step.room.tier.clocks), extra)


def _answers(decision: Decision, actions: tuple[Action, ...]) -> bool:
    """Whether the open decision still asks just this; the answer to one question makes the next a new one."""
    return tuple(option.o for option in decision.options) == tuple(action.code for action in actions)


def _timers(step: Transition, play: RoundPlay) -> tuple[int | None, int | None]:
    """When a ready hand's discard is due, and when the pause ends; None where there is no such thing.

    The discard keeps its time whether a win or kong is thought about first or not. Source: PROTOCOL §3.6.
    """
    clocks = step.room.tier.clocks
    state = play.state
    forced = pause = None
    if state.phase is Phase.TURN and state.hands[state.turn].ready is not None:
        forced = play.forced_at_ms or step.now_ms + clocks.forced_ms
    if state.phase is Phase.OPENING_PAUSE and state.rules.has_heavenly_ready:
        length = clocks.offer_ms if state.options.double else clocks.pause_ms
        pause = play.pause_ends_ms or step.now_ms + length
    if state.phase in REACTIONS and state.options.pauses:
        pause = play.pause_ends_ms or step.now_ms + _floor(step)
    return forced, pause


def _floor(step: Transition) -> int:
    """How long what follows stays unseen: drawn the same way always, so that it tells nothing."""
    clocks = step.room.tier.clocks
    width = clocks.floor_max_ms - clocks.floor_min_ms + 1
    return clocks.floor_min_ms + int.from_bytes(step.world.random_bytes(4), "big") % width


def retime(step: Transition, seat: Seat) -> None:
    """Presence, 託管 or the other's confirm has changed: when the server answers for the seat follows."""
    decision = step.seat(seat).decision
    if decision is not None:
        at_ms = _server_plays_at_ms(step, seat, decision.question)
        step.update_seat(seat, decision=decision._replace(server_plays_at_ms=at_ms))


def _server_plays_at_ms(step: Transition, seat: Seat, question: Question) -> int | None:
    confirms = question is Question.CONFIRM
    wait_ms = _until_confirmed(step, seat) if confirms else _until_played(step, seat)
    return None if wait_ms is None else step.now_ms + wait_ms


def _until_played(step: Transition, seat: Seat) -> int | None:
    """A seat on 託管, and the computer's, is played for after about a second, a reaction at the end of its
    pause like any.
    """
    if not step.seat(seat).auto and seat != step.room.computer:
        return None
    play = step.room.play
    is_held = play is not None and play.state.phase in REACTIONS and play.state.options.pauses
    return 0 if is_held else step.room.tier.clocks.forced_ms


def _until_confirmed(step: Transition, seat: Seat) -> int | None:
    """An absent seat is confirmed for once the other has confirmed, if its player ever has in this match."""
    if seat == step.room.computer:
        return step.room.tier.clocks.forced_ms
    sitting, other = step.seat(seat), step.seat(1 - seat)
    if sitting.is_absent and sitting.has_confirmed and other.confirmed:
        return step.room.tier.clocks.absent_confirm_ms
    return None
