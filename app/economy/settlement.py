"""What a finished round costs whom. Pure, integers only. Source: RULES §9, §10.

Whoever pays pays no more than there is: a win is capped at the poorer player's coins, a penalty at the
escaper's. Fractions of a coin never arise: the rake is rounded down, the half of a penalty that goes to the
opponent is rounded up, and the house has the rest.
"""

from __future__ import annotations

from dataclasses import dataclass

ESCAPE_FACTOR = 32  # a penalty is this many base stakes
BASIS_POINTS = 10_000  # rake_bp of the whole

Pair = tuple[int, int]  # one int per seat


@dataclass(frozen=True, slots=True)
class Settlement:
    """Coins moved by one round.

    ``amount`` is what the paying seat loses, ``rake`` the house's part of it, ``deltas`` the change of each
    purse by seat. ``capped`` tells that a purse held less than the full amount.
    """

    amount: int
    capped: bool
    rake: int
    deltas: Pair

    @property
    def house(self) -> int:
        """What the house receives; with ``deltas`` it sums to zero."""
        return -sum(self.deltas)


NOTHING_MOVES = Settlement(amount=0, capped=False, rake=0, deltas=(0, 0))  # 流局


def settle_win(
    total_fan: int, base_stake: int, multiplier: int, winner: int, coins: Pair, rake_bp: int
) -> Settlement:
    """A won round; ``coins`` are both purses at that moment. Source: RULES §9.

    26 fan at base 10, times 32, the winner holding 5 000:

    >>> settle_win(26, 10, 32, 0, (5_000, 90_000), 500)
    Settlement(amount=5000, capped=True, rake=250, deltas=(4750, -5000))
    """
    due = total_fan * base_stake * multiplier
    amount = min(due, *coins)
    rake = amount * rake_bp // BASIS_POINTS
    return Settlement(amount, amount < due, rake, _by_seat(winner, amount - rake, -amount))


def settle_escape(base_stake: int, escaper: int, coins: Pair) -> Settlement:
    """A round ended by 強退; no multiplier, no rake rate. Source: RULES §10.

    >>> settle_escape(10, 1, (9_000, 33))
    Settlement(amount=33, capped=True, rake=16, deltas=(17, -33))
    """
    amount = penalty_for(base_stake, coins[escaper])
    house = amount // 2
    return Settlement(
        amount, amount < base_stake * ESCAPE_FACTOR, house, _by_seat(escaper, -amount, amount - house)
    )


def penalty_for(base_stake: int, coins: int) -> int:
    """What leaving now would cost a player who holds ``coins``."""
    return min(base_stake * ESCAPE_FACTOR, coins)


def _by_seat(seat: int, mine: int, other: int) -> Pair:
    return (mine, other) if seat == 0 else (other, mine)
