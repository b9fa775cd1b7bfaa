"""Every fan of every rule set: a hand that has it and one that just misses it. Source: RULES §7."""

from __future__ import annotations

from typing import Any

import pytest

from app.engine.scoring import Opening
from app.engine.scoring.form_fans import CHOW_FANS, CONTENT_FANS, HONOR_FANS, RANK_FANS
from app.engine.scoring.win_fans import PLACEMENT_FANS, SITUATION_FANS
from app.rules.ruleset import RULESET_IDS, load_ruleset
from tests.hands import fan_ids, score_text

# Fan → a hand that has it, a near miss. Seat wind south, prevalent wind east.
HANDS: dict[str, tuple[str, str]] = {
    "big_four_winds": ("[111z][222z] 333444z5m !5m", "[111z][222z] 33344z55m !5m"),
    "big_three_dragons": ("[555z] 666777z1239m !9m", "[555z] 66677z12399m +9m"),
    "nine_gates": ("1112345678999m +5m", "1112345678899m !9m"),
    "four_kongs": ("[1111m][2222z*][3333m+][5555z] 9m +9m", "[1111m][2222z*][3333m+] 555z9m +9m"),
    "seven_shifted_pairs": ("1122334455667m !7m", "1122334455668m !8m"),
    "little_four_winds": ("[111z][222z] 33344z55m !5m", "[111z][222z] 33355z55m +5m"),
    "little_three_dragons": ("[555z] 66677z12399m +9m", "[555z] 666z1239998m +8m"),
    "all_honors": ("[111z][555z] 3336677z +6z", "[111z][555z] 33366z11m +6z"),
    "four_concealed_pungs": ("[5555z*] 222444777m3z +3z", "[5555z*] 22244477m33z +7m"),
    "pure_terminal_chows": ("[123m] 1235577899m !8m", "[123m] 1234477899m !8m"),
    "quadruple_chow": ("[234m][234m] 223344m5z +5z", "[234m][234m] 234345m5z +5z"),
    "four_pure_shifted_pungs": ("[222m][333m] 444555m7z +7z", "[222m][333m] 444666m7z +7z"),
    "four_pure_shifted_chows": ("[123m] 345567789m1z +1z", "[123m] 345567678m1z +1z"),
    "three_kongs": ("[1111m][2222z*][3333m+] 555z9m +9m", "[1111m][2222z*][333m] 555z9m +9m"),
    "all_terminals_and_honors": ("[111m][999m] 5556611z +6z", "[222m][999m] 5556611z +6z"),
    "seven_pairs": ("1133557799m115z !5z", "1122337788995m +5m"),  # the second is worth more as chows
    "full_flush": ("[123m] 2223456789m +9m", "[123m] 222345678m1z +1z"),
    "pure_triple_chow": ("[234m] 2233445m777z +5m", "[234m] 2343455m777z +5m"),
    "pure_shifted_pungs": ("[222m] 333444789m5z +5z", "[222m] 333555789m5z +5z"),
    "pure_straight": ("[123m] 4567895m222z +5m", "[123m] 4566785m222z +5m"),
    "pure_shifted_chows": ("[123m] 2343458m222z +8m", "[123m] 2344568m222z +8m"),
    "three_concealed_pungs": ("[345m] 2227779m111z +9m", "[345m] 22277799m11z +1z"),
    "upper_four": ("[678m] 6787899996m +6m", "[567m] 6787899996m +6m"),
    "lower_four": ("[234m] 2341231114m +4m", "[345m] 2341231114m +4m"),
    "big_three_winds": ("[111z][222z] 33355z55m +5m", "[111z][222z] 33z55777m +5m"),
    "all_pungs": ("[222m][444m] 77799m33z +9m", "[222m][444m] 77778m33z +9m"),
    "half_flush": ("[123m] 222345678m1z +1z", "[123m] 2223456789m +9m"),
    "melded_hand": ("[123m][222m][456m][777z] 5z +5z", "[123m][222m][456m][7777z*] 5z +5z"),
    "two_concealed_kongs": ("[1111m*][2222z*][345m] 7779m +9m", "[1111m*][2222z][345m] 7779m +9m"),
    "two_dragon_pungs": ("[555z][666z] 123789m2z +2z", "[555z] 123789m6622z +2z"),
    "outside_hand": ("[123m][789m] 12379m11z !8m", "[123m][789m] 23479m11z !8m"),
    "fully_concealed_hand": ("12345622278m66z !9m", "12345622278m66z +9m"),
    "two_melded_kongs": ("[1111m][3333m+] 567m2255z +2z", "[1111m][3333m*] 567m2255z +2z"),
    "dragon_pung": ("[555z] 12345678m22z +9m", "[222z] 12345678m55z +9m"),
    "prevalent_wind": ("[111z] 12345678m22z +9m", "[333z] 12345678m11z +9m"),
    "seat_wind": ("[222z] 12345678m33z +9m", "[333z] 12345678m22z +9m"),
    "concealed_hand": ("[3333z*] 12345678m66z +9m", "[3333z] 12345678m66z +9m"),
    "all_chows": ("[123m] 2345677855m +9m", "[123m] 23456778m55z +9m"),
    "tile_hog": ("[222m] 23456778m11z +9m", "[2222m] 34556778m11z +9m"),
    "two_concealed_pungs": ("[345m] 22277756m11z +4m", "[345m] 22277456m11z +7m"),
    "concealed_kong": ("[5555m*] 123678m2233z +3z", "[5555m+] 123678m2233z +3z"),
    "all_simples": ("[234m] 3455676788m +8m", "[123m] 3455676788m +8m"),
    "pure_double_chow": ("[234m] 234678m5566z +5z", "[234m] 345678m5566z +5z"),
    "short_straight": ("[234m] 567m3335566z +5z", "[234m] 678m3335566z +5z"),
    "two_terminal_chows": ("[123m] 789m3335566z +5z", "[234m] 789m3335566z +5z"),
    "pung_of_terminals_or_honors": ("[333z] 12345678m66z +9m", "[555z] 12345678m66z +9m"),
    "melded_kong": ("[5555m] 123678m2233z +3z", "[5555m*] 123678m2233z +3z"),
    "edge_wait": ("[555z][222m] 12456m22z +3m", "[555z][222m] 12345m22z +3m"),
    "closed_wait": ("[555z][222m] 46678m22z +5m", "[555z][222m] 45567m22z +6m"),
    "single_wait": ("[555z][222m] 456678m2z +2z", "[555z][222z] 3456789m +3m"),
    "self_drawn": ("[123m][222m] 56m77666z !7m", "[123m][222m] 56m77666z +7m"),
    "million_stone": ("[9999m] 8885673455m +5m", "[999m] 8885673455m +5m"),
    "two_five_eight_pair": ("[222z] 1234567855m +9m", "[222z] 1234567844m +9m"),
    "terminal_pair": ("[222z] 2345677811m +9m", "[222z] 2345677822m +9m"),
}

