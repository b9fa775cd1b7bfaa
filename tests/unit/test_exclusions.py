"""Every exclusion of every rule set: a hand that shows both fans, or why there is none.

Source: RULES §7.2, §7.3.
"""

from __future__ import annotations

from typing import Any

import pytest

from app.engine.scoring import Opening
from app.rules.ruleset import RULESET_IDS, load_ruleset
from tests.hands import fan_ids, read_hand, request_of, score_text
from tests.slow_scorer import fans_of_readings

# The fan that is counted, the fan that it excludes, a hand with both, its circumstances.
EXCLUSIONS: list[tuple[str, str, str, dict[str, Any]]] = [
    ("big_four_winds", "all_pungs", "[111z][222z][333z] 77m44z +4z", {}),
    ("big_four_winds", "big_three_winds", "[111z][222z][333z] 77m44z +4z", {}),
    ("big_four_winds", "prevalent_wind", "[111z][222z][333z] 77m44z +4z", {}),
    ("big_four_winds", "pung_of_terminals_or_honors", "44m11122233444z +3z", {}),
    ("big_four_winds", "seat_wind", "[111z][222z][333z] 77m44z +4z", {}),
    ("big_three_dragons", "dragon_pung", "[555z][777z] 12388m66z +6z", {}),
    ("big_three_dragons", "two_dragon_pungs", "[555z][777z] 12388m66z +6z", {}),
    ("nine_gates", "concealed_hand", "1112345678999m +3m", {}),
    ("nine_gates", "full_flush", "1112345678999m +3m", {}),
    ("nine_gates", "fully_concealed_hand", "1112345678999m !7m", {}),
    ("four_kongs", "all_pungs", "[6666z*][3333m+][7777z][5555m] 4m +4m", {}),
    ("four_kongs", "concealed_kong", "[6666z*][3333m+][7777z][5555m] 4m +4m", {}),
    ("four_kongs", "melded_kong", "[6666z*][3333m+][7777z][5555m] 4m +4m", {}),
    ("four_kongs", "single_wait", "[6666z*][3333m+][7777z][5555m] 4m +4m", {}),
    ("four_kongs", "three_kongs", "[6666z*][3333m+][7777z][5555m] 4m +4m", {}),
    ("four_kongs", "two_concealed_kongs", "[2222z*][6666z*][1111m][3333z] 4z !4z", {}),
    ("four_kongs", "two_melded_kongs", "[6666z*][3333m+][7777z][5555m] 4m +4m", {}),
    ("seven_shifted_pairs", "concealed_hand", "1122334455677m +6m", {}),
    ("seven_shifted_pairs", "full_flush", "1122334455677m +6m", {}),
    ("seven_shifted_pairs", "fully_concealed_hand", "1122334455667m !7m", {}),
    ("seven_shifted_pairs", "seven_pairs", "1122334455677m +6m", {}),
    ("little_four_winds", "big_three_winds", "[222z][444z] 789m1133z +3z", {}),
    ("little_three_dragons", "dragon_pung", "[789m][777z][555m] 5566z +6z", {}),
    ("little_three_dragons", "two_dragon_pungs", "[789m][777z][555m] 5566z +6z", {}),
    ("all_honors", "all_pungs", "[555z][777z] 2233111z +3z", {}),
    ("all_honors", "all_terminals_and_honors", "1122334556677z +4z", {}),
    ("all_honors", "outside_hand", "[555z][777z] 2233111z +3z", {}),
    ("all_honors", "pung_of_terminals_or_honors", "[555z][777z] 2233111z +3z", {}),
    ("four_concealed_pungs", "all_pungs", "1122233666888m !3m", {}),
    ("four_concealed_pungs", "concealed_hand", "3444555888999m +3m", {}),
    ("four_concealed_pungs", "fully_concealed_hand", "1122233666888m !3m", {}),
    ("four_concealed_pungs", "three_concealed_pungs", "1122233666888m !3m", {}),
    ("four_concealed_pungs", "two_concealed_pungs", "1122233666888m !3m", {}),
    ("pure_terminal_chows", "all_chows", "1122355778899m !3m", {}),
    ("pure_terminal_chows", "full_flush", "1122355778899m !3m", {}),
    ("pure_terminal_chows", "pure_double_chow", "1123355778899m +2m", {}),
    ("pure_terminal_chows", "two_terminal_chows", "1123355778899m +2m", {}),
    ("quadruple_chow", "pure_double_chow", "66677778888m77z +6m", {}),
    ("quadruple_chow", "pure_triple_chow", "66677778888m77z +6m", {}),
    ("quadruple_chow", "tile_hog", "[234m] 22233344m77z +4m", {}),
    ("four_pure_shifted_pungs", "all_pungs", "[222m][333m] 44555m77z +4m", {}),
    ("four_pure_shifted_pungs", "pure_shifted_pungs", "[222m][333m] 44555m77z +4m", {}),
    ("four_pure_shifted_chows", "pure_shifted_chows", "123345567789m2z !2z", {}),
    ("four_pure_shifted_chows", "short_straight", "4445666777889m !5m", {}),
    ("four_pure_shifted_chows", "two_terminal_chows", "1334556667789m +2m", {}),
    ("three_kongs", "concealed_kong", "[4444m+][3333z][7777z*] 55m66z +6z", {}),
    ("three_kongs", "melded_kong", "[4444m+][3333z][7777z*] 55m66z +6z", {}),
    ("three_kongs", "two_concealed_kongs", "[3333m*][5555z+][4444z*] 22m77z +7z", {}),
    ("three_kongs", "two_melded_kongs", "[4444m+][3333z][7777z*] 55m66z +6z", {}),
    ("all_terminals_and_honors", "all_pungs", "[111m][999m] 1155566z +6z", {}),
    ("all_terminals_and_honors", "outside_hand", "[111m][999m] 1155566z +6z", {}),
    ("all_terminals_and_honors", "pung_of_terminals_or_honors", "[111m][999m] 1155566z +6z", {}),
    ("seven_pairs", "concealed_hand", "1144556678899m +7m", {}),
    ("seven_pairs", "fully_concealed_hand", "2233445577899m !8m", {}),
    ("pure_triple_chow", "pure_double_chow", "5666677778899m +8m", {}),
    ("three_concealed_pungs", "two_concealed_pungs", "1233555777888m +3m", {}),
    ("last_tile_draw", "self_drawn", "[123m][222m] 56m77666z !7m", {"last_wall_tile": True}),
    ("out_with_replacement_tile", "self_drawn", "[123m][4444m] 56m77666z !7m", {"kong_replacement": True}),
    (
        "robbing_the_kong",
        "last_tile",
        "[123m][222m] 56m77666z +7m",
        {"robbing_kong": True, "last_of_kind": True},
    ),
    ("melded_hand", "single_wait", "[444z][555z][333z][666m] 7z +7z", {}),
    ("two_concealed_kongs", "concealed_kong", "[4444m*][1111m*][789m] 6667m +8m", {}),
    ("two_concealed_kongs", "two_concealed_pungs", "[4444m*][1111m*][789m] 6667m +8m", {}),
    ("two_dragon_pungs", "dragon_pung", "[666z][333z] 1144477z +7z", {}),
    ("fully_concealed_hand", "self_drawn", "1144556677789m !4m", {}),
    ("two_melded_kongs", "melded_kong", "[123m][6666m][7777m] 4445m +5m", {}),
    ("heavenly_hand", "closed_wait", "11222333446m77z !5m", {"opening": Opening.HEAVENLY}),
    ("heavenly_hand", "edge_wait", "1112345689999m !7m", {"opening": Opening.HEAVENLY}),
    ("heavenly_hand", "fully_concealed_hand", "1122233556677z !2z", {"opening": Opening.HEAVENLY}),
    ("heavenly_hand", "self_drawn", "1122233556677z !2z", {"opening": Opening.HEAVENLY}),
    ("heavenly_hand", "single_wait", "123344555667m6z !6z", {"opening": Opening.HEAVENLY}),
    ("earthly_hand", "fully_concealed_hand", "1122334455667m !7m", {"opening": Opening.EARTHLY}),
    ("earthly_hand", "self_drawn", "1122334455667m !7m", {"opening": Opening.EARTHLY}),
    ("humanly_hand", "concealed_hand", "3344556678899m +7m", {"opening": Opening.HUMANLY}),
    ("big_three_dragons", "pung_of_terminals_or_honors", "2223355566777z !6z", {}),
    ("nine_gates", "pung_of_terminals_or_honors", "1112345678999m !6m", {}),
    ("little_four_winds", "pung_of_terminals_or_honors", "1112223344555z +4z", {}),
    ("little_three_dragons", "pung_of_terminals_or_honors", "55677m55566777z +6m", {}),
    ("pure_straight", "short_straight", "1112345678999m +9m", {}),
    ("pure_straight", "two_terminal_chows", "1112345678999m +9m", {}),
    ("big_three_winds", "pung_of_terminals_or_honors", "123m1112244455z +2z", {}),
    ("two_dragon_pungs", "pung_of_terminals_or_honors", "6789m111555666z +6m", {}),
    ("dragon_pung", "pung_of_terminals_or_honors", "56666777889m55z !5z", {}),
    ("eight_flowers", "four_plants", "3355888m222555z !5m", {"flowers": "6f5f7f3f8f2f1f4f"}),
    ("eight_flowers", "four_seasons", "3355888m222555z !5m", {"flowers": "6f5f7f3f8f2f1f4f"}),
    ("eight_flowers", "seat_flower", "3355888m222555z !5m", {"flowers": "6f5f7f3f8f2f1f4f"}),
    ("heavenly_ready", "riichi", "1112277888999m !7m", {"heavenly_ready": True}),
    ("riichi", "concealed_hand", "1222345667789m +5m", {"ready": True}),
    ("prevalent_wind", "pung_of_terminals_or_honors", "234888m1115577z !7z", {}),
    ("seat_wind", "pung_of_terminals_or_honors", "111999m2223366z +6z", {}),
    ("million_stone", "full_flush", "6677778888999m +6m", {}),
    ("heavenly_ready", "ready_hand", "2222334444999m +9m", {"heavenly_ready": True}),
    ("riichi", "ready_hand", "1112335678999m !4m", {"ready": True}),
]

