"""Rebuilding a room from what was committed: its head, its round's record, its events. Source: PROTOCOL §3.5.

The state comes back as it was at the last commit. After a restart the clocks move, for nobody pays for our
downtime; that is a step of its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from app.engine import replay
from app.engine.record import Record, UnreadableRecord
from app.engine.shuffle import seed_for
from app.engine.state import SEATS, RoundOptions, Seat, State
from app.rooms.fingerprint import fingerprint, is_comparable
from app.rooms.model import Decision, Match, Option, Question, RoomPhase, RoomState, RoundPlay, SeatState
from app.rooms.options import open_actions, question_details
from app.rooms.ports import Player, RoundRecord, RoundStatus, StoredRoom, UnreadableRoom
from app.rooms.proposals import CONFIRM, proposal_details
from app.rules.tiles import parse_tile


def restore(stored: StoredRoom, players: Mapping[str, Player]) -> RoomState:
    """The room as last committed.

    Raises:
        UnreadableRoom: what is stored does not fit this engine, or itself: the running round's record
            cannot be replayed, or leads to another state than the one committed.
    """
    try:
        room = _restore(stored, players)
    except (ValueError, LookupError, TypeError) as fault:
        raise UnreadableRoom(f"room {stored.room.id}: {fault!r}") from fault
    committed, rebuilt = stored.room.state.get("hash"), fingerprint(room)
    if is_comparable(committed) and committed != rebuilt:
        raise UnreadableRoom(f"room {room.id}: at {room.seq} its state was {committed}, and is now {rebuilt}")
    return room


def _restore(stored: StoredRoom, players: Mapping[str, Player]) -> RoomState:
    room, data = stored.room, stored.room.state
    proposal = stored.proposal
    play = None if stored.round is None else _play(stored.round, stored, data)
    seats = [
        None if user_id is None else _seat(seat, players[user_id], data["seats"][seat], play, proposal)
        for seat, user_id in zip(SEATS, room.seats, strict=True)
    ]
    return RoomState(
        id=room.id,
        tier=room.tier,
        base_stake=room.base_stake,
        private=room.private,
        invite=room.invite,
        phase=RoomPhase(room.phase),
        seats=(seats[0], seats[1]),
        seq=room.seq,
        dps=(data["dps"][0], data["dps"][1]),
        match=_match(data["match"]),
        proposal=proposal,
        play=play,
        matched=data.get("matched", False),
        spectators=data.get("spectators", False),
        practice=data.get("practice", False),
        paused=data.get("paused"),
        grace_until_ms=data.get("grace_until_ms", 0),
        version=data.get("version", 1),
        commits=room.commits,
    )


def record_of(round_: RoundRecord, actions: tuple[tuple[Seat, str], ...]) -> Record:
    """A stored round as the engine replays it."""
    options = round_.options
    entropy = round_.entropy
    assert entropy is not None  # a round that has started has both
    return Record(
        ruleset=round_.ruleset,
        ruleset_version=round_.ruleset_version,
        seed=seed_for(
            bytes.fromhex(round_.secret),
            (bytes.fromhex(entropy[0]), bytes.fromhex(entropy[1])),
            round_.id,
        ),
        dealer=round_.dealer,
        prevalent=parse_tile(options["prevalent"]),
        options=RoundOptions(
            options["open_hand"], options["double"], options["min_fan"], options.get("pauses", False)
        ),
        actions=actions,
        version=round_.record_version,
    )


def _play(record: RoundRecord, stored: StoredRoom, data: Mapping[str, Any]) -> RoundPlay | None:
    """The round at the table. One that is over is only shown: unreadable, it is left out."""
    actions = tuple((action.seat, action.code) for action in stored.actions)
    try:
        state = replay(record_of(record, actions))
    except UnreadableRecord:
        if record.status is RoundStatus.RUNNING:
            raise
        return None
    return RoundPlay(
        record=record,
        state=state,
        actions=len(actions),
        forced_at_ms=data["forced_at_ms"],
        pause_ends_ms=data["pause_ends_ms"],
        closing=record.result or {},
    )


def _seat(
    seat: Seat,
    player: Player,
    data: Mapping[str, Any],
    play: RoundPlay | None,
    proposal: RoundRecord | None,
) -> SeatState:
    decision = data["decision"]
    state = None if play is None else play.state
    return SeatState(
        player=player,
        offline_since_ms=data["offline_since_ms"],
        auto=data["auto"],
        timeouts=data["timeouts"],
        confirmed=data["confirmed"],
        has_confirmed=data["has_confirmed"],
        entropy=data["entropy"],
        seen=data["seen"],
        absent_rounds=data["absent_rounds"],
        reserve_ms=data["reserve_ms"],
        lag_quota_ms=data.get("lag_quota_ms", 0),
        expelled=data.get("expelled", False),
        decision=decision and _decision(seat, decision, state, proposal),
    )


def _decision(
    seat: Seat, data: Mapping[str, Any], state: State | None, proposal: RoundRecord | None
) -> Decision:
    """The same question under the same number; what it offers follows from the state."""
    question = Question(data["question"])
    if question is Question.CONFIRM:
        if proposal is None:
            raise LookupError("a confirm is asked, and no round is proposed")
        options: tuple[Option, ...] = (CONFIRM,)
        extra = proposal_details(proposal)
    else:
        if state is None:
            raise LookupError(f"{question} is asked, and no round is played")
        options, extra = question_details(state, seat, question, open_actions(state, seat))
    return Decision(
        dp=data["dp"],
        question=question,
        options=options,
        asked_ms=data["asked_ms"],
        base_ms=data["base_ms"],
        bank_ms=data["bank_ms"],
        lag_ms=data.get("lag_ms", 0),
        server_plays_at_ms=data["server_plays_at_ms"],
        extra=extra,
    )


def _match(data: Mapping[str, Any]) -> Match:
    return Match(
        rounds=data["rounds"],
        first_dealer=data["first_dealer"],
        dealer=data["dealer"],
        prevalent=parse_tile(data["prevalent"]),
        dealt_away=data["dealt_away"],
    )
