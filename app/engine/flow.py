"""How a round runs, step by step, on a draft. Source: RULES §3, §4.

Each function plays one thing that a seat chose and everything that follows from it without a choice: a
discard that nobody can claim is followed by the opponent's draw in the same step.
"""

from __future__ import annotations

from collections.abc import Callable

from app.engine import actions as act
from app.engine import events as ev
from app.engine.actions import Action, ActionKind
from app.engine.draft import Draft, HandDraft
from app.engine.drawing import begin_turn, draw, end
from app.engine.legal import Actions, claim_actions, is_heavenly, rob_actions
from app.engine.melds import Meld, MeldKind
from app.engine.opening import answer_double, answer_heavenly_ready, answer_open_hand, close_pause
from app.engine.state import (
    DrawnFrom,
    Outcome,
    OutcomeKind,
    Phase,
    Ready,
    Seat,
    discarded_tile,
    last_tile,
)
from app.engine.table import multiplier_factors
from app.engine.wins import score_win
from app.rules.tiles import Tile, from_counts


def play(draft: Draft, seat: Seat, action: Action) -> None:
    """Play one legal action of a seat."""
    draft.asked = {}
    _PLAYS[action.kind](draft, seat, action.tile)


# --- a turn ------------------------------------------------------------------------------------------------


def _discard_ready(draft: Draft, seat: Seat, tile: Tile) -> None:
    _discard(draft, seat, tile, Ready.HEAVENLY if is_heavenly(draft, seat) else Ready.READY)


def _discard(draft: Draft, seat: Seat, tile: Tile, ready: Ready | None = None) -> None:
    hand = draft.hands[seat]
    from_draw = hand.drawn == tile
    hand.counts[tile] -= 1
    hand.drawn = -1
    hand.discards.append(discarded_tile(tile, from_draw, ready is not None))
    draft.discards += 1
    draft.events.append(ev.tile_discarded(seat, tile, from_draw))
    if ready is not None:
        hand.ready = ready
        draft.events.append(ev.ReadyDeclared(seat, ready is Ready.HEAVENLY))
    other = 1 - seat
    draft.last = last_tile(seat, tile)
    draft.turn = other
    draft.phase = Phase.CLAIM
    if not draft.options.pauses and not _stops_for(draft, claim_actions(draft, other)):
        draw(draft, other, DrawnFrom.WALL)


def _concealed_kong(draft: Draft, seat: Seat, tile: Tile) -> None:
    hand = draft.hands[seat]
    hand.counts[tile] = 0
    hand.drawn = -1
    hand.melds += (Meld(MeldKind.CONCEALED_KONG, tile),)
    _after_kong(draft, seat, MeldKind.CONCEALED_KONG, tile)
    draw(draft, seat, DrawnFrom.KONG)


def _added_kong(draft: Draft, seat: Seat, tile: Tile) -> None:
    hand = draft.hands[seat]
    hand.counts[tile] -= 1
    hand.drawn = -1
    _replace_meld(hand, MeldKind.PUNG, MeldKind.ADDED_KONG, tile)
    _after_kong(draft, seat, MeldKind.ADDED_KONG, tile)
    draft.last = last_tile(seat, tile, True)
    draft.turn = 1 - seat
    draft.phase = Phase.ROB
    if not draft.options.pauses and not _stops_for(draft, rob_actions(draft, 1 - seat)):
        draw(draft, seat, DrawnFrom.KONG)


def _stops_for(draft: Draft, reactions: Actions) -> bool:
    """Whether ``turn`` has a choice. What it has is kept, as it is what will be asked for next."""
    if reactions:
        draft.asked[draft.turn] = reactions
    return bool(reactions)


def _after_kong(draft: Draft, seat: Seat, how: MeldKind, tile: Tile) -> None:
    draft.calls += 1
    draft.events.append(ev.KongMade(seat, how, tile))


def _replace_meld(hand: HandDraft, old: MeldKind, new: MeldKind, tile: Tile) -> None:
    hand.melds = tuple(
        meld._replace(kind=new) if meld.kind is old and meld.tile == tile else meld for meld in hand.melds
    )


# --- a reaction --------------------------------------------------------------------------------------------


def _take_discard(draft: Draft) -> Tile:
    """The discard leaves its river for the claimer; it stays visible there, marked as claimed."""
    assert draft.last is not None  # the phase guarantees it
    giver = draft.hands[draft.last.seat]
    giver.discards[-1] = giver.discards[-1]._replace(claimed=True)
    return draft.last.tile


def _chow(draft: Draft, seat: Seat, low: Tile) -> None:
    tile = _take_discard(draft)
    hand = draft.hands[seat]
    meld = Meld(MeldKind.CHOW, low, tile)
    for other in meld.tiles:
        if other != tile:
            hand.counts[other] -= 1
    draft.events.append(ev.ChowMade(seat, tile, meld))
    _after_claim(draft, seat, meld)


