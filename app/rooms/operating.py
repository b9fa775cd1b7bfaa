"""What operators, and the server when something is broken, do to a room. Source: RULES §3.6, §9."""

from __future__ import annotations

from typing import Any

from app.economy.operators import Change
from app.engine.actions import VOID
from app.engine.state import CLOCK, SEATS
from app.rooms import commands as cmd
from app.rooms.decisions import close_decision
from app.rooms.errors import NoRound, RoomChanged
from app.rooms.model import RoomPhase, RoomState
from app.rooms.playing import play_action
from app.rooms.proposals import seek_round
from app.rooms.seats import close_room, free_seat, set_auto, withdraw_proposal
from app.rooms.transition import Transition

REMOVED = "removed"  # what the table is told of who was expelled; why is between him and the house


def operate_logged(step: Transition, operated: cmd.Operated) -> None:
    """An operator's commands, with how the room stood before and stands after them.

    Raises:
        RoomChanged: the room is not of the version he has seen.
        NoRound: there is no round to void.
    """
    before = step.room
    if operated.version not in (None, before.version):
        raise RoomChanged
    for command in operated.commands:
        if isinstance(command, cmd.VoidRound) and not step.room.is_playing:
            raise NoRound
        operate(step, command)
    step.update(version=before.version + 1)
    subject, facts = before.id, _facts(step.room)
    step.changes.append(Change(operated.by, operated.action, subject, _facts(before), facts))


def _facts(room: RoomState) -> dict[str, Any]:
    """What operators can change of a room."""
    return {"base_stake": room.base_stake, "paused": room.paused, "phase": room.phase.value}


def operate(step: Transition, command: cmd.HouseCommand) -> None:
    match command:
        case cmd.ChangeBase():
            _change_base(step, command.base_stake)
        case cmd.PauseRoom():
            _pause(step, command.reason)
        case cmd.ResumeRoom():
            _pause(step, None)
        case cmd.VoidRound():
            _void(step, command.reason)
        case cmd.GiveUpRound():
            _void(step, command.reason)
            _ask_anew(step)
        case cmd.CloseRoom():
            _void(step, command.reason)
            close_room(step, command.reason)
        case cmd.Expel():
            _expel(step, command.user_id)


def _void(step: Transition, reason: str) -> None:
    """The round ends and nothing moves."""
    if step.room.is_playing:
        play_action(step, CLOCK, VOID, reason)


def _expel(step: Transition, user_id: str) -> None:
    """A running round is played to its end for him; :func:`free_expelled` then frees the seat."""
    seat = step.room.seat_of(user_id)
    if seat is None:
        return
    if step.room.is_playing:
        set_auto(step, seat, True)
        step.update_seat(seat, expelled=True)
    else:
        free_seat(step, seat, REMOVED)


def free_expelled(step: Transition) -> None:
    """The round is over: who was expelled in it goes."""
    for seat in step.room.people:
        if step.seat(seat).expelled:
            free_seat(step, seat, REMOVED)


def _change_base(step: Transition, base_stake: int) -> None:
    """The next round's base. Whoever was asked about one with the old base is asked anew."""
    if base_stake == step.room.base_stake:
        return
    step.update(base_stake=base_stake)
    step.log("base_changed", {"base": base_stake})
    _ask_anew(step)


def _pause(step: Transition, reason: str | None) -> None:
    """No further round until the reason is None again; the one that runs is played to its end."""
    if reason == step.room.paused:
        return
    step.update(paused=reason)
    step.log("paused", {"reason": reason})
    _ask_anew(step)


def _ask_anew(step: Transition) -> None:
    """Open confirms are withdrawn, and asked again if a round may start."""
    if step.room.phase is not RoomPhase.CONFIRM:
        return
    for seat in SEATS:
        close_decision(step, seat)
    withdraw_proposal(step)
    seek_round(step)
