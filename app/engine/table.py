"""What can be read off the table, of a frozen state and of a draft alike. Source: RULES §2, §5, §7.8, §8."""

from __future__ import annotations

from typing import TypeAlias

from app.engine.draft import Draft, HandDraft
from app.engine.melds import meld_counts
from app.engine.state import Hand, Seat, State
from app.rules.tiles import COPIES, EAST, PLAYABLE_KINDS, SOUTH, Counts, Tile

Table: TypeAlias = State | Draft
AnyHand: TypeAlias = Hand | HandDraft


def seat_wind(dealer: Seat, seat: Seat) -> Tile:
    """東 for the dealer, 南 for the other. Source: RULES §2."""
    return EAST if seat == dealer else SOUTH


def multiplier_factors(table: Table, winner: Seat | None = None) -> tuple[int, int, int]:
    """The factors for 明牌, 加倍 and 聽牌胡. Source: RULES §8."""
    rules = table.rules
    ready = winner is not None and table.hands[winner].ready is not None
    return (
        rules.open_hand_multiplier ** sum(table.openers),
        rules.double_multiplier ** sum(table.doublers),
        rules.ready_multiplier if ready else 1,
    )


def visible_counts(table: Table) -> Counts:
    """How many of each kind lie open to everybody: rivers and exposed melds. Source: RULES §7.8."""
    counts = [0] * PLAYABLE_KINDS
    for hand in table.hands:
        for discard in hand.discards:
            if not discard.claimed:
                counts[discard.tile] += 1
        exposed = meld_counts(meld for meld in hand.melds if meld.kind.is_exposed)
        counts = [count + more for count, more in zip(counts, exposed, strict=True)]
    return tuple(counts)


def unseen_counts(state: State, seat: Seat) -> Counts:
    """How many of each kind a seat cannot see, an opened opponent's hand apart. Source: RULES §5."""
    seen = list(visible_counts(state))
    for owner, hand in enumerate(state.hands):
        if not state.sees[seat][owner]:
            continue
        concealed = meld_counts(meld for meld in hand.melds if not meld.kind.is_exposed)
        for kind in range(PLAYABLE_KINDS):
            seen[kind] += hand.counts[kind] + concealed[kind]
    return tuple(COPIES - count for count in seen)
