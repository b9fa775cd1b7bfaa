"""The best reading: placements, concealed pungs, kongs, combined chows, each rule set's own.

Source: RULES §5, §7.
"""

from __future__ import annotations

from collections.abc import Collection
from random import Random
from typing import Any

import pytest

from app.engine.scoring import NotWinning, Opening, Score, score
from app.rules.ruleset import RULESET_IDS, load_ruleset
from tests.hands import fan_ids, read_hand, score_text, summary

CHOW_FANS = (
    *("quadruple_chow", "four_pure_shifted_chows", "pure_terminal_chows"),
    *("pure_triple_chow", "pure_straight", "pure_shifted_chows"),
    *("pure_double_chow", "short_straight", "two_terminal_chows"),
)
FLOWER_FANS = ("eight_flowers", "seat_flower", "four_seasons", "four_plants", "flower_tiles")


def named(won: Score, fans: Collection[str]) -> str:
    """Those of the score's fans that are among ``fans``, as in a summary."""
    return " ".join(f"{fan.zh}{fan.value * fan.count}" for fan in won.fans if fan.id in fans)


def check(ruleset: str, hand: str, expected: str, **context: Any) -> None:
    assert summary(score_text(ruleset, hand, **context)) == expected


@pytest.mark.parametrize(
    ("hand", "expected"),
    [
        # a discard opens the pung it completes …
        ("[345m] 22277456m11z +7m", "6 = 混一色6"),
        ("[345m] 22277456m11z !7m", "9 = 混一色6 雙暗刻2 自摸1"),
        # … unless it can stand in a chow or the pair of the same reading instead, §7.6
        ("[345m] 22277756m11z +7m", "10 = 混一色6 四歸一2 雙暗刻2"),
        ("[555z] 22234m66644z +2m", "16 = 混一色6 雙箭刻6 四歸一2 雙暗刻2"),
        ("[222z] 333345m6677z +6z", "12 = 混一色6 箭刻2 門風刻2 四歸一2"),
        # three equal tiles that are a pair and part of a chow are no pung
        ("[444z][555z] 2223666m +1m", "9 = 混一色6 箭刻2 么九刻1"),
    ],
)
def test_concealed_pungs(hand: str, expected: str) -> None:
    check("classic64", hand, expected)


@pytest.mark.parametrize(
    ("hand", "expected"),
    [
        ("[222m] 23456778m11z +9m", "9 = 混一色6 四歸一2 連六1"),  # an exposed pung and a chow
        ("[2222m] 34556778m11z +9m", "23 = 一色三步高16 混一色6 明槓1"),  # konged: no 四歸一
        ("1111222233334m !5m", "37 = 清一色24 不求人4 四歸一6 雙暗刻2 么九刻1"),  # once per kind
        ("1111444477m113z +3z", "34 = 七對24 混一色6 四歸一4"),  # four equal tiles as two pairs
    ],
)
def test_four_of_a_kind(hand: str, expected: str) -> None:
    check("classic64", hand, expected)


@pytest.mark.parametrize(
    ("win", "expected"),
    [
        ("1m", "九蓮寶燈88 清龍16 四歸一2"),
        ("2m", "九蓮寶燈88 雙暗刻2 連六1 么九刻1"),
        ("3m", "九蓮寶燈88 連六1"),
        ("4m", "九蓮寶燈88 連六1"),
        ("5m", "九蓮寶燈88 雙暗刻2 么九刻1"),
        ("6m", "九蓮寶燈88 連六1"),
        ("7m", "九蓮寶燈88 連六1"),
        ("8m", "九蓮寶燈88 雙暗刻2 連六1 么九刻1"),
        ("9m", "九蓮寶燈88 清龍16 四歸一2"),
    ],
)
def test_nine_gates_on_each_tile(win: str, expected: str) -> None:
    """九蓮 takes one 么九刻 away; self-drawn it adds 自摸, 不求人 being excluded."""
    assert summary(score_text("classic64", f"1112345678999m +{win}")).endswith(f" = {expected}")
    assert summary(score_text("classic64", f"1112345678999m !{win}")).endswith(f" = {expected} 自摸1")
    for ruleset in RULESET_IDS[1:]:
        assert "pung_of_terminals_or_honors" not in fan_ids(score_text(ruleset, f"1112345678999m +{win}"))


