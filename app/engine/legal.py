"""What a seat may do: the only source of legality. Source: RULES §3–§5.

The functions read a :class:`~app.engine.state.State` or a draft of one alike.
"""

from __future__ import annotations

from typing import TypeAlias

from app.engine import actions as act
from app.engine.actions import Action
from app.engine.melds import Meld, MeldKind
from app.engine.scoring import is_winning, waits
from app.engine.state import CLOCK, DrawnFrom, Phase, Seat
from app.engine.table import AnyHand, Table
from app.engine.wins import reaches_min_fan
from app.rules.ruleset import ReadyRule
from app.rules.tiles import COPIES, PLAYABLE_KINDS, SUIT_KINDS, Counts, Tile

Actions: TypeAlias = tuple[Action, ...]

_OPEN_HAND_ANSWERS = (act.OPEN_HAND, act.KEEP_CLOSED)
_DOUBLE_ANSWERS = (act.DOUBLE, act.NO_DOUBLE)
_READY_ANSWERS = (act.DECLARE_READY, act.PASS)


def legal_actions(table: Table, seat: Seat) -> Actions:
    """All actions open to ``seat`` now, in a fixed order; empty when nothing is asked of it.

    For :data:`CLOCK` it is the end of a pause that lasts a fixed time.
    """
    phase = table.phase
    if phase is Phase.TURN:
        return turn_actions(table, seat) if seat == table.turn else ()
    if phase is Phase.CLAIM:
        return claim_actions(table, seat) if seat == table.turn else ()
    if phase is Phase.ROB:
        return (act.WIN, act.PASS) if seat == table.turn else ()
    if phase is Phase.OPEN_HAND_OFFER:
        return _OPEN_HAND_ANSWERS if seat != CLOCK and table.answers[seat] is None else ()
    if phase is Phase.OPENING_PAUSE:
        return _pause_actions(table, seat)
    return ()


def is_forced(table: Table, seat: Seat) -> bool:
    """A ready hand with nothing left but to discard the drawn tile: the server does it. Source: RULES §5."""
    if table.phase is not Phase.TURN or seat != table.turn or table.hands[seat].ready is None:
        return False
    return len(turn_actions(table, seat)) == 1


def _pause_actions(table: Table, seat: Seat) -> Actions:
    has_clock = table.rules.has_heavenly_ready
    if seat == CLOCK:
        return (act.CLOSE,) if has_clock else ()
    if table.options.double and table.answers[seat] is None:
        return _DOUBLE_ANSWERS
    if has_clock and seat != table.dealer and table.ready_answer is None:
        hand = table.hands[seat]
        return _READY_ANSWERS if waits(tuple(hand.counts), hand.melds) else ()
    return ()


def turn_actions(table: Table, seat: Seat) -> Actions:
    """The options of the seat that holds the tile to discard."""
    hand = table.hands[seat]
    options: list[Action] = []
    if table.drawn_from is not DrawnFrom.CLAIM and not table.passed:
        if can_win_drawn(table, seat):
            options.append(act.WIN)
        options += _kongs_of_hand(table, hand)
    if hand.ready is not None:
        forced = act.DISCARD[hand.drawn]
        return (*options, act.PASS) if options else (forced,)
    counts = hand.counts
    options += [act.DISCARD[tile] for tile in range(PLAYABLE_KINDS) if counts[tile]]
    options += [act.DISCARD_READY[tile] for tile in ready_discards(table, seat)]
    return tuple(options)


def claim_actions(table: Table, seat: Seat) -> Actions:
    """The reactions to the discard ``last``; empty when there is none but to pass."""
    assert table.last is not None  # the phase guarantees it
    tile = table.last.tile
    hand = table.hands[seat]
    options: list[Action] = []
    if can_win_on(table, seat, tile):
        options.append(act.WIN)
    held = hand.counts[tile]
    if held == COPIES - 1 and table.wall_left and _keeps_waits(hand, MeldKind.EXPOSED_KONG, tile):
        options.append(act.EXPOSED_KONG[tile])
    if hand.ready is None and (table.wall_left or table.rules.claims_after_last_tile):
        if held >= 2:
            options.append(act.PUNG[tile])
        options += [act.CHOW[low] for low in _chow_lows(hand, tile)]
    return (*options, act.PASS) if options else ()


def can_win_drawn(table: Table, seat: Seat) -> bool:
    hand = table.hands[seat]
    return is_winning(tuple(hand.counts), len(hand.melds)) and reaches_min_fan(table, seat, None)


def can_win_on(table: Table, seat: Seat, tile: Tile) -> bool:
    """Whether ``seat`` wins by taking ``tile`` from the opponent (a discard or an added kong)."""
    hand = table.hands[seat]
    counts = list(hand.counts)
    counts[tile] += 1
    return is_winning(tuple(counts), len(hand.melds)) and reaches_min_fan(table, seat, tile)


def ready_discards(table: Table, seat: Seat) -> tuple[Tile, ...]:
    """The discards that ready may be declared with. Source: RULES §5."""
    if not _may_declare(table, seat):
        return ()
    hand = table.hands[seat]
    return tuple(
        tile
        for tile in range(PLAYABLE_KINDS)
        if hand.counts[tile] and waits(_without(hand.counts, tile, 1), hand.melds)
    )


def is_heavenly(table: Table, seat: Seat) -> bool:
    """The dealer's very first discard, no kong before it, in a rule set with 天聽. Source: RULES §5."""
    return table.rules.has_heavenly_ready and seat == table.dealer and not (table.discards or table.calls)


def _may_declare(table: Table, seat: Seat) -> bool:
    rule = table.rules.ready
    hand = table.hands[seat]
    if hand.ready is not None or rule is ReadyRule.NEVER:
        return False
    if rule is ReadyRule.HEAVENLY_ONLY:
        return is_heavenly(table, seat)
    return rule is ReadyRule.ANY or not any(meld.kind.is_exposed for meld in hand.melds)


def _kongs_of_hand(table: Table, hand: AnyHand) -> list[Action]:
    """Concealed and added kongs. Source: RULES §4; for a ready hand §5."""
    if not table.wall_left:
        return []
    kongs = [
        act.CONCEALED_KONG[tile]
        for tile, count in enumerate(hand.counts)
        if count == COPIES and _keeps_waits(hand, MeldKind.CONCEALED_KONG, tile)
    ]
    kongs += [
        act.ADDED_KONG[meld.tile]
        for meld in hand.melds
        if meld.kind is MeldKind.PUNG
        and hand.counts[meld.tile]
        and _keeps_waits(hand, MeldKind.ADDED_KONG, meld.tile)
    ]
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


def _chow_lows(hand: AnyHand, tile: Tile) -> list[Tile]:
    """The lowest tiles of the sequences ``tile`` completes, two of whose tiles are held."""
    if tile >= SUIT_KINDS:
        return []
    counts = hand.counts
    lows = range(max(tile - 2, 0), min(tile, SUIT_KINDS - 3) + 1)
    return [low for low in lows if all(counts[other] for other in (low, low + 1, low + 2) if other != tile)]
