"""Requests to score and for waits: every fault has its code, none is an exception. Source: PROTOCOL §1.1."""

from __future__ import annotations

import json
from typing import Any

import pytest

from app.engine.scoring import ErrorCode, ScoringError, WinContext, validate_win
from app.engine.scoring.wire import answer_score, answer_waits
from app.rules.ruleset import RULESET_IDS, load_ruleset
from tests.hands import read_hand, request_of

SCORED = {"ruleset": "classic64", "hand": "123456222789m6z", "win_tile": "6z", "self_drawn": False}
KONG = [{"type": "concealed_kong", "tiles": "4444z"}]


def request(**fields: Any) -> dict[str, Any]:
    return {**SCORED, **fields}


def melded(*melds: tuple[str, str], **fields: Any) -> dict[str, Any]:
    """The request with this many sets of the hand exchanged for melds."""
    hand = ("123456222789m6z", "123456222m6z", "123456m6z", "123m6z", "6z")[min(len(melds), 4)]
    return request(
        **{"hand": hand, "melds": [{"type": kind, "tiles": tiles} for kind, tiles in melds], **fields}
    )


def code_of(answer: dict[str, Any]) -> str:
    assert set(answer) == {"error"}, answer
    assert set(answer["error"]) == {"code", "message"}
    assert isinstance(answer["error"]["message"], str)
    return str(answer["error"]["code"])


def test_an_answer_is_total_and_fans() -> None:
    assert answer_score(SCORED) == {
        "total": 27,
        "fans": [
            {"id": "pure_straight", "zh": "清龍", "value": 16, "count": 1},
            {"id": "half_flush", "zh": "混一色", "value": 6, "count": 1},
            {"id": "concealed_hand", "zh": "門前清", "value": 2, "count": 1},
            {"id": "tile_hog", "zh": "四歸一", "value": 2, "count": 1},
            {"id": "single_wait", "zh": "單釣將", "value": 1, "count": 1},
        ],
    }


def test_fields_have_their_defaults() -> None:
    spelt_out = {
        **{"melds": [], "seat_wind": "2z", "prevalent_wind": "1z", "flowers": "", "ready": False},
        **{"heavenly_ready": False, "opening": None, "last_wall_tile": False, "kong_replacement": False},
        **{"robbing_kong": False, "last_of_kind": False},
    }
    for ruleset in RULESET_IDS:
        bare = request(ruleset=ruleset)
        assert answer_score({**bare, **spelt_out}) == answer_score(bare)


def test_order_and_unknown_fields_are_nothing() -> None:
    plain = answer_score(melded(("chow", "123m"), ("pung", "777z")))
    turned = melded(("pung", "777z"), ("chow", "312m"), hand="6z65m4m3m1m2m", min_fan=99, note=[1])
    turned["melds"][0]["claimed"] = "7z"
    assert "total" in plain
    assert answer_score(turned) == plain


NO_FLAGS: tuple[Any, ...] = (None, 0, 1, "true", [], {})
BAD_VALUES: dict[str, tuple[Any, ...]] = {
    "ruleset": (None, 1, ["classic64"], {}),
    "hand": (None, 123, ["1m"], True),
    "win_tile": (None, 6, ["6z"]),
    "self_drawn": (None, 0, 1, "false", []),
    "seat_wind": (None, 1, []),
    "prevalent_wind": (None, 1, {}),
    "flowers": (None, 15, []),
    "melds": (
        *(None, {}, "", "123m", [1], [None], ["123m"], [[]]),
        *([{}], [{"type": "chow"}], [{"tiles": "123m"}]),
        *([{"type": None, "tiles": "123m"}], [{"type": 1, "tiles": "123m"}], [{"type": [], "tiles": "123m"}]),
        *(
            [{"type": "chow", "tiles": None}],
            [{"type": "chow", "tiles": 123}],
            [{"type": "chow", "tiles": []}],
        ),
    ),
    "opening": ("", "Heavenly", "divine", 1, False, []),
    **dict.fromkeys(("ready", "heavenly_ready", "last_wall_tile"), NO_FLAGS),
    **dict.fromkeys(("kong_replacement", "robbing_kong", "last_of_kind"), NO_FLAGS),
}
BAD_REQUESTS: list[Any] = [
    *(None, [], "x", 1, True, {}),
    *(request(**{name: value}) for name, values in BAD_VALUES.items() for value in values),
    *({name: value for name, value in SCORED.items() if name != missing} for missing in SCORED),
]


