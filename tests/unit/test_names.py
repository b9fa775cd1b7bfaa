"""What may be a player's name."""

from __future__ import annotations

import pytest

from app.api.names import clean_name


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("聽雨", "聽雨"),
        ("  ann   lee ", "ann lee"),
        ("Ｅｒｍａ", "Erma"),
        ("e\u0301mile", "\u00e9mile"),
        ("\u00a0ann\u3000", "ann"),
        ("一二三四五六七八九十甲乙", "一二三四五六七八九十甲乙"),
        ("🀄", "🀄"),
        ("नमस्ते", "नमस्ते"),
    ],
)
def test_a_name_has_one_form(given: str, kept: str) -> None:
    assert clean_name(given) == kept
    assert clean_name(kept) == kept


@pytest.mark.parametrize(
    "name",
    [
        "",
        "   ",
        "一二三四五六七八九十甲乙丙",
        "a\u0000b",
        "a\nb",
        "a\u007f",
        "a\u202eb",  # right-to-left override
        "a\u2066b",  # isolate
        "a\u200bb",  # zero-width space
        "a\u200db",  # zero-width joiner
        "a\ufeffb",
        "a\u00adb",  # soft hyphen
        "\u3164",  # Hangul filler
        "\uffa0",  # its half-width form
        "\u115f",
        "\u2800",  # blank braille
        "a\ufe0f",  # variation selector
        "a\u034fb",  # combining grapheme joiner
        "\u0301a",  # a mark with nothing below it
        "a" + "\u0335" * 3,
        "\ud800",
        "\ue000",  # private use
        "\U000e0041",  # tag
        "a\u2028b",
        "\ufdfa",  # one sign that becomes eighteen
    ],
)
def test_what_cannot_be_seen_or_misleads_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match=r"character|marks"):
        clean_name(name)