OPEN, PLAIN, KONG = "[123m][222m] 56m77666z", "12345622278m66z", "[123m][4444m] 56m77666z"
FIRST = {"opening": Opening.HEAVENLY, "seat_wind": "1z"}

# The same for fans that hang on the circumstances.
WINS: dict[str, tuple[tuple[str, dict[str, Any]], tuple[str, dict[str, Any]]]] = {
    "last_tile_draw": ((f"{OPEN} !7m", {"last_wall_tile": True}), (f"{OPEN} +7m", {"last_wall_tile": True})),
    "last_tile_claim": ((f"{OPEN} +7m", {"last_wall_tile": True}), (f"{OPEN} !7m", {"last_wall_tile": True})),
    "out_with_replacement_tile": ((f"{KONG} !7m", {"kong_replacement": True}), (f"{KONG} !7m", {})),
    "robbing_the_kong": ((f"{OPEN} +7m", {"robbing_kong": True}), (f"{OPEN} +7m", {"last_of_kind": True})),
    "last_tile": (
        (f"{OPEN} +7m", {"last_of_kind": True}),
        (f"{OPEN} +7m", {"last_of_kind": True, "robbing_kong": True}),
    ),
    "heavenly_hand": ((f"{PLAIN} !9m", FIRST), (f"{PLAIN} !9m", {"seat_wind": "1z"})),
    "earthly_hand": ((f"{PLAIN} !9m", {"opening": Opening.EARTHLY}), (f"{PLAIN} !9m", FIRST)),
    "humanly_hand": ((f"{PLAIN} +9m", {"opening": Opening.HUMANLY}), (f"{PLAIN} +9m", {})),
    "heavenly_ready": ((f"{KONG} +7m", {"heavenly_ready": True}), (f"{KONG} +7m", {"ready": True})),
    "riichi": ((f"{PLAIN} !9m", {"ready": True}), (f"{KONG} !7m", {"ready": True})),
    "ready_hand": ((f"{KONG} +7m", {"ready": True}), (f"{PLAIN} +9m", {"ready": True})),
    "flower_tiles": ((f"{OPEN} +7m", {"flowers": "3f"}), (f"{OPEN} +7m", {})),
    "seat_flower": ((f"{OPEN} +7m", {"flowers": "6f"}), (f"{OPEN} +7m", {"flowers": "134578f"})),
    "four_seasons": ((f"{OPEN} +7m", {"flowers": "41325f"}), (f"{OPEN} +7m", {"flowers": "1235678f"})),
    "four_plants": ((f"{OPEN} +7m", {"flowers": "8765f"}), (f"{OPEN} +7m", {"flowers": "1234567f"})),
    "eight_flowers": ((f"{OPEN} +7m", {"flowers": "12345678f"}), (f"{OPEN} +7m", {"flowers": "1234567f"})),
}

