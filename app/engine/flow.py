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
from app.engine.legal import can_win_on, claim_actions, is_heavenly
from app.engine.melds import Meld, MeldKind
from app.engine.state import (
    SEATS,
    DiscardedTile,
    DrawnFrom,
    LastTile,
    Outcome,
    OutcomeKind,
    Phase,
    Ready,
    Seat,
)
from app.engine.table import multiplier_factors
from app.engine.wins import score_win
from app.rules.tiles import Tile, from_counts, is_flower

# Where in the wall each seat's tiles lie (RULES §3.2): three times two stacks each in turn, then the dealer
# takes two upper tiles, skipping a stack, and the other the lower tile between them.
DEALER_PLACES = (0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 28)
OTHER_PLACES = (4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 25)


def begin(draft: Draft) -> None:
    """Open the 明牌 offer, or deal at once where the tier has none."""
    if draft.options.open_hand:
        draft.phase = Phase.OPEN_HAND_OFFER
        draft.events.append(ev.OfferOpened("open_hand"))
    else:
        _deal(draft)


def play(draft: Draft, seat: Seat, action: Action) -> None:
    """Play one legal action of a seat."""
    _PLAYS[action.kind](draft, seat, action.tile)


# --- before the first turn ---------------------------------------------------------------------------------


def _answer_open_hand(draft: Draft, seat: Seat, answer: Action) -> None:
    _take_answer(draft, seat, answer)
    if None in draft.answers:
        return
    draft.openers = _takers(draft, act.OPEN_HAND)
    _close_offer(draft, "open_hand", draft.openers)
    _deal(draft)


def _answer_double(draft: Draft, seat: Seat, answer: Action) -> None:
    _take_answer(draft, seat, answer)
    # With 天聽 the pause lasts a fixed time, so that its end tells nothing of what was asked (RULES §3.4).
    if None not in draft.answers and not draft.rules.has_heavenly_ready:
        _close_pause(draft)


def _take_answer(draft: Draft, seat: Seat, answer: Action) -> None:
    first, second = draft.answers
    draft.answers = (answer, second) if seat == 0 else (first, answer)


def _answer_heavenly_ready(draft: Draft, answer: Action) -> None:
    draft.ready_answer = answer


def _close_pause(draft: Draft) -> None:
    offer = "double" if draft.options.double else "opening"
    draft.doublers = _takers(draft, act.DOUBLE)
    _close_offer(draft, offer, draft.doublers)
    if draft.ready_answer == act.DECLARE_READY:
        other = 1 - draft.dealer
        draft.hand(other).ready = Ready.HEAVENLY
        draft.events.append(ev.ReadyDeclared(other, heavenly=True))
    _begin_turn(draft, draft.dealer, DrawnFrom.DEAL)


def _takers(draft: Draft, answer: Action) -> tuple[bool, bool]:
    return (draft.answers[0] == answer, draft.answers[1] == answer)


def _close_offer(draft: Draft, offer: str, takers: tuple[bool, bool]) -> None:
    draft.answers = (None, None)
    seats = tuple(seat for seat in SEATS if takers[seat])
    opened, doubled, _ = multiplier_factors(draft)
    draft.events.append(ev.OfferClosed(offer, seats, opened * doubled))


def _deal(draft: Draft) -> None:
    wall, dealer = draft.wall, draft.dealer
    places = (DEALER_PLACES, OTHER_PLACES) if dealer == 0 else (OTHER_PLACES, DEALER_PLACES)
    dealt = [[wall[place] for place in places[seat]] for seat in SEATS]
    taken = {*DEALER_PLACES, *OTHER_PLACES}
    draft.pile = tuple(tile for place, tile in enumerate(wall) if place not in taken)
    draft.head, draft.tail = 0, len(draft.pile)
    drawn = wall[DEALER_PLACES[-1]]
    shown = [tuple(sorted(tiles)) for tiles in (dealt[0], dealt[1])]
    shown[dealer] = tuple(sorted(dealt[dealer][:-1]))
    draft.events.append(ev.Dealt(dealer, draft.dice, (shown[0], shown[1]), drawn, draft.wall_left))
    for seat in SEATS:
        for tile in dealt[seat]:
            if not is_flower(tile):
                draft.hand(seat).counts[tile] += 1
    draft.hand(dealer).drawn = drawn
    for seat in (dealer, 1 - dealer):
        for flower in [tile for tile in dealt[seat] if is_flower(tile)]:
            _replace_flowers(draft, seat, flower)
    if draft.options.double or draft.rules.has_heavenly_ready:
        draft.phase = Phase.OPENING_PAUSE
        draft.events.append(ev.OfferOpened("double" if draft.options.double else "opening"))
    else:
        _begin_turn(draft, dealer, DrawnFrom.DEAL)


