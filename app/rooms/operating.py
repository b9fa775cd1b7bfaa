"""What operators, and the server when something is broken, do to a room. Source: RULES §3.6, §9."""

from __future__ import annotations

from app.engine.actions import VOID
from app.engine.state import CLOCK, SEATS
from app.rooms import commands as cmd
from app.rooms.decisions import close_decision
from app.rooms.model import RoomPhase
from app.rooms.playing import play_action
from app.rooms.proposals import seek_round
from app.rooms.seats import close_room, withdraw_proposal
from app.rooms.transition import Transition


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
        case cmd.CloseRoom():
            _void(step, command.reason)
            close_room(step, command.reason)


def _void(step: Transition, reason: str) -> None:
    """The round ends and nothing moves."""
    if step.room.is_playing:
        play_action(step, CLOCK, VOID, reason)


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
