"""Settlement, postings and entry by hand-computed rows. Source: RULES §9, §10, §12."""

from __future__ import annotations

import pytest

from app.economy.entry import EntryRefusal, check_entry, entry_minimum
from app.economy.ledger import HOUSE_ESCAPES, HOUSE_FEES, HOUSE_RAKE, ISSUANCE, Posting, UnbalancedPosting
from app.economy.ledger import PostingKind as Kind
from app.economy.postings import escape_posting, fee_posting, grant_posting, refund_posting, win_posting
from app.economy.settlement import Settlement, penalty_for, settle_escape, settle_win

PLAYERS = ("ann", "bob")


def test_the_worked_example_of_the_rule_book() -> None:
    multiplier = 4 * 2 * 2 * 2
    settlement = settle_win(26, 10, multiplier, 0, (5_000, 90_000), 500)
    assert 26 * 10 * multiplier == 8_320
    assert settlement == Settlement(amount=5_000, capped=True, rake=250, deltas=(4_750, -5_000))


@pytest.mark.parametrize(
    ("amount", "rake"), [(0, 0), (1, 0), (19, 0), (20, 1), (21, 1), (39, 1), (40, 2), (10_000, 500)]
)
def test_rake_is_rounded_down(amount: int, rake: int) -> None:
    settlement = settle_win(amount, 1, 1, 1, (10_000, 10_000), 500)
    assert settlement == Settlement(amount, capped=False, rake=rake, deltas=(-amount, amount - rake))


@pytest.mark.parametrize(
    ("coins", "amount", "capped"),
    [
        ((1_000, 1_000), 1_000, False),  # exactly enough is no cap
        ((999, 5_000), 999, True),  # the winner is the poorer
        ((5_000, 999), 999, True),
        ((0, 5_000), 0, True),
        ((5_000, 0), 0, True),
    ],
)
def test_the_poorer_purse_caps_the_amount(coins: tuple[int, int], amount: int, capped: bool) -> None:
    settlement = settle_win(100, 10, 1, 0, coins, 500)
    assert (settlement.amount, settlement.capped) == (amount, capped)


@pytest.mark.parametrize(
    ("base", "held", "amount", "to_opponent", "to_house"),
    [
        (10, 10_000, 320, 160, 160),
        (10, 320, 320, 160, 160),
        (10, 319, 319, 160, 159),  # an odd half goes up, to the opponent
        (10, 1, 1, 1, 0),
        (10, 0, 0, 0, 0),
        (10_000, 500_000, 320_000, 160_000, 160_000),
    ],
)
def test_escape(base: int, held: int, amount: int, to_opponent: int, to_house: int) -> None:
    settlement = settle_escape(base, 1, (7, held))
    assert penalty_for(base, held) == amount
    assert settlement == Settlement(amount, amount < base * 32, to_house, (to_opponent, -amount))


def test_postings_name_their_accounts_and_what_they_expect() -> None:
    won = win_posting("r1", settle_win(10, 10, 1, 0, (500, 600), 500), PLAYERS, (500, 600))
    assert (won.key, won.kind, won.round_id) == ("settlement:r1", Kind.SETTLEMENT, "r1")
    assert won.entries == {"user:ann": 95, "user:bob": -100, HOUSE_RAKE: 5}
    assert won.expect == {"user:ann": 500, "user:bob": 600}

    left = escape_posting("r2", settle_escape(1, 0, (31, 600)), PLAYERS, (31, 600))
    assert left.entries == {"user:ann": -31, "user:bob": 16, HOUSE_ESCAPES: 15}

    fee = fee_posting("r3", 7, PLAYERS, (10, 7))
    assert (fee.key, fee.entries) == ("fee:r3", {"user:ann": -7, "user:bob": -7, HOUSE_FEES: 14})
    assert refund_posting("r3", 7, PLAYERS).entries == {k: -v for k, v in fee.entries.items()}

    grant = grant_posting("ann", 10_000)
    assert (grant.key, grant.entries) == ("grant:ann", {ISSUANCE: -10_000, "user:ann": 10_000})


@pytest.mark.parametrize(
    "entries", [{"a": 1}, {"a": 1, "b": -2}, {"a": 1.0, "b": -1.0}, {"a": True, "b": -1}]
)
def test_a_posting_that_does_not_balance_cannot_be_made(entries: dict[str, int]) -> None:
    with pytest.raises(UnbalancedPosting):
        Posting(key="k", kind=Kind.GRANT, entries=entries)


@pytest.mark.parametrize(
    ("coins", "base", "maximum", "fee", "refusal"),
    [
        (500, 10, None, 0, None),
        (499, 10, None, 0, EntryRefusal(1)),
        (999, 20, None, 0, EntryRefusal(1)),  # the minimum follows the room's base
        (250, 5, None, 0, None),
        (500, 10, 500, 0, None),
        (501, 10, 500, 0, EntryRefusal(0)),
        (599, 10, None, 600, EntryRefusal(1)),  # the fee must be payable
    ],
)
def test_entry(coins: int, base: int, maximum: int | None, fee: int, refusal: EntryRefusal | None) -> None:
    assert check_entry(coins, base, 500, maximum, fee, tier_base=10) == refusal


def test_a_minimum_that_does_not_divide_is_rounded_up() -> None:
    assert entry_minimum(3, tier_base=10, entry_min=505) == 152