@pytest.mark.parametrize("body", BAD_REQUESTS)
def test_bad_requests(body: Any) -> None:
    assert code_of(answer_score(body)) == "bad_request"


@pytest.mark.parametrize(
    ("code", "body"),
    [
        *(
            ("unknown_ruleset", request(ruleset=name))
            for name in ("", "classic", "../classic64", "CLASSIC64")
        ),
        *(
            ("bad_tile", request(hand=hand))
            for hand in (
                "123",
                "0m",
                "8z",
                "1f",
                "1x",
                "m",
                "1m 2m",
                "１m",
                "123456222789m6z1f",
                "1M",
                "1m\n",
            )
        ),
        *(("bad_tile", request(win_tile=tile)) for tile in ("", "6", "66z", "8z", "0m", "1f", "6z6z", "z")),
        *(("bad_tile", request(seat_wind=tile)) for tile in ("5z", "1m", "", "0z", "1f")),
        *(("bad_tile", request(prevalent_wind=tile)) for tile in ("7z", "9m", "east")),
        ("bad_tile", request(ruleset="jiule72", flowers="9f")),
        ("bad_tile", melded(("chow", "12x"))),
        ("bad_flowers", request(flowers="1f")),
        ("bad_flowers", request(ruleset="baiwan64", flowers="12345678f")),
        ("bad_flowers", request(ruleset="jiule72", flowers="11f")),
        ("bad_flowers", request(ruleset="dazhong72", flowers="1m")),
        *(
            ("bad_meld", melded((kind, tiles)))
            for kind, tiles in (
                *(("chow", "124m"), ("chow", "111m"), ("chow", "12m"), ("chow", "1234m"), ("chow", "")),
                *(
                    ("chow", "123z"),
                    ("chow", "89m1z"),
                    ("chow", "1m2m3z"),
                    ("chow", "123f"),
                    ("chow", "9m1z2z"),
                ),
                *(("pung", "112m"), ("pung", "11m"), ("pung", "1111m"), ("pung", "123m"), ("pung", "111f")),
                *(("exposed_kong", "111m"), ("added_kong", "1112m"), ("concealed_kong", "11111m")),
                *(("kong", "1111m"), ("", "111m"), ("Chow", "123m")),
            )
        ),
        ("bad_meld", melded(*[("pung", f"{n}{n}{n}z") for n in range(1, 6)])),
        ("too_many_copies", request(hand="11111m", win_tile="2m")),
        ("too_many_copies", request(hand="123456m222278m", win_tile="2m")),
        ("too_many_copies", melded(("concealed_kong", "6666z"))),
        ("too_many_copies", melded(("pung", "222m"), ("chow", "123m"))),
        ("too_many_copies", melded(("pung", "222m"), ("concealed_kong", "2222m"), hand="6z")),
        ("wrong_count", request(hand="")),
        ("wrong_count", request(hand="123456222789m")),
        ("wrong_count", request(hand="123456222789m6z6z")),
        ("wrong_count", request(melds=KONG)),
        ("wrong_count", melded(("pung", "777z"), hand="123456222m667z")),
        ("not_winning", request(win_tile="7z")),
        ("not_winning", request(hand="123456222788m6z")),
        ("not_winning", melded(("chow", "789m"), hand="1133557799m", win_tile="2z")),
        ("not_winning", request(hand="11335577m11222z", win_tile="3z")),
        ("not_winning", request(hand="19m1234567z1234z", win_tile="1m")),
    ],
)
def test_faults_have_codes(code: str, body: dict[str, Any]) -> None:
    assert code_of(answer_score(body)) == code


