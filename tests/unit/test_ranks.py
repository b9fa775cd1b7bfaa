"""Titles and points. Source: RULES §11."""

from __future__ import annotations

import pytest

from app.economy.ranks import RANKS, next_rank, points_after_round, rank_of


def test_sixteen_titles_in_rising_order() -> None:
    thresholds = [rank.points for rank in RANKS]
    assert len(RANKS) == 16
    assert thresholds == sorted(set(thresholds))


@pytest.mark.parametrize("index", range(16))
def test_a_title_is_held_from_its_threshold_on(index: int) -> None:
    rank = RANKS[index]
    assert rank_of(rank.points) == rank
    assert next_rank(rank.points) == (RANKS[index + 1] if index < 15 else None)
    if index:
        assert rank_of(rank.points - 1) == RANKS[index - 1]
        assert next_rank(rank.points - 1) == rank


def test_points_of_a_won_drawn_and_escaped_round() -> None:
    assert points_after_round((1_000, 1_000), winner=1, round_points=832) == (168, 1_832)
    assert points_after_round((1_000, 100), winner=0, round_points=832) == (1_832, 0)
    assert points_after_round((1_000, 100)) == (1_000, 100)
    assert points_after_round((31, 100), escaper=0) == (0, 100)
    assert points_after_round((31, 100), escaper=1) == (31, 68)
