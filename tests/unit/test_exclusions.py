"""Every exclusion of classic64 whose two fans can be in one reading. Source: RULES §7.2, §7.3."""

from __future__ import annotations

import pytest

from app.rules.ruleset import load_ruleset
from tests.hands import fan_ids, read_hand, request_of, score_text
from tests.slow_scorer import fans_of_readings

RULESET = "classic64"

# The fan that is counted, the fan that it excludes, a hand with both.
EXCLUSIONS = [
    ("big_four_winds", "big_three_winds", "[111z][222z][333z] 77m44z +4z"),
    ("big_four_winds", "all_pungs", "[111z][222z][333z] 77m44z +4z"),
    ("big_four_winds", "prevalent_wind", "[111z][222z][333z] 77m44z +4z"),
    ("big_four_winds", "seat_wind", "[111z][222z][333z] 77m44z +4z"),
    ("big_three_dragons", "two_dragon_pungs", "[555z][777z] 12388m66z +6z"),
    ("big_three_dragons", "dragon_pung", "[555z][777z] 12388m66z +6z"),
    ("nine_gates", "full_flush", "1112345678999m +3m"),
    ("nine_gates", "fully_concealed_hand", "1112345678999m !7m"),
    ("nine_gates", "concealed_hand", "1112345678999m +3m"),
    ("four_kongs", "three_kongs", "[6666z*][3333m+][7777z][5555m] 4m +4m"),
    ("four_kongs", "all_pungs", "[6666z*][3333m+][7777z][5555m] 4m +4m"),
    ("four_kongs", "two_concealed_kongs", "[2222z*][6666z*][1111m][3333z] 4z !4z"),
    ("four_kongs", "two_melded_kongs", "[6666z*][3333m+][7777z][5555m] 4m +4m"),
    ("four_kongs", "concealed_kong", "[6666z*][3333m+][7777z][5555m] 4m +4m"),
    ("four_kongs", "melded_kong", "[6666z*][3333m+][7777z][5555m] 4m +4m"),
    ("four_kongs", "single_wait", "[6666z*][3333m+][7777z][5555m] 4m +4m"),
    ("seven_shifted_pairs", "seven_pairs", "1122334455677m +6m"),
    ("seven_shifted_pairs", "full_flush", "1122334455677m +6m"),
    ("seven_shifted_pairs", "fully_concealed_hand", "1122334455667m !7m"),
    ("seven_shifted_pairs", "concealed_hand", "1122334455677m +6m"),
    ("little_four_winds", "big_three_winds", "[222z][444z] 789m1133z +3z"),
    ("little_three_dragons", "two_dragon_pungs", "[789m][777z][555m] 5566z +6z"),
    ("little_three_dragons", "dragon_pung", "[789m][777z][555m] 5566z +6z"),
    ("all_honors", "all_terminals_and_honors", "1122334556677z +4z"),
    ("all_honors", "all_pungs", "[555z][777z] 2233111z +3z"),
    ("all_honors", "outside_hand", "[555z][777z] 2233111z +3z"),
    ("all_honors", "pung_of_terminals_or_honors", "[555z][777z] 2233111z +3z"),
    ("four_concealed_pungs", "three_concealed_pungs", "1122233666888m !3m"),
    ("four_concealed_pungs", "all_pungs", "1122233666888m !3m"),
    ("four_concealed_pungs", "fully_concealed_hand", "1122233666888m !3m"),
    ("four_concealed_pungs", "concealed_hand", "3444555888999m +3m"),
    ("four_concealed_pungs", "two_concealed_pungs", "1122233666888m !3m"),
    ("pure_terminal_chows", "full_flush", "1122355778899m !3m"),
    ("pure_terminal_chows", "all_chows", "1122355778899m !3m"),
    ("quadruple_chow", "tile_hog", "[234m] 22233344m77z +4m"),
    ("four_pure_shifted_pungs", "pure_shifted_pungs", "[222m][333m] 44555m77z +4m"),
    ("four_pure_shifted_pungs", "all_pungs", "[222m][333m] 44555m77z +4m"),
    ("three_kongs", "two_concealed_kongs", "[3333m*][5555z+][4444z*] 22m77z +7z"),
    ("three_kongs", "two_melded_kongs", "[4444m+][3333z][7777z*] 55m66z +6z"),
    ("three_kongs", "concealed_kong", "[4444m+][3333z][7777z*] 55m66z +6z"),
    ("three_kongs", "melded_kong", "[4444m+][3333z][7777z*] 55m66z +6z"),
    ("all_terminals_and_honors", "all_pungs", "[111m][999m] 1155566z +6z"),
    ("all_terminals_and_honors", "outside_hand", "[111m][999m] 1155566z +6z"),
    ("all_terminals_and_honors", "pung_of_terminals_or_honors", "[111m][999m] 1155566z +6z"),
    ("seven_pairs", "fully_concealed_hand", "2233445577899m !8m"),
    ("seven_pairs", "concealed_hand", "1144556678899m +7m"),
    ("three_concealed_pungs", "two_concealed_pungs", "1233555777888m +3m"),
    ("last_tile_draw", "self_drawn", "[123m][222m] 56m77666z !7m"),
    ("out_with_replacement_tile", "self_drawn", "[123m][4444m] 56m77666z !7m"),
    ("robbing_the_kong", "last_tile", "[123m][222m] 56m77666z +7m"),
    ("melded_hand", "single_wait", "[444z][555z][333z][666m] 7z +7z"),
    ("two_concealed_kongs", "two_concealed_pungs", "[4444m*][1111m*][789m] 6667m +8m"),
    ("two_concealed_kongs", "concealed_kong", "[4444m*][1111m*][789m] 6667m +8m"),
    ("two_dragon_pungs", "dragon_pung", "[666z][333z] 1144477z +7z"),
    ("fully_concealed_hand", "self_drawn", "1144556677789m !4m"),
    ("two_melded_kongs", "melded_kong", "[123m][6666m][7777m] 4445m +5m"),
]

