"""Wins, waits and the traps of the single-wait fans. Source: RULES §6, §7.5."""

from __future__ import annotations

import pytest

from app.engine.scoring import is_winning, shape_waits, waits
from app.engine.scoring.packed import has_more_than
from app.engine.scoring.parts import HONOR_TABLE, SUIT_TABLE
from app.rules.tiles import format_tiles, parse_tiles, to_counts
from tests.hands import fan_ids, read_meld, score_text

WAIT_FANS = {"edge_wait", "closed_wait", "single_wait"}
DRAGON, WEST = "[555z]", "[333z]"


@pytest.mark.parametrize(
    ("tiles", "melds", "expected"),
    [
        ("11m", 4, True),
        ("1m1z", 4, False),
        ("11122233344455m", 0, True),
        ("1122334455667m7m", 0, True),
        ("11z22z33z44z55z66z77z", 0, True),
        ("1111m2222m3333z11z", 0, True),  # four equal tiles are two pairs
        ("1111m2222m33z1z4z", 0, False),
        ("11m22m33m44m1z1z2z", 1, False),
        ("1111m22m1z1z2z2z4z", 1, False),
        ("11223344m55z", 1, False),  # pairs, but beside a meld
        ("123m", 4, False),
        ("11m", 3, False),
        ("11122233344455m", 1, False),
        ("112m11z", 3, False),  # a pair on either side and nothing more
        ("123z11m", 3, False),  # honours form no chows
        ("891m11z", 3, False),  # nor does 萬 go round
    ],
)
def test_winning_shapes(tiles: str, melds: int, expected: bool) -> None:
    assert is_winning(to_counts(parse_tiles(tiles)), melds) is expected


@pytest.mark.parametrize(
    ("tiles", "melds", "expected"),
    [
        ("1112345678999m", [], "123456789m"),
        ("4444567m", ["111z", "222z"], "7m"),  # by shape 4 too, but all four are in hand
        ("5m", ["111z", "222z", "333z", "555m"], ""),
        ("123m456m789m1111z", [], ""),
        ("1122334455667m", [], "147m"),
        ("1133557799m115z", [], "5z"),
        ("1111m2222m3333m4m", [], "45m"),
        ("23m", ["111z", "222z", "333z"], ""),  # two tiles are no hand
        ("77789m77z", ["111z", "222z"], "7m7z"),
        ("2m", ["1111z", "2222z", "3333z", "4444z"], "2m"),
        ("46m11z", ["5555m", "222z", "333z"], ""),  # the four are in the kong
    ],
)
def test_waits(tiles: str, melds: list[str], expected: str) -> None:
    hand = to_counts(parse_tiles(tiles))
    assert format_tiles(waits(hand, tuple(map(read_meld, melds)))) == expected


def test_shape_waits_mind_no_copies() -> None:
    assert shape_waits(to_counts(parse_tiles("4444567m")), 2) == parse_tiles("47m")
    assert shape_waits(to_counts(parse_tiles("123m456m789m1111z")), 0) == parse_tiles("1z")


def test_part_tables_cover_every_key() -> None:
    """Keys of at most four copies, as counted by hand and by others."""
    suit, honors = (
        [len(half.codes) for key, half in table.items() if not has_more_than(key, 4)]
        for table in (SUIT_TABLE, HONOR_TABLE)
    )
    assert (len(suit), sum(suit), max(suit)) == (21_743, 23_533, 4)
    assert (len(honors), max(honors)) == (498, 1)


@pytest.mark.parametrize(
    ("hand", "expected"),
    [
        (f"{DRAGON}{WEST} 77789m77z +7m", None),  # 7m and 7z
        (f"{DRAGON}{WEST} 4444567m +7m", None),  # 4m and 7m, though no 4m is left
        (f"{DRAGON}{WEST} 45567m22z +6m", None),
        (f"{DRAGON}{WEST} 12345m22z +3m", None),
        (f"{DRAGON}{WEST} 56789m22z +7m", None),
        (f"{DRAGON}{WEST}[222m] 1233m +3m", "edge_wait"),
        (f"{DRAGON}{WEST}[222m] 7789m +7m", "edge_wait"),
        (f"{DRAGON}{WEST}[222m] 4556m +5m", "closed_wait"),
        (f"{DRAGON}{WEST}[222m] 12m44z +3m", "edge_wait"),
        (f"{DRAGON}{WEST}[222m] 89m44z +7m", "edge_wait"),
        (f"{DRAGON}{WEST}[222m] 13m44z +2m", "closed_wait"),
        (f"{DRAGON}{WEST}[222m] 79m44z !8m", "closed_wait"),
        (f"{DRAGON}{WEST}[222m] 23m44z +1m", None),
        (f"{DRAGON}{WEST}[222m] 23m44z +4m", None),
        (f"{DRAGON}{WEST}[222m] 4777m +4m", "single_wait"),
        (f"{DRAGON}{WEST}[222m] 5777m +5m", None),  # 6m too: 567 77
        (f"{DRAGON}{WEST}[222m] 6777m +6m", None),
        (f"{DRAGON}{WEST}[222m] 2333m +1m", None),
        (f"{DRAGON}{WEST}[222m] 5567m +5m", None),
        (f"{DRAGON}{WEST}[222m] 44m66z +6z", None),  # two pairs wait on two kinds
        (f"{DRAGON}{WEST}[222m] 444m6z +6z", "single_wait"),
        (f"{DRAGON}{WEST}[111z] 1113m +2m", None),  # 2m and 3m
        (f"{DRAGON}{WEST}[111z] 1112m +2m", None),  # 2m and 3m
        (f"{DRAGON}{WEST}[111z] 1112m +3m", None),
        (f"{DRAGON}{WEST}[1111m] 23m44z +4m", None),  # 1m is still a wait by shape
        ("1122334455688m +6m", None),  # as pairs there is no wait fan, and the rest waits on two kinds
    ],
)
def test_wait_traps(hand: str, expected: str | None) -> None:
    found = WAIT_FANS.intersection(fan_ids(score_text("classic64", hand)))
    assert found == ({expected} if expected else set())