# --- drawing -----------------------------------------------------------------------------------------------


def _replace_flowers(draft: Draft, seat: Seat, flower: Tile) -> bool:
    """Lay a flower open and draw until no flower comes; False when the wall ran out. Source: RULES §3.3."""
    hand = draft.hand(seat)
    tile: Tile | None = flower
    while tile is not None and is_flower(tile):
        hand.flowers += (tile,)
        replacement = None
        if draft.wall_left:
            draft.tail -= 1
            replacement = draft.pile[draft.tail]
        draft.events.append(ev.FlowerReplaced(seat, tile, replacement, draft.wall_left))
        tile = replacement
    if tile is None:
        return False
    hand.counts[tile] += 1
    if hand.drawn >= 0:  # the replacement is then the tile last received (RULES §7.10)
        hand.drawn = tile
    return True


def _draw(draft: Draft, seat: Seat, source: DrawnFrom) -> None:
    """The next tile: from the head, or for a kong from the tail. An empty wall ends the round."""
    left = draft.tail - draft.head - 1
    if left < 0:
        _end_exhausted(draft)
        return
    if source is DrawnFrom.KONG:
        draft.tail -= 1
        tile = draft.pile[draft.tail]
    else:
        tile = draft.pile[draft.head]
        draft.head += 1
    hand = draft.hand(seat)
    draft.events.append(ev.TileDrawn(seat, tile, left, source is DrawnFrom.KONG))
    hand.drawn = tile
    if is_flower(tile):
        source = DrawnFrom.FLOWER
        if not _replace_flowers(draft, seat, tile):
            hand.drawn = -1
            _end_exhausted(draft)
            return
    else:
        hand.counts[tile] += 1
    _begin_turn(draft, seat, source)


def _begin_turn(draft: Draft, seat: Seat, source: DrawnFrom) -> None:
    draft.phase = Phase.TURN
    draft.turn = seat
    draft.drawn_from = source
    draft.passed = False
    draft.last = None


# --- a turn ------------------------------------------------------------------------------------------------


def _discard(draft: Draft, seat: Seat, tile: Tile) -> None:
    _throw(draft, seat, tile, None)


def _discard_ready(draft: Draft, seat: Seat, tile: Tile) -> None:
    _throw(draft, seat, tile, Ready.HEAVENLY if is_heavenly(draft, seat) else Ready.READY)


def _throw(draft: Draft, seat: Seat, tile: Tile, ready: Ready | None) -> None:
    hand = draft.hand(seat)
    from_draw = hand.drawn == tile
    hand.counts[tile] -= 1
    hand.drawn = -1
    hand.discards += (DiscardedTile(tile, from_draw, ready is not None),)
    draft.discards += 1
    draft.events.append(ev.TileDiscarded(seat, tile, from_draw))
    if ready is not None:
        hand.ready = ready
        draft.events.append(ev.ReadyDeclared(seat, ready is Ready.HEAVENLY))
    other = 1 - seat
    draft.last = LastTile(seat, tile)
    draft.turn = other
    draft.phase = Phase.CLAIM
    if not claim_actions(draft, other):
        _draw(draft, other, DrawnFrom.WALL)


def _concealed_kong(draft: Draft, seat: Seat, tile: Tile) -> None:
    hand = draft.hand(seat)
    hand.counts[tile] = 0
    hand.drawn = -1
    hand.melds += (Meld(MeldKind.CONCEALED_KONG, tile),)
    _after_kong(draft, seat, MeldKind.CONCEALED_KONG, tile)
    _draw(draft, seat, DrawnFrom.KONG)


def _added_kong(draft: Draft, seat: Seat, tile: Tile) -> None:
    hand = draft.hand(seat)
    hand.counts[tile] -= 1
    hand.drawn = -1
    _replace_meld(hand, MeldKind.PUNG, MeldKind.ADDED_KONG, tile)
    _after_kong(draft, seat, MeldKind.ADDED_KONG, tile)
    draft.last = LastTile(seat, tile, is_kong=True)
    draft.turn = 1 - seat
    draft.phase = Phase.ROB
    if not can_win_on(draft, 1 - seat, tile):
        _draw(draft, seat, DrawnFrom.KONG)


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
    giver = draft.hand(draft.last.seat)
    giver.discards = (*giver.discards[:-1], giver.discards[-1]._replace(claimed=True))
    return draft.last.tile