def _pung(draft: Draft, seat: Seat, tile: Tile) -> None:
    _take_discard(draft)
    draft.hands[seat].counts[tile] -= 2
    draft.events.append(ev.PungMade(seat, tile))
    _after_claim(draft, seat, Meld(MeldKind.PUNG, tile, tile))


def _after_claim(draft: Draft, seat: Seat, meld: Meld) -> None:
    draft.hands[seat].melds += (meld,)
    draft.calls += 1
    begin_turn(draft, seat, DrawnFrom.CLAIM)


def _exposed_kong(draft: Draft, seat: Seat, tile: Tile) -> None:
    _take_discard(draft)
    hand = draft.hands[seat]
    hand.counts[tile] = 0
    hand.melds += (Meld(MeldKind.EXPOSED_KONG, tile, tile),)
    _after_kong(draft, seat, MeldKind.EXPOSED_KONG, tile)
    draw(draft, seat, DrawnFrom.KONG)


def _go_on(draft: Draft) -> None:
    """The clock ends a pause: the one before the first turn, or one that nobody used to react."""
    if draft.phase is Phase.OPENING_PAUSE:
        close_pause(draft)
    else:
        _pass(draft, draft.turn)


def _pass(draft: Draft, seat: Seat) -> None:
    if draft.phase is Phase.OPENING_PAUSE:
        answer_heavenly_ready(draft, act.PASS)
    elif draft.phase is Phase.CLAIM:
        draw(draft, seat, DrawnFrom.WALL)
    elif draft.phase is Phase.ROB:
        draw(draft, 1 - seat, DrawnFrom.KONG)
    else:  # a ready seat lets its win or kong go; the forced discard is left
        draft.passed = True


# --- the end -----------------------------------------------------------------------------------------------


def _win(draft: Draft, seat: Seat) -> None:
    claimed = None if draft.phase is Phase.TURN else draft.last
    tile = draft.hands[seat].drawn if claimed is None else claimed.tile
    source = None if claimed is None else claimed.seat
    score = score_win(draft, seat, None if claimed is None else tile)
    factors = multiplier_factors(draft, seat)
    if claimed is not None and claimed.is_kong:
        _replace_meld(draft.hands[claimed.seat], MeldKind.ADDED_KONG, MeldKind.PUNG, tile)
        draft.events.append(ev.KongRobbed(claimed.seat, tile))
    hand = list(from_counts(draft.hands[seat].counts))
    if claimed is None:
        hand.remove(tile)
    multiplier = factors[0] * factors[1] * factors[2]
    won = ev.RoundWon(seat, source, tile, tuple(hand), score.fans, score.total, multiplier)
    draft.events.append(won)
    end(draft, Outcome(OutcomeKind.WON, seat, source, tile, score))


def _forfeit(draft: Draft, seat: Seat) -> None:
    draft.events.append(ev.RoundForfeited(seat))
    end(draft, Outcome(OutcomeKind.FORFEITED, seat))


def _void(draft: Draft) -> None:
    draft.events.append(ev.RoundVoided())
    end(draft, Outcome(OutcomeKind.VOIDED))


_PLAYS: dict[ActionKind, Callable[[Draft, Seat, Tile], None]] = {
    ActionKind.OPEN_HAND: lambda draft, seat, _: answer_open_hand(draft, seat, act.OPEN_HAND),
    ActionKind.KEEP_CLOSED: lambda draft, seat, _: answer_open_hand(draft, seat, act.KEEP_CLOSED),
    ActionKind.DOUBLE: lambda draft, seat, _: answer_double(draft, seat, act.DOUBLE),
    ActionKind.NO_DOUBLE: lambda draft, seat, _: answer_double(draft, seat, act.NO_DOUBLE),
    ActionKind.READY: lambda draft, _seat, _: answer_heavenly_ready(draft, act.DECLARE_READY),
    ActionKind.DISCARD: _discard,
    ActionKind.DISCARD_READY: _discard_ready,
    ActionKind.CHOW: _chow,
    ActionKind.PUNG: _pung,
    ActionKind.EXPOSED_KONG: _exposed_kong,
    ActionKind.CONCEALED_KONG: _concealed_kong,
    ActionKind.ADDED_KONG: _added_kong,
    ActionKind.WIN: lambda draft, seat, _: _win(draft, seat),
    ActionKind.PASS: lambda draft, seat, _: _pass(draft, seat),
    ActionKind.CLOSE: lambda draft, _seat, _: _go_on(draft),
    ActionKind.FORFEIT: lambda draft, seat, _: _forfeit(draft, seat),
    ActionKind.VOID: lambda draft, _seat, _: _void(draft),
}
