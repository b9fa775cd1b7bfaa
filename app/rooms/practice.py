"""A table with the computer: its purses never run dry. Source: RULES §9.

Practice coins are worth nothing, so nobody is sent away for want of them: a purse that cannot pay the entry
is filled again, from the practice book's own issuance.
"""

from __future__ import annotations

from dataclasses import replace

from app.economy.entry import check_entry
from app.economy.ledger import COMPUTER_ID, Book
from app.economy.postings import practice_posting
from app.engine.state import SEATS
from app.rooms.ports import Player
from app.rooms.seats import give_seat, go_online
from app.rooms.transition import Transition

FULL_PURSE = 1_000  # base stakes: what a new player holds at the lowest tier
COMPUTER = Player(COMPUTER_ID, "電腦", coins=0, points=0)


def sit_with_computer(step: Transition, player: Player) -> None:
    """Both take their seats, each with practice coins for the entry; the computer is there at once."""
    book = Book(learner=player.id)
    for seat, sitting in zip(SEATS, step.players((COMPUTER_ID, player.id)), strict=True):
        give_seat(step, seat, refilled(step, sitting, step.room.id, book))
        step.set_player(seat, step.seat(seat).player)
    go_online(step, 0)


def refilled(step: Transition, player: Player, occasion: str, book: Book | None = None) -> Player:
    """The player with a purse that can pay the entry; ``occasion`` is an id at which this happens once.

    ``book`` is needed while not both sit yet.
    """
    room = step.room
    refusal = check_entry(
        player.coins, room.base_stake, room.tier.entry_min, None, 0, tier_base=room.tier.base_stake
    )
    if refusal is None:
        return player
    full = max(FULL_PURSE * room.base_stake, player.coins + refusal.short)
    step.postings.append(practice_posting(occasion, player.id, full - player.coins, book or room.book))
    return replace(player, coins=full)
