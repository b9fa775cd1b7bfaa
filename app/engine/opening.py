"""Before the first turn: 明牌, the deal, flowers, and the pause of 加倍 and 天聽. Source: RULES §3."""

from __future__ import annotations

from operator import itemgetter

from app.engine import actions as act
from app.engine import events as ev
from app.engine.actions import Action
from app.engine.draft import Draft
from app.engine.drawing import begin_turn, replace_flowers
from app.engine.state import SEATS, DrawnFrom, Phase, Ready, Seat
from app.engine.table import multiplier_factors
from app.rules.tiles import Tile, is_flower

# Where in the wall each seat's tiles lie (RULES §3.2): three times two stacks each in turn, then the dealer
# takes two upper tiles, skipping a stack, and the other the lower tile between them.
DEALER_PLACES = (0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 28)
OTHER_PLACES = (4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 25)

_DEALT = max(DEALER_PLACES) + 1  # the tiles from here on, and those skipped before, are left to be drawn
_dealers_tiles, _others_tiles = itemgetter(*DEALER_PLACES), itemgetter(*OTHER_PLACES)
_skipped = itemgetter(*sorted({*range(_DEALT)}.difference(DEALER_PLACES, OTHER_PLACES)))


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
    draft.pile = _skipped(wall) + wall[_DEALT:]
    draft.head, draft.tail = 0, len(draft.pile)
    hands = _dealers_tiles(wall), _others_tiles(wall)
    _show_deal(draft, *hands)
    for seat, tiles in zip((dealer, 1 - dealer), hands, strict=True):
        counts = draft.hands[seat].counts
        for tile in tiles:
            if not is_flower(tile):
                counts[tile] += 1
    draft.hands[dealer].drawn = hands[0][-1]
    for seat, tiles in zip((dealer, 1 - dealer), hands, strict=True):
        for flower in filter(is_flower, tiles):
            replace_flowers(draft, seat, flower)
    if draft.options.double or draft.rules.has_heavenly_ready:
        draft.phase = Phase.OPENING_PAUSE
        draft.events.append(ev.OfferOpened("double" if draft.options.double else "opening"))
    else:
        begin_turn(draft, dealer, DrawnFrom.DEAL)


def _show_deal(draft: Draft, dealers: tuple[Tile, ...], others: tuple[Tile, ...]) -> None:
    shown = tuple(sorted(dealers[:-1])), tuple(sorted(others))
    by_seat = shown if draft.dealer == 0 else shown[::-1]
    draft.events.append(ev.Dealt(draft.dealer, draft.dice, by_seat, dealers[-1], draft.wall_left))
