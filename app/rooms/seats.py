"""Taking and leaving seats, presence and 託管. Source: RULES §9, §10, §12."""

from __future__ import annotations

from dataclasses import replace

from app.economy.entry import check_entry
from app.economy.ranks import rank_of
from app.engine.state import SEATS, Seat
from app.rooms.decisions import close_decision, retime
from app.rooms.errors import InsufficientCoins, RoomFull, RoomPaused
from app.rooms.model import Match, RoomPhase, SeatState
from app.rooms.ports import Player, RoundStatus
from app.rooms.tiers import Tier
from app.rooms.transition import Transition


def require_entry(player: Player, tier: Tier, base_stake: int) -> None:
    """Check a player against the tier's entry limits.

    Raises:
        InsufficientCoins: too few coins for this base, or too many for this tier.
    """
    refusal = check_entry(
        player.coins,
        base_stake,
        tier.entry_min,
        tier.entry_max,
        tier.table_fee,
        tier_base=tier.base_stake,
    )
    if refusal is not None:
        raise InsufficientCoins(refusal.short)


def sit_down(step: Transition, player: Player) -> Seat:
    """Give the player the first free seat; he is offline until a connection of his arrives.

    Raises:
        RoomFull: no seat is free.
        RoomPaused: an operator lets nobody in.
        InsufficientCoins: outside the entry limits.
    """
    free = next((seat for seat in SEATS if step.room.seats[seat] is None), None)
    if free is None:
        raise RoomFull
    if step.room.paused is not None:
        raise RoomPaused
    require_entry(player, step.room.tier, step.room.base_stake)
    give_seat(step, free, player)
    return free


def give_seat(step: Transition, seat: Seat, player: Player) -> None:
    """The player sits there, offline until a connection of his arrives."""
    step.put_seat(seat, SeatState(player, offline_since_ms=step.now_ms))
    data = {"seat": seat, "user": {"id": player.id, "name": player.name}}
    step.log("seat_taken", {**data, **purse_data(player)})


def purse_data(player: Player) -> dict[str, int | str]:
    """What everybody at the table sees of a player's standing."""
    return {"coins": player.coins, "points": player.points, "rank": rank_of(player.points).name}


def free_seat(step: Transition, seat: Seat, reason: str) -> None:
    """A seat becomes free: the match ends, a proposal is withdrawn; the last player out closes the room."""
    for other in SEATS:
        if step.room.seats[other] is not None:
            close_decision(step, other)
    step.put_seat(seat, None)
    step.log("seat_left", {"seat": seat, "reason": reason})
    withdraw_proposal(step)
    step.update(match=Match(), phase=RoomPhase.WAITING)
    for other in step.room.taken:
        step.update_seat(other, has_confirmed=False, absent_rounds=0)
    if not step.room.people:
        close_room(step, "empty")


def withdraw_proposal(step: Transition) -> None:
    """The proposed round will never start. Its commitment is spent all the same. Source: PROTOCOL §4."""
    proposal = step.room.proposal
    if proposal is None:
        return
    step.save_round(replace(proposal, status=RoundStatus.WITHDRAWN))
    step.update(proposal=None)
    for seat in step.room.taken:
        step.update_seat(seat, confirmed=False, entropy=None)


def close_room(step: Transition, reason: str) -> None:
    withdraw_proposal(step)
    step.update(phase=RoomPhase.CLOSED)
    step.log("room_closed", {"reason": reason})


def go_online(step: Transition, seat: Seat) -> None:
    sitting = step.seat(seat)
    if sitting.is_online:
        return
    step.update_seat(seat, offline_since_ms=None, seen=sitting.seen or not sitting.auto)
    step.log("online", {"seat": seat})
    retime(step, seat)


def go_offline(step: Transition, seat: Seat) -> None:
    """A dropped connection is not an escape: the clock runs on."""
    if step.seat(seat).is_online:
        step.update_seat(seat, offline_since_ms=step.now_ms)
        step.log("offline", {"seat": seat})
        retime(step, seat)


def set_auto(step: Transition, seat: Seat, on: bool) -> None:
    """Switch 託管; nothing happens when it stands so already."""
    sitting = step.seat(seat)
    if sitting.auto == on:
        return
    step.update_seat(seat, auto=on, timeouts=0, seen=sitting.seen or not on)
    step.log("auto_play", {"seat": seat, "on": on})
    retime(step, seat)