FIRST = {"opening": "earthly", "self_drawn": True}
DEALT = {"opening": "heavenly", "self_drawn": True, "seat_wind": "1z"}
CLAIMED = {"opening": "humanly", "self_drawn": False}
LAID = {"hand": "123456222m6z", "melds": KONG}


@pytest.mark.parametrize("ruleset", ["jiule72", "dazhong72", "baiwan64"])
@pytest.mark.parametrize("opening", [FIRST, DEALT, CLAIMED])
@pytest.mark.parametrize(
    "flags",
    [
        LAID,
        {"last_wall_tile": True},
        {"kong_replacement": True},
        {"robbing_kong": True},
        {"last_of_kind": True},
    ],
)
def test_openings_allow_little(ruleset: str, opening: dict[str, Any], flags: dict[str, Any]) -> None:
    body = request(ruleset=ruleset, hand="1133557799m776z", **opening)
    assert "total" in answer_score(body)
    assert code_of(answer_score({**body, **flags})) == "flag_conflict"


@pytest.mark.parametrize("ruleset", ["jiule72", "dazhong72", "baiwan64"])
@pytest.mark.parametrize(
    "flags",
    [
        {**FIRST, "self_drawn": False},
        {**DEALT, "self_drawn": False},
        {**CLAIMED, "self_drawn": True},
        {**DEALT, "seat_wind": "2z"},
        {**FIRST, "seat_wind": "1z"},
        {**CLAIMED, "seat_wind": "1z"},
        {**DEALT, "heavenly_ready": True},
        *(
            {"hand": "123456222m6z", "melds": [{"type": kind, "tiles": tiles}], "heavenly_ready": True}
            for kind, tiles in (("chow", "789m"), ("pung", "777z"), ("added_kong", "7777z"))
        ),
    ],
)
def test_openings_and_heavenly_ready(ruleset: str, flags: dict[str, Any]) -> None:
    assert code_of(answer_score(request(ruleset=ruleset, **flags))) == "flag_conflict"
    assert "total" in answer_score({**request(**flags), "ruleset": "classic64"})  # no such fans there


@pytest.mark.parametrize("ruleset", RULESET_IDS)
@pytest.mark.parametrize(
    "flags",
    [
        {"kong_replacement": True, "self_drawn": True},
        {**LAID, "kong_replacement": True, "self_drawn": False},
        {"robbing_kong": True, "self_drawn": True, "hand": "12345622278m66z", "win_tile": "9m"},
        {"robbing_kong": True},  # another 6z in hand
        {"robbing_kong": True, "last_wall_tile": True, "hand": "12345622278m66z", "win_tile": "9m"},
        {
            **{"robbing_kong": True, "hand": "12345678m66z", "win_tile": "9m"},
            "melds": [{"type": "chow", "tiles": "789m"}],
        },
        {"last_of_kind": True},
        {"last_of_kind": True, "self_drawn": True},
    ],
)
def test_conflicts_in_every_rule_set(ruleset: str, flags: dict[str, Any]) -> None:
    assert code_of(answer_score(request(ruleset=ruleset, **flags))) == "flag_conflict"


@pytest.mark.parametrize(
    ("ruleset", "flags"),
    [
        ("baiwan64", {**DEALT, "ready": True}),
        ("dazhong72", {**DEALT, "ready": True}),
    ],
)
def test_heavenly_and_ready(ruleset: str, flags: dict[str, Any]) -> None:
    assert code_of(answer_score(request(ruleset=ruleset, **flags))) == "flag_conflict"