FLAGS = {
    "last_tile_draw": {"last_wall_tile": True},
    "out_with_replacement_tile": {"kong_replacement": True},
    "robbing_the_kong": {"robbing_kong": True, "last_of_kind": True},
}

# Exclusions of the table that never have anything to do.
IDLE = {
    # four wind pungs are used by 大四喜, so none is left for 么九刻
    ("big_four_winds", "pung_of_terminals_or_honors"),
    # the wait fans are not for seven pairs
    ("seven_shifted_pairs", "single_wait"),
    ("seven_pairs", "single_wait"),
    # chows already combined are not combined again, §7.3
    ("pure_terminal_chows", "pure_double_chow"),
    ("pure_terminal_chows", "two_terminal_chows"),
    ("quadruple_chow", "pure_double_chow"),
    ("quadruple_chow", "pure_triple_chow"),
    ("four_pure_shifted_chows", "pure_shifted_chows"),
    ("four_pure_shifted_chows", "short_straight"),
    ("four_pure_shifted_chows", "two_terminal_chows"),
    ("pure_triple_chow", "pure_double_chow"),
    # other readings of the same tiles
    ("pure_terminal_chows", "seven_pairs"),
    ("quadruple_chow", "pure_shifted_pungs"),
    ("four_pure_shifted_pungs", "pure_triple_chow"),
    ("pure_triple_chow", "pure_shifted_pungs"),
    ("pure_shifted_pungs", "pure_triple_chow"),
    # drawn and discarded at once
    ("fully_concealed_hand", "concealed_hand"),
}


@pytest.mark.parametrize(("fan_id", "excluded", "hand"), EXCLUSIONS)
def test_a_counted_fan_excludes(fan_id: str, excluded: str, hand: str) -> None:
    flags = FLAGS.get(fan_id, {})
    counted = fan_ids(score_text(RULESET, hand, **flags))
    assert fan_id in counted
    assert excluded not in counted
    shown = fans_of_readings(request_of(RULESET, *read_hand(hand, **flags)))
    assert any(fans.get(fan_id) and fans.get(excluded) for fans in shown), "the hand does not show both"


def test_every_exclusion_is_accounted_for() -> None:
    fans = {fan.id: fan for fan in load_ruleset(RULESET).fans if not fan.unreachable}
    listed = {(fan.id, other) for fan in fans.values() for other in fan.excludes if other in fans}
    assert {(fan_id, excluded) for fan_id, excluded, _ in EXCLUSIONS} | IDLE == listed


def test_an_excluded_fan_excludes_nothing() -> None:
    """四暗刻 bars 不求人, which then does not bar 自摸; 三槓 bars 雙暗槓, which then leaves 雙暗刻."""
    concealed = fan_ids(score_text(RULESET, "1122233666888m !3m"))
    assert "self_drawn" in concealed
    kongs = fan_ids(score_text(RULESET, "[3333m*][5555z+][4444z*] 22m77z +7z"))
    assert "two_concealed_pungs" in kongs
    assert "two_concealed_kongs" not in kongs
