"""Keys of names, whatever is in them. Source: PROTOCOL §2.7."""

from __future__ import annotations

import string
import unicodedata

from confusable_homoglyphs.confusables import confusables_data
from hypothesis import given
from hypothesis import strategies as st

from app.api.look_alikes import MAX_KEY, look_alike_key
from app.api.names import clean_name

ANY = st.text(max_size=40)
LATIN = st.text(string.ascii_letters + string.digits, min_size=1, max_size=12)
SHOWN = sorted(  # what survives normalisation and decomposition can stand in a name by itself
    character
    for character in confusables_data
    if len(character) == 1
    and unicodedata.normalize("NFKC", character) == unicodedata.normalize("NFD", character) == character
)


def double_of(character: str, choice: int) -> str:
    """Another that the table says looks like it; of a pair and of a crowd alike."""
    others = [other["c"] for other in confusables_data.get(character, ()) if other["c"] in SHOWN]
    return others[choice % len(others)] if others else character


@given(ANY)
def test_a_key_is_its_own_key_and_fits(name: str) -> None:
    key = look_alike_key(name)
    assert len(key) <= MAX_KEY
    assert unicodedata.is_normalized("NFC", key)


@given(LATIN)
def test_case_and_width_make_no_difference(name: str) -> None:
    wide = "".join(chr(ord(character) + 0xFEE0) for character in name)
    assert (
        len({look_alike_key(form) for form in (name, name.upper(), name.lower(), name.swapcase(), wide)}) == 1
    )


@given(st.lists(st.tuples(st.sampled_from(SHOWN), st.integers(0, 200)), min_size=1, max_size=12))
def test_whatever_the_table_calls_alike_has_one_key(parts: list[tuple[str, int]]) -> None:
    name = "".join(character for character, _ in parts)
    double = "".join(double_of(character, choice) for character, choice in parts)
    assert look_alike_key(name) == look_alike_key(double)


@given(st.text(st.sampled_from("聽雨阿梅北風小滿青山川老白海底月己已"), min_size=1, max_size=12))
def test_chinese_names_stay_as_they_are(name: str) -> None:
    assert look_alike_key(name) == name


@given(ANY)
def test_the_clean_form_of_a_name_has_its_key(name: str) -> None:
    try:
        clean = clean_name(name)
    except ValueError:
        return
    assert look_alike_key(clean) == look_alike_key(name)
    assert look_alike_key(clean)
