"""What a seat may do: the only source of legality. Source: RULES §3–§5.

The functions read a :class:`~app.engine.state.State` or a draft of one alike.
"""

from __future__ import annotations

from itertools import compress
from typing import TypeAlias

from app.engine import actions as act
from app.engine.actions import Action
from app.engine.draft import Draft
from app.engine.melds import Meld, MeldKind
from app.engine.scoring import is_winning, ready_discards, waits, wins_on
from app.engine.state import CLOCK, DrawnFrom, Phase, Seat, State
from app.engine.table import AnyHand, Table
from app.engine.wins import reaches_min_fan
from app.rules.ruleset import ReadyRule
from app.rules.tiles import COPIES, PLAYABLE_KINDS, SUIT_KINDS, Counts, Tile

Actions: TypeAlias = tuple[Action, ...]

# A state is asked about several times in a row (to offer, to choose, to check), so the last is remembered.
# A draft remembers for itself: it is one object while the round moves on.
_last_asked: list[tuple[State | None, dict[Seat, Actions]]] = [(None, {})]

_OPEN_HAND_ANSWERS = (act.OPEN_HAND, act.KEEP_CLOSED)
_DOUBLE_ANSWERS = (act.DOUBLE, act.NO_DOUBLE)
_READY_ANSWERS = (act.DECLARE_READY, act.PASS)
_ROB_ANSWERS = (act.WIN, act.PASS)
_GO_ON = (act.CLOSE,)


def legal_actions(table: Table, seat: Seat) -> Actions:
    """All actions open to ``seat`` now, in a fixed order; empty when nothing is asked of it.

    For :data:`CLOCK` it is the end of a pause that lasts a fixed time.
    """
    asked = table.asked if isinstance(table, Draft) else _asked_of(table)
    options = asked.get(seat)
    if options is None:
        options = asked[seat] = _legal_actions(table, seat)
    return options


def remember(state: State, asked: dict[Seat, Actions]) -> None:
    """Keep what has been worked out about a state while it was a draft."""
    _last_asked[0] = (state, asked)


def _asked_of(state: State) -> dict[Seat, Actions]:
    last = _last_asked[0]
    if last[0] is not state:
        last = _last_asked[0] = (state, {})
    return last[1]


def _legal_actions(table: Table, seat: Seat) -> Actions:
    phase = table.phase
    if phase is Phase.TURN:
        return turn_actions(table, seat) if seat == table.turn else ()
    if phase is Phase.CLAIM or phase is Phase.ROB:
        return _reactions(table, seat)
    if phase is Phase.OPEN_HAND_OFFER:
        return _OPEN_HAND_ANSWERS if seat != CLOCK and table.answers[seat] is None else ()
    if phase is Phase.OPENING_PAUSE:
        return _pause_actions(table, seat)
    return ()


def _reactions(table: Table, seat: Seat) -> Actions:
    """To a discard or an added kong; where nobody can react the clock goes on (only with ``pauses``)."""
    if seat == table.turn:
        return claim_actions(table, seat) if table.phase is Phase.CLAIM else rob_actions(table, seat)
    if seat == CLOCK and table.options.pauses and not _reactions(table, table.turn):
        return _GO_ON
    return ()


def rob_actions(table: Table, seat: Seat) -> Actions:
    """The reactions to the added kong ``last``; empty when it cannot be robbed."""
    assert table.last is not None  # the phase guarantees it
    return _ROB_ANSWERS if can_win_on(table, seat, table.last.tile) else ()


def is_forced(state: State, seat: Seat) -> bool:
    """A ready hand with nothing left but to discard the drawn tile: the server does it. Source: RULES §5."""
    if state.phase is not Phase.TURN or seat != state.turn or state.hands[seat].ready is None:
        return False
    return len(legal_actions(state, seat)) == 1


def _pause_actions(table: Table, seat: Seat) -> Actions:
    has_clock = table.rules.has_heavenly_ready
    if seat == CLOCK:
        return _GO_ON if has_clock else ()
    if table.options.double and table.answers[seat] is None:
        return _DOUBLE_ANSWERS
    if has_clock and seat != table.dealer and table.ready_answer is None:
        hand = table.hands[seat]
        return _READY_ANSWERS if waits(tuple(hand.counts), hand.melds) else ()
    return ()