@pytest.mark.parametrize(
    ("hand", "expected"),
    [
        ("[1111m*][2222z][345m] 7779m +9m", "14 = 混一色6 門風刻2 雙暗刻2 暗槓2 么九刻1 明槓1"),
        ("[1111m*][2222z*][345m] 7779m +9m", "31 = 三暗刻16 混一色6 雙暗槓6 門風刻2 么九刻1"),
        ("[1111m*][2222z*][345m] 78m66z +9m", "15 = 混一色6 雙暗槓6 門風刻2 么九刻1"),
        ("[3333m*][5555z][4444z*] 22m77z +7z", "53 = 三槓32 碰碰和6 混一色6 雙箭刻6 雙暗刻2 么九刻1"),
        (
            "[3333m*][5555z][4444z*] 22m77z !7z",
            "68 = 三槓32 三暗刻16 碰碰和6 混一色6 雙箭刻6 么九刻1 自摸1",
        ),
        (
            "[1111m*][2222z*][3333m*][5555z*] 9m !9m",
            "164 = 四槓88 四暗刻64 混一色6 箭刻2 門風刻2 么九刻1 自摸1",
        ),
        (
            "[1111m][2222z+][3333m+][5555z] 9m +9m",
            "105 = 四槓88 混一色6 全求人6 箭刻2 門風刻2 么九刻1",
        ),
    ],
)
def test_kongs(hand: str, expected: str) -> None:
    check("classic64", hand, expected)


@pytest.mark.parametrize(
    ("chows", "mcr", "once"),
    [
        # all four in one fan
        ("[123m][345m] 567789m", "一色四步高32", "一色四步高32 老少副1"),
        ("[123m][234m] 345456m", "一色四步高32", "一色四步高32 連61"),
        # three in one fan, the fourth joins once, 一般高 before 連六 before 老少副
        ("[123m][123m] 456789m", "清龍16 一般高1", "清龍16 一般高1"),
        ("[123m][123m] 123456m", "一色三同順24 連六1", "一色三同順24 連61"),
        ("[123m][123m] 123789m", "一色三同順24 老少副1", "一色三同順24 老少副1"),
        ("[123m][234m] 345345m", "一色三步高16 一般高1", "一色三步高16 一般高1"),
        ("[123m][234m] 345678m", "一色三步高16 連六1", "一色三步高16 連61"),
        ("[123m][234m] 345789m", "一色三步高16 老少副1", "一色三步高16 老少副1"),
        # no larger fan: as many joins as a tree has
        ("[123m][123m] 456456m", "一般高2 連六1", "一般高1 連61"),
        ("[123m][123m] 789789m", "一般高2 老少副1", "一般高1 老少副1"),
        ("[123m][456m] 678678m", "一般高1 連六1", "一般高1 連61"),
        ("[123m][456m] 567789m", "清龍16", "清龍16"),
        ("[123m][456m] 234567m", "連六2", "連61"),
    ],
)
def test_combined_chows(chows: str, mcr: str, once: str) -> None:
    """套算一次 in classic64; each type once in jiule72, where 一色四步高 leaves 連六 and 老少副 standing."""
    assert named(score_text("classic64", f"{chows}7z +7z"), CHOW_FANS) == mcr
    assert named(score_text("jiule72", f"{chows}7z +7z"), CHOW_FANS) == once


@pytest.mark.parametrize(
    ("hand", "mcr", "once"),
    [
        # 圈風 and 門風 stand beside 三風刻 and 小四喜; no wind pung is left for 么九刻
        (
            "[111z][222z] 33355z55m +5m",
            "28 = 三風刻12 碰碰和6 混一色6 圈風刻2 門風刻2",
            "28 = 三風刻12 碰碰和6 混一色6 圈風刻2 門風刻2",
        ),
        (
            "[111z][222z] 33344z55m +5m",
            "80 = 小四喜64 碰碰和6 混一色6 圈風刻2 門風刻2",
            "80 = 小四喜64 碰碰和6 混一色6 圈風刻2 門風刻2",
        ),
    ],
)
def test_wind_pungs(hand: str, mcr: str, once: str) -> None:
    check("classic64", hand, mcr)
    check("baiwan64", hand, once)


@pytest.mark.parametrize(
    ("hand", "mcr", "once"),
    [
        ("[333z][111m] 2255999m +5m", "15 = 碰碰和6 混一色6 么九刻3", 1),
        ("[333z][444z] 2255m666z +5m", "16 = 碰碰和6 混一色6 箭刻2 么九刻2", 0),
        ("[222z][111m] 22555m33z +2m", "15 = 碰碰和6 混一色6 門風刻2 么九刻1", 0),
        ("[222z][333z] 22555m44z +2m", "15 = 碰碰和6 混一色6 門風刻2 么九刻1", 0),
        ("[111m][222m] 33344m77z +4m", "55 = 一色四節高48 混一色6 么九刻1", 1),
    ],
)
def test_pungs_of_terminals_or_honors(hand: str, mcr: str, once: int) -> None:
    """Per pung that no other fan has used; in the other mode an exclusion removes the type altogether."""
    check("classic64", hand, mcr)
    assert fan_ids(score_text("baiwan64", hand)).count("pung_of_terminals_or_honors") == once