# Exclusions that never have anything to do, in any rule set.
IDLE = {
    # the wait fans are not for seven pairs, and pairs form no chows
    ("seven_shifted_pairs", "single_wait"),
    ("seven_shifted_pairs", "pure_double_chow"),
    ("seven_shifted_pairs", "short_straight"),
    ("seven_pairs", "single_wait"),
    # other readings of the same tiles
    ("pure_terminal_chows", "seven_pairs"),
    ("quadruple_chow", "seven_pairs"),
    ("quadruple_chow", "pure_shifted_pungs"),
    ("four_pure_shifted_pungs", "pure_triple_chow"),
    ("pure_triple_chow", "pure_shifted_pungs"),
    ("pure_shifted_pungs", "pure_triple_chow"),
    # the pair is of another kind than the pungs
    ("big_four_winds", "little_four_winds"),
    ("big_three_dragons", "little_three_dragons"),
    # drawn and discarded at once
    ("fully_concealed_hand", "concealed_hand"),
    # the higher of the two has excluded the other
    ("last_tile", "robbing_the_kong"),
}

# The same where 套算一次 and the 么九刻 rule have decided before any exclusion could (§7.3).
IDLE_IN_MCR = {
    # four wind pungs are used by 大四喜, so none is left for 么九刻
    ("big_four_winds", "pung_of_terminals_or_honors"),
    # chows already combined are not combined again
    ("pure_terminal_chows", "pure_double_chow"),
    ("pure_terminal_chows", "two_terminal_chows"),
    ("quadruple_chow", "pure_double_chow"),
    ("quadruple_chow", "pure_triple_chow"),
    ("four_pure_shifted_chows", "pure_shifted_chows"),
    ("four_pure_shifted_chows", "short_straight"),
    ("four_pure_shifted_chows", "two_terminal_chows"),
    ("pure_triple_chow", "pure_double_chow"),
}


