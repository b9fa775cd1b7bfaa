"""What each command does to a room. Pure: a room, a command and the world in, a transition or a refusal out.

The order of checks is PROTOCOL §3.12's; connection, rate and schema have been checked before the inbox,
idempotency by the room's runtime.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TypeAlias

from app.economy.ledger import COMPUTER_ID
from app.economy.settlement import penalty_for
from app.engine.actions import CLOSE, FORFEIT, parse_action
from app.engine.legal import is_forced, legal_actions
from app.engine.state import CLOCK, SEATS, Seat
from app.rooms import commands as cmd
from app.rooms.decisions import REACTIONS
from app.rooms.model import Question, RoomPhase, RoomState
from app.rooms.operating import free_expelled, operate, operate_logged
from app.rooms.playing import partner_action, play_action, playing, silent_action
from app.rooms.ports import AnswerRecord
from app.rooms.practice import sit_with_computer
from app.rooms.proposals import confirm, confirm_overdue, seek_round
from app.rooms.seats import close_room, free_seat, go_offline, go_online, set_auto, sit_down
from app.rooms.transition import Transition, World

TIMEOUTS_BEFORE_AUTO = 2  # turns or claims in a row (RULES §10)
ABSENT_ROUNDS_BEFORE_FREED = 2
GRACE_MS = 10_000  # on top of a downtime
GONE_AFTER_MS = 60_000  # a room nobody is connected to goes on for so long, and between rounds a seat


class Refusal(Exception):
    """Why a request changes nothing; ``code`` as in PROTOCOL §3.3, ``penalty`` what leaving would cost."""

    def __init__(self, code: str, *, dp: int | None = None, penalty: int | None = None) -> None:
        super().__init__(code)
        self.code = code
        self.dp = dp
        self.penalty = penalty


class NotYet(Exception):
    """A request in good order that is played only at ``at_ms``: take it again then."""

    def __init__(self, at_ms: int) -> None:
        super().__init__(at_ms)
        self.at_ms = at_ms


def take(room: RoomState, command: cmd.Command, world: World) -> Transition:
    """Work out one command.

    Raises:
        Refusal: a request that changes nothing.
        RoomError: a seat that cannot be taken.
        PlayersNeeded: read the players and take it again.
        NotYet: take it again later.
    """
    step = Transition(room, world)
    match command:
        case cmd.Asked():
            _ask(step, command.seat, command.request)
        case cmd.Tick():
            _tick(step)
        case cmd.GoOnline():
            go_online(step, command.seat)
        case cmd.GoOffline():
            go_offline(step, command.seat)
        case cmd.Reopen():
            _reopen(step, command)
        case cmd.TakeSeat():
            sit_down(step, command.player)
            seek_round(step)
        case cmd.Practise():
            sit_with_computer(step, command.player)
            seek_round(step)
        case cmd.Withdraw():
            _withdraw(step, command.user_id)
        case cmd.Operated():
            operate_logged(step, command)
            _go_on(step)
        case _:
            operate(step, command)
            _go_on(step)
    step.seal()
    return step


def next_due_ms(room: RoomState) -> int | None:
    """When the next :class:`~app.rooms.commands.Tick` has something to do; None when nothing is pending."""
    return min((due for due, _ in _pending(room)), default=None)


# --- players -----------------------------------------------------------------------------------------------


def _ask(step: Transition, seat: Seat, request: cmd.Request) -> None:
    """Do what the player asks; the answer is stored with what it did."""
    user_id = step.seat(seat).player.id
    if step.seat(seat).expelled:
        raise Refusal("not_seated")
    match request:
        case cmd.Act():
            _act(step, seat, request)
        case cmd.SwitchAuto():
            set_auto(step, seat, request.on)
        case cmd.Leave():
            _leave(step, seat, request)
    step.answers.append(AnswerRecord(user_id, request.id, request.digest, step.room.seq))


def _act(step: Transition, seat: Seat, act: cmd.Act) -> None:
    decision = step.seat(seat).decision
    if decision is None or decision.dp != act.dp:
        asked = step.room.dps[seat]
        raise Refusal("stale" if 0 < act.dp <= asked else "not_your_decision", dp=act.dp)
    if not decision.offers(act.o):
        raise Refusal("option_unknown", dp=act.dp)
    if act.entropy is not None and decision.question is not Question.CONFIRM:
        raise Refusal("bad_schema", dp=act.dp)
    if step.now_ms < _held_until_ms(step.room):
        raise NotYet(_held_until_ms(step.room))
    set_auto(step, seat, False)
    sitting = step.seat(seat)
    if sitting.timeouts or not sitting.seen:
        step.update_seat(seat, timeouts=0, seen=True)
    if step.room.grace_until_ms:
        step.update(grace_until_ms=0)  # what is asked from here on has been granted nothing yet
    if decision.question is Question.CONFIRM:
        confirm(step, seat, act.entropy)
    else:
        play_action(step, seat, parse_action(act.o))
    _go_on(step)


def _leave(step: Transition, seat: Seat, leave: cmd.Leave) -> None:
    if step.room.is_playing:
        penalty = penalty_for(playing(step).record.base_stake, step.fresh_players()[seat].coins)
        if not leave.force:
            raise Refusal("leave_unconfirmed", penalty=penalty)
        if leave.penalty_seen != penalty:
            raise Refusal("penalty_changed", penalty=penalty)
        play_action(step, seat, FORFEIT)
        free_seat(step, seat, "escaped")
    else:
        free_seat(step, seat, "left")


def _withdraw(step: Transition, user_id: str) -> None:
    seat = step.room.seat_of(user_id)
    if seat is not None and not step.room.has_begun:
        free_seat(step, seat, "left")


# --- the server --------------------------------------------------------------------------------------------


def postponement(room: RoomState, stood_still_ms: int, now_ms: int) -> int:
    """By how much every time in a room moves when the server is back, in ms: to :data:`GRACE_MS` from now, as
    if nothing had passed since. So nobody pays for the downtime; what somebody had used of his time since the
    last commit he gets back too.

    What an earlier restart has granted and nobody has used yet is not granted again: when a server fails over
    and over the ten seconds do not add up.
    """
    return now_ms + GRACE_MS - max(stood_still_ms, room.grace_until_ms)


def _reopen(step: Transition, command: cmd.Reopen) -> None:
    step.room = step.room.postponed(postponement(step.room, command.stood_still_ms, step.now_ms))
    for seat in step.room.people:
        go_offline(step, seat)
    step.update(grace_until_ms=step.now_ms + GRACE_MS)
    if not step.room.people:
        close_room(step, "empty")


# --- time --------------------------------------------------------------------------------------------------


def _tick(step: Transition) -> None:
    """Play the first thing that is due, in the order of the clock; the rest has its own tick."""
    due = sorted((at, number) for number, (at, _) in enumerate(_pending(step.room)) if at <= step.now_ms)
    if due:
        _pending(step.room)[due[0][1]][1](step)
        _go_on(step)


Play: TypeAlias = Callable[[Transition], None]


def _pending(room: RoomState) -> list[tuple[int, Play]]:
    """Everything that happens by itself, with its time; of two due at once the first listed goes first."""
    pending: list[tuple[int, Play]] = []
    held_ms = _held_until_ms(room)
    for seat, sitting in enumerate(room.seats):
        if sitting is None:
            continue
        if sitting.decision is not None:
            pending.append((max(sitting.decision.due_ms, held_ms), _OVERDUE[seat]))
        if room.phase is RoomPhase.WAITING and sitting.offline_since_ms is not None:
            pending.append((sitting.offline_since_ms + GONE_AFTER_MS, _GONE[seat]))
    play = room.play
    if room.is_playing and play is not None:
        if play.forced_at_ms is not None and is_forced(play.state, play.state.turn):
            pending.append((play.forced_at_ms, _forced))
        if play.pause_ends_ms is not None and legal_actions(play.state, CLOCK):
            pending.append((play.pause_ends_ms, _end_pause))
    abandoned_ms = _abandoned_ms(room)
    if abandoned_ms is None:
        return pending
    if room.is_playing:
        return [(min(at_ms, abandoned_ms), play_it) for at_ms, play_it in pending]
    return [(abandoned_ms, _abandon), *pending]


def _abandoned_ms(room: RoomState) -> int | None:
    """From when on nobody is waited for any more; None while a player is connected.

    What is left of a round is then played out at once, for both, and the room is gone.
    """
    gone: list[int] = []
    for sitting in room.seats:
        if sitting is None or sitting.player.id == COMPUTER_ID:
            continue
        if sitting.offline_since_ms is None:
            return None
        gone.append(sitting.offline_since_ms)
    return max(gone) + GONE_AFTER_MS if gone else None


def _held_until_ms(room: RoomState) -> int:
    """Until when no reaction is played, so that an instant one, a declined one and none look alike; else 0.

    Source: PROTOCOL §3.6.
    """
    play = room.play
    if not room.is_playing or play is None or play.pause_ends_ms is None:
        return 0
    return play.pause_ends_ms if play.state.phase in REACTIONS else 0


def _overdue(step: Transition, seat: Seat) -> None:
    """The server answers for a seat; two turns or claims run out in a row put it on 託管."""
    sitting = step.seat(seat)
    decision = sitting.decision
    assert decision is not None
    if decision.question is Question.CONFIRM:
        confirm_overdue(step, seat, decision)
        return
    if decision.question.uses_reserve and not sitting.auto and seat != step.room.computer:
        step.update_seat(seat, timeouts=sitting.timeouts + 1)
        if sitting.timeouts + 1 >= TIMEOUTS_BEFORE_AUTO:
            set_auto(step, seat, True)
    chosen = partner_action if seat == step.room.computer else silent_action
    play_action(step, seat, chosen(playing(step).state, seat))


def _forced(step: Transition) -> None:
    """A ready hand discards what it drew."""
    state = playing(step).state
    play_action(step, state.turn, legal_actions(state, state.turn)[0])


def _end_pause(step: Transition) -> None:
    play_action(step, CLOCK, CLOSE)


def _gone(step: Transition, seat: Seat) -> None:
    free_seat(step, seat, "absent")


def _abandon(step: Transition) -> None:
    for seat in step.room.people:
        free_seat(step, seat, "absent")


_OVERDUE = tuple(partial(_overdue, seat=seat) for seat in SEATS)
_GONE = tuple(partial(_gone, seat=seat) for seat in SEATS)


# --- the end of a round ------------------------------------------------------------------------------------


def _go_on(step: Transition) -> None:
    """When a round has just ended: free who was expelled or absent throughout, then ask for the next."""
    if step.room.phase is not RoomPhase.WAITING or step.room.proposal is not None:
        return
    free_expelled(step)
    for seat in step.room.taken:
        if step.seat(seat).absent_rounds >= ABSENT_ROUNDS_BEFORE_FREED:
            free_seat(step, seat, "absent")
    if not step.room.is_closed:
        seek_round(step)
