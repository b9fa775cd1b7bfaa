"""Between rounds: propose one with a commitment, gather confirms, start it.

Source: RULES §9–§12, PROTOCOL §4.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from app.economy.postings import fee_posting
from app.engine import shuffle as fair
from app.engine import start_round
from app.engine.record import RECORD_VERSION
from app.engine.state import SEATS, RoundOptions, Seat
from app.engine.table import seat_wind
from app.rooms.decisions import LAG_QUOTA_MS, ask, close_decision, retime
from app.rooms.errors import InsufficientCoins
from app.rooms.model import Decision, Option, Question, RoomPhase, RoundPlay
from app.rooms.playing import record_events
from app.rooms.ports import Player, RoundRecord, RoundStatus
from app.rooms.practice import refilled
from app.rooms.seats import free_seat, require_entry
from app.rooms.settling import table_fee
from app.rooms.tiers import Tier
from app.rooms.transition import Transition
from app.rules.ruleset import RuleSet, load_ruleset, load_version
from app.rules.tiles import TILE_NAMES

CONFIRM = Option("ok", {"kind": "confirm"})
NO_ENTROPY = fair.NO_ENTROPY.hex()


def seek_round(step: Transition) -> None:
    """With both seats taken: check the purses, publish a commitment, ask both. Otherwise, or paused, wait."""
    if len(step.room.taken) < len(SEATS):
        step.update(phase=RoomPhase.WAITING)
        return
    if step.room.paused is not None:
        step.update(phase=RoomPhase.CONFIRM)
        return
    if _free_poor_seats(step, step.known_players()):
        return
    proposal = _propose(step)
    step.save_round(proposal)
    step.update(phase=RoomPhase.CONFIRM, proposal=proposal)
    extra = proposal_details(proposal)
    for seat in SEATS:
        step.update_seat(seat, confirmed=False, entropy=None)
        ask(step, seat, Question.CONFIRM, (CONFIRM,), step.room.tier.clocks.confirm_ms, extra)


def proposal_details(proposal: RoundRecord) -> dict[str, Any]:
    """What a confirm agrees to. Source: PROTOCOL §4."""
    return {
        "round_id": proposal.id,
        "base": proposal.base_stake,
        "shuffle": proposal.shuffle,
        "commitment": proposal.commitment,
    }


def confirm(step: Transition, seat: Seat, entropy: str | None) -> None:
    """A seat wants the proposed round; with both, it starts."""
    close_decision(step, seat)
    step.update_seat(seat, confirmed=True, has_confirmed=True, entropy=entropy or NO_ENTROPY)
    other = 1 - seat
    if step.seat(other).confirmed:
        start(step)
        return
    retime(step, other)


def confirm_overdue(step: Transition, seat: Seat, decision: Decision) -> None:
    """A confirm is due: an absent player of this match is confirmed for, anyone else loses the seat.

    Whoever is late at the same moment loses his with him: the first to go closes the other's question.
    """
    if decision.server_plays_at_ms is not None and step.now_ms >= decision.server_plays_at_ms:
        confirm(step, seat, None)
        return
    asked = [(late, step.seat(late).decision) for late in SEATS]
    for late, question in asked:
        if question is not None and question.deadline_ms <= step.now_ms:
            free_seat(step, late, "not_confirmed")


def start(step: Transition) -> None:
    """Both have confirmed: deal. The purses are checked again, for coins may have moved meanwhile."""
    players = step.known_players()
    if _free_poor_seats(step, players):
        return
    proposal = step.room.proposal
    assert proposal is not None  # confirms belong to a proposal
    for seat in SEATS:
        is_practice = step.room.practice
        step.set_player(seat, refilled(step, players[seat], proposal.id) if is_practice else players[seat])
    room = step.room
    entropy = (step.seat(0).entropy or NO_ENTROPY, step.seat(1).entropy or NO_ENTROPY)
    seed = fair.seed_for(
        bytes.fromhex(proposal.secret),
        (bytes.fromhex(entropy[0]), bytes.fromhex(entropy[1])),
        proposal.id,
    )
    rules = load_version(proposal.ruleset, proposal.ruleset_version)
    options = _options(room.tier, rules)
    state, events = start_round(
        rules, seed, room.match.dealer, prevalent=room.match.prevalent, options=options
    )
    record = replace(proposal, status=RoundStatus.RUNNING, entropy=entropy, dealer=state.dealer)
    step.save_round(record)
    _charge_fee(step, record.id)
    first = state.dealer if room.match.first_dealer is None else room.match.first_dealer
    match = room.match._replace(rounds=record.number, first_dealer=first, dealer=state.dealer)
    step.update(
        phase=RoomPhase.PLAYING, proposal=None, match=match, play=RoundPlay(record=record, state=state)
    )
    for seat in SEATS:
        sitting = step.seat(seat)
        step.update_seat(
            seat,
            confirmed=False,
            entropy=None,
            timeouts=0,
            seen=not sitting.is_absent,
            reserve_ms=room.tier.clocks.reserve_ms,
            lag_quota_ms=LAG_QUOTA_MS,
        )
    step.log("round_started", _started(step), record.id)
    record_events(step, events)


def _started(step: Transition) -> dict[str, object]:
    play = step.room.play
    assert play is not None
    record, state = play.record, play.state
    return {
        "round_id": record.id,
        "number": record.number,
        "shuffle": record.shuffle,
        "commitment": record.commitment,
        "base": record.base_stake,
        "dealer": state.dealer,
        "prevalent": TILE_NAMES[state.prevalent],
        "seat_winds": [TILE_NAMES[seat_wind(state.dealer, seat)] for seat in SEATS],
        "coins": [step.seat(seat).player.coins for seat in SEATS],
    }


def _free_poor_seats(step: Transition, players: tuple[Player, Player]) -> bool:
    """Free the seats whose purse is outside the limits; practice purses are filled. Source: RULES §9."""
    if step.room.practice:
        return False
    poor = []
    for seat in SEATS:
        try:
            require_entry(players[seat], step.room.tier, step.room.base_stake)
        except InsufficientCoins:
            poor.append(seat)
    for seat in poor:
        free_seat(step, seat, "coins")
    return bool(poor)


def _propose(step: Transition) -> RoundRecord:
    """A new round id with a new secret: neither is ever used twice. Source: PROTOCOL §4."""
    room = step.room
    rules = load_ruleset(room.tier.ruleset)
    round_id = step.world.new_id()
    secret, nonce = (step.world.random_bytes(fair.SECRET_BYTES) for _ in range(2))
    options = _options(room.tier, rules)
    return RoundRecord(
        id=round_id,
        room_id=room.id,
        number=room.match.rounds + 1,
        status=RoundStatus.PROPOSED,
        ruleset=rules.id,
        ruleset_version=rules.version,
        record_version=RECORD_VERSION,
        options={
            "open_hand": options.open_hand,
            "double": options.double,
            "min_fan": options.min_fan,
            "pauses": options.pauses,
            "prevalent": TILE_NAMES[room.match.prevalent],
        },
        base_stake=room.base_stake,
        players=(step.seat(0).player.id, step.seat(1).player.id),
        dealer=room.match.dealer,
        shuffle=fair.SHUFFLE_VERSION,
        secret=secret.hex(),
        nonce=nonce.hex(),
        commitment=fair.commitment(secret, nonce, round_id),
        entropy=None,
        result=None,
    )


def _options(tier: Tier, rules: RuleSet) -> RoundOptions:
    """The tier may leave an offer out and set its own minimum; it cannot add what the rule set lacks."""
    own = RoundOptions.of(rules)
    min_fan = own.min_fan if tier.min_fan is None else tier.min_fan
    pauses = tier.clocks.floor_max_ms > 0
    return RoundOptions(own.open_hand and tier.open_hand, own.double and tier.double, min_fan, pauses)


def _charge_fee(step: Transition, round_id: str) -> None:
    fee = table_fee(step.room)
    if not fee:
        return
    players = (step.seat(0).player, step.seat(1).player)
    step.postings.append(
        fee_posting(round_id, fee, (players[0].id, players[1].id), (players[0].coins, players[1].coins))
    )
    for seat in SEATS:
        step.set_player(seat, replace(players[seat], coins=players[seat].coins - fee))