def exclusions(ruleset: str) -> set[tuple[str, str]]:
    """Those of a table between rows that can be reached."""
    fans = {fan.id: fan for fan in load_ruleset(ruleset).fans if not fan.unreachable}
    return {(fan.id, other) for fan in fans.values() for other in fan.excludes if other in fans}


def idle(ruleset: str) -> set[tuple[str, str]]:
    return IDLE | IDLE_IN_MCR if load_ruleset(ruleset).counting == "mcr" else IDLE


CASES = [
    pytest.param(ruleset, *case, id=f"{ruleset}-{case[0]}-{case[1]}")
    for ruleset in RULESET_IDS
    for case in EXCLUSIONS
    if case[:2] in exclusions(ruleset) - idle(ruleset)
]


@pytest.mark.parametrize(("ruleset", "fan_id", "excluded", "hand", "flags"), CASES)
def test_a_counted_fan_excludes(
    ruleset: str, fan_id: str, excluded: str, hand: str, flags: dict[str, Any]
) -> None:
    counted = fan_ids(score_text(ruleset, hand, **flags))
    assert fan_id in counted
    assert excluded not in counted
    shown = fans_of_readings(request_of(ruleset, *read_hand(hand, **flags)))
    assert any(fans.get(fan_id) and fans.get(excluded) for fans in shown), "the hand does not show both"


@pytest.mark.parametrize("ruleset", RULESET_IDS)
def test_every_exclusion_is_accounted_for(ruleset: str) -> None:
    table, listed = exclusions(ruleset), {case[:2] for case in EXCLUSIONS}
    assert table <= listed | idle(ruleset)


def test_no_case_is_left_over() -> None:
    used = set().union(*(exclusions(ruleset) - idle(ruleset) for ruleset in RULESET_IDS))
    assert {case[:2] for case in EXCLUSIONS} == used
    assert set().union(*map(exclusions, RULESET_IDS)) >= IDLE | IDLE_IN_MCR


def test_an_excluded_fan_excludes_nothing() -> None:
    """四暗刻 bars 不求人, which then does not bar 自摸; 三槓 bars 雙暗槓, which then leaves 雙暗刻."""
    concealed = fan_ids(score_text("classic64", "1122233666888m !3m"))
    assert "self_drawn" in concealed
    kongs = fan_ids(score_text("classic64", "[3333m*][5555z+][4444z*] 22m77z +7z"))
    assert "two_concealed_pungs" in kongs
    assert "two_concealed_kongs" not in kongs
