"""The checks at the end of RULES §7, word for word."""

from __future__ import annotations

import pytest

from tests.hands import score_text, summary


@pytest.mark.parametrize(
    ("hand", "expected"),
    [
        ("1112345678999m !9m", "107 = 九蓮寶燈88 清龍16 四歸一2 自摸1"),
        ("[123m] 1235577899m !8m", "66 = 一色雙龍會64 坎張1 自摸1"),
        ("[123m][789m] 123m79m11z !8m", "15 = 混一色6 全帶么4 一般高2 老少副1 坎張1 自摸1"),
        ("2223334445551m +1m", "136 = 四暗刻64 一色四節高48 清一色24"),
        ("112233456789m1z +1z", "26 = 清龍16 混一色6 門前清2 一般高1 單釣將1"),
        ("[111z][222z] 12345m77z +3m", "10 = 混一色6 圈風刻2 門風刻2"),
    ],
)
def test_checks_of_the_rules(hand: str, expected: str) -> None:
    assert summary(score_text("classic64", hand)) == expected