def turn_actions(table: Table, seat: Seat) -> Actions:
    """The options of the seat that holds the tile to discard."""
    hand = table.hands[seat]
    counts, melds = tuple(hand.counts), hand.melds
    options: list[Action] = []
    if table.drawn_from is not DrawnFrom.CLAIM and not table.passed:
        if is_winning(counts, len(melds)) and reaches_min_fan(table, seat, None):
            options.append(act.WIN)
        if (melds or COPIES in counts) and table.wall_left:
            options += _kongs_of_hand(hand)
    if hand.ready is not None:
        forced = act.DISCARD[hand.drawn]
        return (*options, act.PASS) if options else (forced,)
    options += compress(act.DISCARD, counts)
    if _may_declare(table, seat):
        options += [act.DISCARD_READY[tile] for tile in ready_discards(counts, melds)]
    return tuple(options)


def claim_actions(table: Table, seat: Seat) -> Actions:
    """The reactions to the discard ``last``; empty when there is none but to pass."""
    assert table.last is not None  # the phase guarantees it
    tile = table.last.tile
    hand = table.hands[seat]
    options: list[Action] = [act.WIN] if can_win_on(table, seat, tile) else []
    held = hand.counts[tile]
    if held == COPIES - 1 and table.wall_left and _keeps_waits(hand, MeldKind.EXPOSED_KONG, tile):
        options.append(act.EXPOSED_KONG[tile])
    if hand.ready is None and (table.tail > table.head or table.rules.claims_after_last_tile):
        if held >= 2:
            options.append(act.PUNG[tile])
        for low, one, other in _CHOWS_WITH[tile]:
            if hand.counts[one] and hand.counts[other]:
                options.append(act.CHOW[low])
    return (*options, act.PASS) if options else ()


def can_win_on(table: Table, seat: Seat, tile: Tile) -> bool:
    """Whether ``seat`` wins by taking ``tile`` from the opponent (a discard or an added kong)."""
    hand = table.hands[seat]
    return wins_on(tuple(hand.counts), len(hand.melds), tile) and reaches_min_fan(table, seat, tile)


def is_heavenly(table: Table, seat: Seat) -> bool:
    """The dealer's very first discard, no kong before it, in a rule set with 天聽. Source: RULES §5."""
    return table.rules.has_heavenly_ready and seat == table.dealer and not (table.discards or table.calls)


def _may_declare(table: Table, seat: Seat) -> bool:
    """Whether a hand that is not declared yet may be, with a discard. Source: RULES §5."""
    rule = table.rules.ready
    if rule is ReadyRule.ANY:
        return True
    if rule is ReadyRule.CONCEALED:
        return not any(meld.kind.is_exposed for meld in table.hands[seat].melds)
    return rule is ReadyRule.HEAVENLY_ONLY and is_heavenly(table, seat)


def _kongs_of_hand(hand: AnyHand) -> list[Action]:
    """Concealed and added kongs. Source: RULES §4; for a ready hand §5."""
    kongs = []
    if COPIES in hand.counts:
        kongs = [
            act.CONCEALED_KONG[tile]
            for tile, count in enumerate(hand.counts)
            if count == COPIES and _keeps_waits(hand, MeldKind.CONCEALED_KONG, tile)
        ]
    for meld in hand.melds:
        is_held = meld.kind is MeldKind.PUNG and hand.counts[meld.tile]
        if is_held and _keeps_waits(hand, MeldKind.ADDED_KONG, meld.tile):
            kongs.append(act.ADDED_KONG[meld.tile])
    return kongs


_TAKEN = {MeldKind.EXPOSED_KONG: COPIES - 1, MeldKind.CONCEALED_KONG: COPIES, MeldKind.ADDED_KONG: 1}


def _keeps_waits(hand: AnyHand, how: MeldKind, tile: Tile) -> bool:
    """Whether a kong may be made: always, unless the hand is ready and the set of its waits would change."""
    if hand.ready is None:
        return True
    before = _without(hand.counts, hand.drawn, 1) if hand.drawn >= 0 else tuple(hand.counts)
    after = _without(hand.counts, tile, _TAKEN[how])
    others = [meld for meld in hand.melds if meld.kind is not MeldKind.PUNG or meld.tile != tile]
    return waits(before, hand.melds) == waits(after, [*others, Meld(how, tile)])


def _without(counts: Counts | list[int], tile: Tile, number: int) -> Counts:
    left = list(counts)
    left[tile] -= number
    return tuple(left)


# By kind: each sequence it can be in, as its lowest kind and the two other kinds.
_CHOWS_WITH = tuple(
    [
        (low, *(other for other in range(low, low + 3) if other != tile))
        for low in range(max(tile - 2, 0), min(tile, SUIT_KINDS - 3) + 1)
        if tile < SUIT_KINDS
    ]
    for tile in range(PLAYABLE_KINDS)
)
