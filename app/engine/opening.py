"""Before the first turn: 明牌, the deal, flowers, and the pause of 加倍 and 天聽. Source: RULES §3."""

from __future__ import annotations

from app.engine import actions as act
from app.engine import events as ev
from app.engine.actions import Action
from app.engine.draft import Draft
from app.engine.drawing import begin_turn, replace_flowers
from app.engine.state import SEATS, DrawnFrom, Phase, Ready, Seat
from app.engine.table import multiplier_factors
from app.rules.tiles import is_flower

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


def answer_open_hand(draft: Draft, seat: Seat, answer: Action) -> None:
    _take_answer(draft, seat, answer)
    if None in draft.answers:
        return
    draft.openers = _takers(draft, act.OPEN_HAND)
    _close_offer(draft, "open_hand", draft.openers)
    _deal(draft)


def answer_double(draft: Draft, seat: Seat, answer: Action) -> None:
    _take_answer(draft, seat, answer)
    # With 天聽 the pause lasts a fixed time, so that its end tells nothing of what was asked (RULES §3.4).
    if None not in draft.answers and not draft.rules.has_heavenly_ready:
        close_pause(draft)


def _take_answer(draft: Draft, seat: Seat, answer: Action) -> None:
    first, second = draft.answers
    draft.answers = (answer, second) if seat == 0 else (first, answer)


def answer_heavenly_ready(draft: Draft, answer: Action) -> None:
    draft.ready_answer = answer


def close_pause(draft: Draft) -> None:
    offer = "double" if draft.options.double else "opening"
    draft.doublers = _takers(draft, act.DOUBLE)
    _close_offer(draft, offer, draft.doublers)
    if draft.ready_answer == act.DECLARE_READY:
        other = 1 - draft.dealer
        draft.hands[other].ready = Ready.HEAVENLY
        draft.events.append(ev.ReadyDeclared(other, heavenly=True))
    begin_turn(draft, draft.dealer, DrawnFrom.DEAL)


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
                draft.hands[seat].counts[tile] += 1
    draft.hands[dealer].drawn = drawn
    for seat in (dealer, 1 - dealer):
        for flower in [tile for tile in dealt[seat] if is_flower(tile)]:
            replace_flowers(draft, seat, flower)
    if draft.options.double or draft.rules.has_heavenly_ready:
        draft.phase = Phase.OPENING_PAUSE
        draft.events.append(ev.OfferOpened("double" if draft.options.double else "opening"))
    else:
        begin_turn(draft, dealer, DrawnFrom.DEAL)
