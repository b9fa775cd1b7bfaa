"""Whatever is played for whatever stake: coins sum to zero and no purse goes below it."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from app.economy.postings import escape_posting, win_posting
from app.economy.ranks import points_after_round
from app.economy.settlement import Settlement, settle_escape, settle_win

coins = st.integers(min_value=0, max_value=10**12)
purses = st.tuples(coins, coins)
seats = st.integers(min_value=0, max_value=1)
stakes = st.integers(min_value=1, max_value=10**6)
PLAYERS = ("ann", "bob")


def holds_together(settlement: Settlement, held: tuple[int, int], payer: int) -> None:
    assert sum(settlement.deltas) + settlement.house == 0
    assert all(before + delta >= 0 for before, delta in zip(held, settlement.deltas, strict=True))
    assert settlement.deltas[payer] == -settlement.amount <= 0
    assert settlement.deltas[1 - payer] >= 0
    assert settlement.house == settlement.rake >= 0


@given(
    st.integers(0, 400),
    stakes,
    st.sampled_from([1, 2, 4, 8, 16, 32, 64, 128]),
    seats,
    purses,
    st.integers(0, 10_000),
)
def test_a_win(
    fan: int, base: int, multiplier: int, winner: int, held: tuple[int, int], rake_bp: int
) -> None:
    settlement = settle_win(fan, base, multiplier, winner, held, rake_bp)
    holds_together(settlement, held, 1 - winner)
    assert settlement.amount <= min(held)
    assert settlement.capped == (settlement.amount != fan * base * multiplier)
    assert sum(win_posting("r", settlement, PLAYERS, held).entries.values()) == 0


@given(stakes, seats, purses)
def test_an_escape(base: int, escaper: int, held: tuple[int, int]) -> None:
    settlement = settle_escape(base, escaper, held)
    holds_together(settlement, held, escaper)
    assert 0 <= settlement.deltas[1 - escaper] - settlement.house <= 1
    assert sum(escape_posting("r", settlement, PLAYERS, held).entries.values()) == 0


@given(purses, st.one_of(st.none(), seats), st.integers(0, 10**6))
def test_points_never_fall_below_zero(points: tuple[int, int], winner: int | None, gained: int) -> None:
    after = points_after_round(points, winner=winner, round_points=gained)
    assert min(after) >= 0
    assert sum(after) >= sum(points) if winner is not None else after == points