def _chow(draft: Draft, seat: Seat, low: Tile) -> None:
    tile = _take_discard(draft)
    hand = draft.hand(seat)
    meld = Meld(MeldKind.CHOW, low, tile)
    for other in meld.tiles:
        if other != tile:
            hand.counts[other] -= 1
    draft.events.append(ev.ChowMade(seat, tile, meld))
    _after_claim(draft, seat, meld)


def _pung(draft: Draft, seat: Seat, tile: Tile) -> None:
    _take_discard(draft)
    draft.hand(seat).counts[tile] -= 2
    draft.events.append(ev.PungMade(seat, tile))
    _after_claim(draft, seat, Meld(MeldKind.PUNG, tile, tile))


def _after_claim(draft: Draft, seat: Seat, meld: Meld) -> None:
    draft.hand(seat).melds += (meld,)
    draft.calls += 1
    _begin_turn(draft, seat, DrawnFrom.CLAIM)


def _exposed_kong(draft: Draft, seat: Seat, tile: Tile) -> None:
    _take_discard(draft)
    hand = draft.hand(seat)
    hand.counts[tile] = 0
    hand.melds += (Meld(MeldKind.EXPOSED_KONG, tile, tile),)
    _after_kong(draft, seat, MeldKind.EXPOSED_KONG, tile)
    _draw(draft, seat, DrawnFrom.KONG)


def _pass(draft: Draft, seat: Seat) -> None:
    if draft.phase is Phase.OPENING_PAUSE:
        _answer_heavenly_ready(draft, act.PASS)
    elif draft.phase is Phase.CLAIM:
        _draw(draft, seat, DrawnFrom.WALL)
    elif draft.phase is Phase.ROB:
        _draw(draft, 1 - seat, DrawnFrom.KONG)
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
        _replace_meld(draft.hand(claimed.seat), MeldKind.ADDED_KONG, MeldKind.PUNG, tile)
        draft.events.append(ev.KongRobbed(claimed.seat, tile))
    hand = list(from_counts(draft.hands[seat].counts))
    if claimed is None:
        hand.remove(tile)
    multiplier = factors[0] * factors[1] * factors[2]
    won = ev.RoundWon(seat, source, tile, tuple(hand), score.fans, score.total, multiplier)
    draft.events.append(won)
    _end(draft, Outcome(OutcomeKind.WON, seat, source, tile, score))


def _end_exhausted(draft: Draft) -> None:
    draft.events.append(ev.WallExhausted())
    _end(draft, Outcome(OutcomeKind.EXHAUSTED))


def _forfeit(draft: Draft, seat: Seat) -> None:
    draft.events.append(ev.RoundForfeited(seat))
    _end(draft, Outcome(OutcomeKind.FORFEITED, seat))


def _void(draft: Draft) -> None:
    draft.events.append(ev.RoundVoided())
    _end(draft, Outcome(OutcomeKind.VOIDED))


def _end(draft: Draft, outcome: Outcome) -> None:
    draft.phase = Phase.ENDED
    draft.last = None
    draft.outcome = outcome


_PLAYS: dict[ActionKind, Callable[[Draft, Seat, Tile], None]] = {
    ActionKind.OPEN_HAND: lambda draft, seat, _: _answer_open_hand(draft, seat, act.OPEN_HAND),
    ActionKind.KEEP_CLOSED: lambda draft, seat, _: _answer_open_hand(draft, seat, act.KEEP_CLOSED),
    ActionKind.DOUBLE: lambda draft, seat, _: _answer_double(draft, seat, act.DOUBLE),
    ActionKind.NO_DOUBLE: lambda draft, seat, _: _answer_double(draft, seat, act.NO_DOUBLE),
    ActionKind.READY: lambda draft, _seat, _: _answer_heavenly_ready(draft, act.DECLARE_READY),
    ActionKind.DISCARD: _discard,
    ActionKind.DISCARD_READY: _discard_ready,
    ActionKind.CHOW: _chow,
    ActionKind.PUNG: _pung,
    ActionKind.EXPOSED_KONG: _exposed_kong,
    ActionKind.CONCEALED_KONG: _concealed_kong,
    ActionKind.ADDED_KONG: _added_kong,
    ActionKind.WIN: lambda draft, seat, _: _win(draft, seat),
    ActionKind.PASS: lambda draft, seat, _: _pass(draft, seat),
    ActionKind.CLOSE: lambda draft, _seat, _: _close_pause(draft),
    ActionKind.FORFEIT: lambda draft, seat, _: _forfeit(draft, seat),
    ActionKind.VOID: lambda draft, _seat, _: _void(draft),
}