ROWS = [
    (ruleset, fan) for ruleset in RULESET_IDS for fan in load_ruleset(ruleset).fans if not fan.unreachable
]
FANS = pytest.mark.parametrize(("ruleset", "fan_id"), [(ruleset, fan.id) for ruleset, fan in ROWS], ids=str)


def _hands_of(fan_id: str) -> tuple[tuple[str, dict[str, Any]], tuple[str, dict[str, Any]]]:
    if fan_id in WINS:
        return WINS[fan_id]
    has, misses = HANDS[fan_id]
    return (has, {}), (misses, {})


@FANS
def test_a_hand_has_the_fan(ruleset: str, fan_id: str) -> None:
    (hand, context), _ = _hands_of(fan_id)
    assert fan_id in fan_ids(score_text(ruleset, hand, **context))


@FANS
def test_a_near_miss_does_not(ruleset: str, fan_id: str) -> None:
    _, (hand, context) = _hands_of(fan_id)
    assert fan_id not in fan_ids(score_text(ruleset, hand, **context))


def test_rows_and_predicates_pair() -> None:
    """Every row that can be reached has exactly one predicate, and none is without a row."""
    groups = (CHOW_FANS, RANK_FANS, HONOR_FANS, CONTENT_FANS, PLACEMENT_FANS, SITUATION_FANS)
    predicates = [fan_id for group in groups for fan_id in group]
    assert len(predicates) == len(set(predicates))
    assert set(predicates) == {fan.id for _, fan in ROWS}


def test_exclusions_name_rows() -> None:
    """A misspelt exclusion would exclude nothing and never be noticed."""
    for ruleset in RULESET_IDS:
        fans = load_ruleset(ruleset).fans
        ids = [fan.id for fan in fans]
        assert len(ids) == len(set(ids))
        for fan in fans:
            assert fan.excludes <= set(ids), fan.id