def test_winds_belong_to_seat_and_round() -> None:
    hand = "[111z][222z] 12345m77z +3m"
    check("classic64", hand, "11 = 混一色6 圈風刻2 門風刻2 么九刻1", seat_wind="1z", prevalent_wind="1z")
    check("classic64", hand, "9 = 混一色6 門風刻2 么九刻1", seat_wind="1z", prevalent_wind="3z")
    check("jiule72", hand, "7 = 混一色6 幺九刻1")


@pytest.mark.parametrize(
    ("hand", "expected"),
    [
        ("1133557799m115z +5z", "30 = 七對24 混一色6"),
        ("1133557799m115z !5z", "31 = 七對24 混一色6 自摸1"),
        ("1122334556677z !4z", "89 = 字一色64 七對24 自摸1"),
        ("1111m9999m11333z +3z", "68 = 混么九32 七對24 混一色6 四歸一6"),
        ("2233445566778m !8m", "91 = 連七對88 斷么2 自摸1"),
        ("6666777788889m +9m", "88 = 一色四同順48 清一色24 大於五12 門前清2 平和2"),
    ],
)
def test_seven_pairs(hand: str, expected: str) -> None:
    """Tile-content fans hold, waits and 全帶么 do not, 自摸 stands where 不求人 is excluded.

    Source: RULES §7.4, §7.7.
    """
    check("classic64", hand, expected)


PLAIN = "[3333z*] 12345678m66z"


@pytest.mark.parametrize(
    ("ruleset", "hand", "context", "expected"),
    [
        ("baiwan64", f"{PLAIN} +9m", {}, "27 = 清龍16 混一色6 門前清2 暗槓2 幺九刻1"),
        ("baiwan64", f"{PLAIN} +9m", {"ready": True}, "29 = 清龍16 混一色6 立直4 暗槓2 幺九刻1"),
        ("baiwan64", f"{PLAIN} !9m", {"ready": True}, "33 = 清龍16 混一色6 不求人4 立直4 暗槓2 幺九刻1"),
        (
            "baiwan64",
            f"{PLAIN} +9m",
            {"heavenly_ready": True},
            "43 = 清龍16 天聽16 混一色6 門前清2 暗槓2 幺九刻1",
        ),
        (
            "baiwan64",
            f"{PLAIN} +9m",
            {"heavenly_ready": True, "ready": True},
            "43 = 清龍16 天聽16 混一色6 門前清2 暗槓2 幺九刻1",
        ),
        (
            "baiwan64",
            "[3333z] 12345678m66z +9m",
            {"heavenly_ready": True},
            "40 = 清龍16 天聽16 混一色6 幺九刻1 明槓1",
        ),
        ("baiwan64", "[3333z] 12345678m66z +9m", {"ready": True}, "25 = 清龍16 混一色6 報聽1 幺九刻1 明槓1"),
        ("dazhong72", "[3333z] 12345678m66z +9m", {"ready": True}, "24 = 清龍16 混一色6 幺九刻1 明槓1"),
        ("dazhong72", f"{PLAIN} +9m", {"ready": True}, "29 = 清龍16 混一色6 立直4 暗槓2 幺九刻1"),
        (
            "dazhong72",
            f"{PLAIN} +9m",
            {"heavenly_ready": True},
            "43 = 天聽16 清龍16 混一色6 門前清2 暗槓2 幺九刻1",
        ),
        ("jiule72", f"{PLAIN} +9m", {"ready": True}, "27 = 清龍16 混一色6 門前清2 暗杠2 幺九刻1"),
        (
            "jiule72",
            f"{PLAIN} +9m",
            {"heavenly_ready": True},
            "43 = 天聽16 清龍16 混一色6 門前清2 暗杠2 幺九刻1",
        ),
        (
            "classic64",
            f"{PLAIN} +9m",
            {"ready": True, "heavenly_ready": True},
            "27 = 清龍16 混一色6 門前清2 暗槓2 么九刻1",
        ),
    ],
)
def test_ready(ruleset: str, hand: str, context: dict[str, Any], expected: str) -> None:
    """天聽 > 立直 > 報聽, only the highest; 天聽 leaves 門前清, 立直 leaves 不求人. Source: RULES §5."""
    check(ruleset, hand, expected, **context)


