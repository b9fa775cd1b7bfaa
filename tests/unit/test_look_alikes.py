"""Which names a reader may take for each other. Source: PROTOCOL §2.7."""

from __future__ import annotations

import pytest

from app.api.errors import Refused
from app.api.look_alikes import MAX_KEY, RESERVED, look_alike_key, own_name


@pytest.mark.parametrize(
    ("name", "double"),
    [
        ("Paul", "PauI"),  # a capital i
        ("Paul", "pau1"),
        ("Paul", "ＰＡＵＬ"),
        ("Paul", "Ра\u0443l"),  # Cyrillic but for the last letter; its у looks like y, so not this one
        ("scope", "ѕсоре"),  # all Cyrillic
        ("NICK", "ΝΙСΚ"),  # Greek and Cyrillic capitals
        ("modern", "rnodern"),
        ("Modern", "RNODERN"),
        ("boo", "b00"),
        ("O", "〇"),
        ("二口", "ニロ"),  # katakana
        ("聽 雨", "聽雨"),
        ("émile", "e\u0301mile"),
        ("名\U0002f840", "名咢"),  # a compatibility ideograph
    ],
)
def test_names_that_look_alike(name: str, double: str) -> None:
    is_alike = double != "Ра\u0443l"
    assert (look_alike_key(name) == look_alike_key(double)) is is_alike


@pytest.mark.parametrize(
    ("name", "other"),
    [("聽雨", "聽雲"), ("ann", "anna"), ("emile", "émile"), ("己", "已"), ("a", "b"), ("一", "二")],
)
def test_names_that_do_not(name: str, other: str) -> None:
    assert look_alike_key(name) != look_alike_key(other)


@pytest.mark.parametrize(
    "name",
    [
        *RESERVED,
        "Ａdmin",
        "ADM1N",
        "еrma",
        "E r m a",
        "客服小妹",
        "我是官方",
        "官 方",
        "客 服 1",
        "管 理员",
        "已離开",
        "访客12345678",
        "訪客12345678",
        "訪 客l2345o78",
    ],
)
def test_names_that_speak_for_the_house(name: str) -> None:
    with pytest.raises(Refused) as refusal:
        own_name(name)
    assert refusal.value.code == "name_reserved"


@pytest.mark.parametrize(
    "name", ["badminton", "Erma fan", "電腦迷", "系統工程師", "訪客", "訪客1234567", "訪客1234567a"]
)
def test_names_that_only_speak_of_it(name: str) -> None:
    assert own_name(name).shown == name


def test_a_key_fits_its_column() -> None:
    assert 0 < len(look_alike_key("𐆘" * 40)) <= MAX_KEY
