"""The end of a round: coins, points, what is revealed, and whose deal is next. Source: RULES §2, §8–§11.

Here the game and the money meet: the engine says who won how much, the economy what that costs.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from app.economy.postings import escape_posting, refund_posting, win_posting
from app.economy.ranks import points_after_round, rank_of
from app.economy.settlement import NOTHING_MOVES, Pair, Settlement, settle_escape, settle_win
from app.engine.events import names
from app.engine.state import SEATS, Outcome, OutcomeKind, Seat, State
from app.engine.table import multiplier_factors
from app.rooms.decisions import close_decision
from app.rooms.model import Match, RoomPhase, RoomState, RoundPlay
from app.rooms.ports import Player, ResultRecord, RoundRecord, RoundStatus, book_of
from app.rooms.transition import Transition
from app.rules.tiles import EAST, NORTH, from_counts

CLOSING = ("won", "exhausted", "forfeited", "voided")  # events that end a round; its result keeps them


@dataclass(frozen=True, slots=True)
class Verdict:
    """A finished round in numbers; ``outcome`` is win, draw or forfeit, as told to the players."""

    outcome: str
    winner: Seat | None
    total: int
    factors: tuple[int, int, int]
    settlement: Settlement
    points: Pair


def settle(step: Transition) -> None:
    """Settle the round that has just ended and clear the table; a voided one moves nothing."""
    play = step.room.play
    assert play is not None
    assert play.state.outcome is not None
    for seat in SEATS:
        close_decision(step, seat)
    if play.state.outcome.kind is OutcomeKind.VOIDED:
        _finish(step, play, RoundStatus.VOIDED, play.closing)
        return
    players = step.known_players()
    verdict = judge(play, (players[0], players[1]), step.room.tier.rake_bp)
    data = settled_data(play, verdict, players)
    _pay(step, play, verdict, players)
    step.log("settled", data, play.record.id)
    _finish(step, play, RoundStatus.FINISHED, {**play.closing, "settled": data})
    step.update(match=next_deal(step.room.match, play.state.outcome))


def judge(play: RoundPlay, players: tuple[Player, Player], rake_bp: int) -> Verdict:
    """What an ended (not voided) round means for both; ``players`` as they stand at that moment.

    A round with the computer moves no points. Source: RULES §9.
    """
    verdict = _judge(play, players, rake_bp)
    if book_of(play.record.players).is_practice:
        return replace(verdict, points=(players[0].points, players[1].points))
    return verdict


def _judge(play: RoundPlay, players: tuple[Player, Player], rake_bp: int) -> Verdict:
    state, base = play.state, play.record.base_stake
    outcome = state.outcome
    assert outcome is not None
    coins = (players[0].coins, players[1].coins)
    points = (players[0].points, players[1].points)
    if outcome.kind is OutcomeKind.WON:
        assert outcome.seat is not None
        assert outcome.score is not None
        factors = multiplier_factors(state, outcome.seat)
        multiplier = factors[0] * factors[1] * factors[2]
        total = outcome.score.total
        settlement = settle_win(total, base, multiplier, outcome.seat, coins, rake_bp)
        after = points_after_round(points, winner=outcome.seat, round_points=total * multiplier)
        return Verdict("win", outcome.seat, total, factors, settlement, after)
    factors = multiplier_factors(state)
    if outcome.kind is OutcomeKind.FORFEITED:
        assert outcome.seat is not None
        settlement = settle_escape(base, outcome.seat, coins)
        after = points_after_round(points, escaper=outcome.seat)
        return Verdict("forfeit", 1 - outcome.seat, 0, factors, settlement, after)
    return Verdict("draw", None, 0, factors, NOTHING_MOVES, points)


def next_deal(match: Match, outcome: Outcome) -> Match:
    """Who deals next, under which prevalent wind. Source: RULES §2."""
    dealer = match.dealer
    if outcome.kind is OutcomeKind.WON and outcome.seat != dealer:
        dealer = outcome.seat
    if dealer != match.first_dealer:
        return match._replace(dealer=dealer, dealt_away=True)
    if not match.dealt_away:
        return match._replace(dealer=dealer)
    wind = EAST if match.prevalent == NORTH else match.prevalent + 1
    return match._replace(dealer=dealer, prevalent=wind, dealt_away=False)


def settled_data(play: RoundPlay, verdict: Verdict, players: tuple[Player, Player]) -> dict[str, Any]:
    """The data of ``settled``; ``players`` as they stood before."""
    open_factor, double_factor, ready_factor = verdict.factors
    deltas = verdict.settlement.deltas
    coins = [player.coins for player in players]
    return {
        "outcome": verdict.outcome,
        "winner": verdict.winner,
        "total": verdict.total,
        "base": play.record.base_stake,
        "multiplier": open_factor * double_factor * ready_factor,
        "factors": {"open": open_factor, "double": double_factor, "ready": ready_factor},
        "amount": verdict.settlement.amount,
        "capped": verdict.settlement.capped,
        "rake": verdict.settlement.rake,
        "deltas": list(deltas),
        "coins": {"before": coins, "after": [held + deltas[seat] for seat, held in enumerate(coins)]},
        "points": {"before": [player.points for player in players], "after": list(verdict.points)},
        "ranks": {
            "before": [rank_of(player.points).name for player in players],
            "after": [rank_of(points).name for points in verdict.points],
        },
    }


def _pay(step: Transition, play: RoundPlay, verdict: Verdict, players: tuple[Player, Player]) -> None:
    """Postings and results for the store, new purses for the table."""
    record, settlement = play.record, verdict.settlement
    ids, coins = record.players, (players[0].coins, players[1].coins)
    book = book_of(ids)
    if verdict.outcome != "draw":
        posting = win_posting if verdict.outcome == "win" else escape_posting
        step.postings.append(posting(record.id, settlement, ids, coins, book))
    for seat in SEATS:
        purse = coins[seat] + settlement.deltas[seat]
        step.set_player(seat, replace(players[seat], coins=purse, points=verdict.points[seat]))
        if book.is_practice:
            continue
        result = ResultRecord(
            round_id=record.id,
            user_id=ids[seat],
            seat=seat,
            outcome=_result_word(verdict, seat),
            coins_delta=settlement.deltas[seat],
            points_before=players[seat].points,
            points_after=verdict.points[seat],
            total_fan=verdict.total if verdict.winner == seat else 0,
            dealt_in=play.state.outcome is not None and play.state.outcome.source == seat,
        )
        step.results.append(result)


def _result_word(verdict: Verdict, seat: Seat) -> str:
    if verdict.outcome == "draw":
        return "drawn"
    if verdict.outcome == "forfeit":
        return "deserted" if verdict.winner == seat else "escaped"
    return "won" if verdict.winner == seat else "lost"


def table_fee(room: RoomState) -> int:
    """What each player pays for a round, in coins; nothing with the computer. Source: RULES §9."""
    return 0 if room.practice else room.tier.table_fee


def refund_fee(step: Transition) -> list[int]:
    """A voided round's table fee goes back; the purses after it, by seat. Source: RULES §3.6."""
    fee = table_fee(step.room)
    if fee:
        assert step.room.play is not None
        record = step.room.play.record
        players = step.known_players()
        step.postings.append(refund_posting(record.id, fee, record.players))
        for seat in SEATS:
            step.set_player(seat, replace(players[seat], coins=players[seat].coins + fee))
    return [step.seat(seat).player.coins for seat in SEATS]


def _finish(step: Transition, play: RoundPlay, status: RoundStatus, closing: Any) -> None:
    """Reveal everything, close the record, count who was absent all through. Source: RULES §10."""
    revealed = revealed_data(play.record, play.state)
    step.log("revealed", revealed, play.record.id)
    closing = {**closing, "revealed": revealed}
    record = replace(play.record, status=status, result=closing)
    step.save_round(record)
    step.update(phase=RoomPhase.WAITING, play=play._replace(record=record, closing=closing))
    for seat in SEATS:
        sitting = step.seat(seat)
        absent_rounds = 0 if sitting.seen else sitting.absent_rounds + 1
        step.update_seat(seat, absent_rounds=absent_rounds)


def revealed_data(record: RoundRecord, state: State) -> dict[str, Any]:
    """Both hands, the wall and the shuffle's secrets. Source: PROTOCOL §4."""
    return {
        "round_id": record.id,
        "hands": [names(from_counts(hand.counts)) for hand in state.hands],
        "wall": names(state.wall),
        "shuffle": record.shuffle,
        "secret": record.secret,
        "nonce": record.nonce,
        "entropy": list(record.entropy or ()),
        "commitment": record.commitment,
    }