@pytest.mark.parametrize(
    ("ruleset", "flags"),
    [
        ("jiule72", {**DEALT, "ready": True}),  # no 立直, no 報聽: ready is ignored
        ("classic64", {**DEALT, "ready": True, "heavenly_ready": True, "last_wall_tile": True}),
        ("classic64", {**LAID, "opening": "heavenly"}),
        ("jiule72", {**FIRST, "heavenly_ready": True}),
        ("jiule72", {**CLAIMED, "heavenly_ready": True}),
        ("baiwan64", {**CLAIMED, "ready": True}),
        ("baiwan64", {**LAID, "heavenly_ready": True}),
        (
            "baiwan64",
            {**LAID, "melds": [{"type": "exposed_kong", "tiles": "4444z"}], "heavenly_ready": True},
        ),
        ("classic64", {**LAID, "kong_replacement": True, "self_drawn": True, "last_wall_tile": True}),
        ("classic64", {"hand": "12345622278m66z", "win_tile": "9m", "robbing_kong": True}),
        ("classic64", {"hand": "12345622278m66z", "win_tile": "9m", "last_of_kind": True}),
    ],
)
def test_no_conflict(ruleset: str, flags: dict[str, Any]) -> None:
    assert "total" in answer_score(request(ruleset=ruleset, **flags))


def test_an_own_exposed_pung_makes_the_last_of_its_kind() -> None:
    body = request(
        hand="12678m66z", win_tile="3m", melds=[{"type": "pung", "tiles": t} for t in ("333m", "777z")]
    )
    assert "last_tile" in [fan["id"] for fan in answer_score({**body, "last_of_kind": True})["fans"]]


@pytest.mark.parametrize(
    ("hand", "melds", "expected"),
    [
        ("1112345678999m", [], [f"{rank}m" for rank in range(1, 10)]),
        ("9991112345678m", None, [f"{rank}m" for rank in range(1, 10)]),
        ("5m", ["111z", "222z", "333z", "555m"], []),
        ("77789m77z", ["111z", "222z"], ["7m", "7z"]),
        ("1357m1357z99m226z", None, []),
    ],
)
def test_waits_answer(hand: str, melds: list[str] | None, expected: list[str]) -> None:
    body: dict[str, Any] = {"ruleset": "classic64", "hand": hand}
    if melds is not None:
        body["melds"] = [{"type": "pung", "tiles": tiles} for tiles in melds]
    assert answer_waits(body) == {"waits": expected}


@pytest.mark.parametrize(
    ("code", "fields"),
    [
        ("bad_request", {"hand": None}),
        ("bad_request", {"hand": 1}),
        ("bad_request", {"melds": {}}),
        ("unknown_ruleset", {"ruleset": "x"}),
        ("bad_tile", {"hand": "1112345678999x"}),
        ("bad_tile", {"hand": "111234567899m1f"}),
        ("bad_meld", {"melds": [{"type": "chow", "tiles": "135m"}]}),
        ("too_many_copies", {"hand": "1111156789999m"}),
        ("too_many_copies", {"hand": "1112345678m", "melds": [{"type": "pung", "tiles": "111m"}]}),
        ("wrong_count", {"hand": "11123456789999m"}),
        ("wrong_count", {"hand": "111234567899m"}),
        ("wrong_count", {"melds": [{"type": "pung", "tiles": "111z"}]}),
    ],
)
def test_waits_faults(code: str, fields: dict[str, Any]) -> None:
    assert code_of(answer_waits({"ruleset": "classic64", "hand": "1112345678999m", **fields})) == code


def test_answers_are_json() -> None:
    for body in (SCORED, request(ruleset="\ud800"), request(hand="x" * 10_000), None):
        assert len(json.dumps(answer_score(body))) < 1000


def test_validate_win_raises_typed_errors() -> None:
    rules = load_ruleset("classic64")
    hand, melds, context = read_hand("123456222789m6z +7z")
    with pytest.raises(ScoringError) as raised:
        validate_win(rules, hand, melds, context)
    assert raised.value.code is ErrorCode.NOT_WINNING
    with pytest.raises(ScoringError) as raised:
        validate_win(rules, hand, melds, WinContext(16, False))
    assert raised.value.code is ErrorCode.BAD_TILE


def test_request_of_is_understood() -> None:
    """Hands in text become requests that the protocol knows."""
    for text in ("[123m][4444m*] 56m77666z !7m", "1112345678999m +5m"):
        assert "total" in answer_score(request_of("jiule72", *read_hand(text)))