@pytest.mark.parametrize(
    ("ruleset", "hand", "context", "expected"),
    [
        (
            "jiule72",
            "1133557799m115z !5z",
            {"opening": Opening.HEAVENLY, "seat_wind": "1z"},
            "78 = 天胡48 七對24 混一色6",
        ),
        (
            "jiule72",
            "12345622278m66z !9m",
            {"opening": Opening.EARTHLY},
            "56 = 地胡32 清龍16 混一色6 四歸一2",
        ),
        (
            "jiule72",
            "12345622278m66z +9m",
            {"opening": Opening.HUMANLY},
            "48 = 人胡24 清龍16 混一色6 四歸一2",
        ),
        (
            "dazhong72",
            "123456222789m6z !6z",
            {"opening": Opening.EARTHLY},
            "57 = 地和32 清龍16 混一色6 四歸一2 單釣將1",
        ),
        (
            "dazhong72",
            "123456222789m6z !6z",
            {"opening": Opening.HEAVENLY, "seat_wind": "1z"},
            "72 = 天和48 清龍16 混一色6 四歸一2",
        ),
        (
            "classic64",
            "123456222789m6z !6z",
            {"opening": Opening.HEAVENLY, "seat_wind": "1z"},
            "29 = 清龍16 混一色6 不求人4 四歸一2 單釣將1",
        ),
        (
            "baiwan64",
            "2223334445551m !1m",
            {"opening": Opening.EARTHLY},
            "225 = 地和88 四暗刻64 一色四節高48 清一色24 幺九頭1",
        ),
        (
            "baiwan64",
            f"{PLAIN} !9m",
            {"last_wall_tile": True, "kong_replacement": True},
            "45 = 清龍16 妙手回春8 槓上開花8 混一色6 不求人4 暗槓2 幺九刻1",
        ),
        (
            "baiwan64",
            "[123m][222m] 56m77666z +7m",
            {"robbing_kong": True, "last_of_kind": True},
            "18 = 搶槓和8 混一色6 箭刻2 四歸一2",
        ),
    ],
)
def test_moments(ruleset: str, hand: str, context: dict[str, Any], expected: str) -> None:
    """天和 and 地和 bar 不求人 and 自摸 both; 妙手 and 槓上 count together.

    Source: RULES §7.7, §7.8, §7.10.
    """
    check(ruleset, hand, expected, **context)


@pytest.mark.parametrize(
    ("flowers", "seat", "expected"),
    [
        ("", "2z", ""),
        ("15f", "2z", "花牌2"),
        ("26f", "2z", "季花2 花牌2"),
        ("1234f", "1z", "季花1 春夏秋冬1 花牌4"),
        ("5678f", "4z", "季花1 梅蘭竹菊1 花牌4"),
        ("12345678f", "3z", "八仙過海88 花牌8"),
    ],
)
def test_flowers(flowers: str, seat: str, expected: str) -> None:
    """One each and per tile; none counts towards a minimum. Source: RULES §7.11."""
    won = score_text("dazhong72", "[123m][444m] 56m77666z +7m", flowers=flowers, seat_wind=seat)
    assert named(won, FLOWER_FANS) == expected
    assert won.base_total == 8


def test_million_stone_counts_whole_kongs() -> None:
    check("baiwan64", "[9999m] 8885673455m +5m", "94 = 百萬石88 四歸一2 二五八將1 連六1 幺九刻1 明槓1")
    check("baiwan64", "7777888899996m +6m", "152 = 百萬石88 一色四同順48 大於五12 門前清2 平和2")
    check("baiwan64", "5566778888999m !9m", "51 = 七對24 清一色24 四歸一2 自摸1")  # 104, but no four sets
    check("baiwan64", "[789m][789m] 7788992m +2m", "140 = 百萬石88 一色四同順48 平和2 二五八將1 單調將1")
    check("baiwan64", "[789m][789m] 7788991m +1m", "80 = 一色四同順48 清一色24 全帶幺4 平和2 幺九頭1 單調將1")


def test_not_winning() -> None:
    for hand in ("[123m] 1235577899m !1z", "1123355779m115z +5z", "[123m][123m] 123m +1m"):
        with pytest.raises(NotWinning):
            score_text("classic64", hand)


@pytest.mark.parametrize("ruleset", RULESET_IDS)
def test_order_of_tiles_and_melds_is_nothing(ruleset: str) -> None:
    """Nor is what was scored before: the same hand twice in a process."""
    rules, random = load_ruleset(ruleset), Random(1)
    hand, melds, context = read_hand("[123m][5555z*][777z] 23m44m +1m")
    first = score(rules, hand, melds, context)
    for _ in range(6):
        shuffled = random.sample(melds, len(melds))
        assert score(rules, hand, shuffled, context) == first
