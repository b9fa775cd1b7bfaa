"""Passwords: which are usable, and how they are kept. Source: PROTOCOL §2.7."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest
from argon2 import PasswordHasher, extract_parameters
from argon2.low_level import Type

from app.api.errors import Refused
from app.api.look_alikes import look_alike_key
from app.api.passwords import COMMON, MAX_LENGTH, MIN_LENGTH, Passwords, normalised, usable
from app.economy.users import Name

NAME = Name("Longname1", look_alike_key("Longname1"))
GOOD = "four tiles and a pair"


@pytest.fixture
def passwords() -> Iterator[Passwords]:
    passwords = Passwords(at_once=1)
    yield passwords
    passwords.close()


@pytest.mark.parametrize(
    ("password", "why"),
    [
        ("", "short"),
        ("1234567", "short"),
        ("\ufdfa", None),  # one sign that is eighteen
        ("四張牌和一對將頭", None),
        ("x" * MAX_LENGTH, None),
        ("x" * (MAX_LENGTH + 1), "long"),
        ("password", "common"),
        ("ＰａｓｓＷord", "common"),
        ("longname1", "name"),
        ("L0ngnameI", "name"),
        (GOOD, None),
    ],
)
def test_which_are_usable(password: str, why: str | None) -> None:
    if why is None:
        assert usable(password, NAME) == normalised(password)
        return
    with pytest.raises(Refused) as refusal:
        usable(password, NAME)
    assert (refusal.value.code, refusal.value.more) == ("weak_password", {"why": why})


def test_the_list_holds_only_what_length_lets_through() -> None:
    assert len(COMMON) > 100
    assert all(len(word) >= MIN_LENGTH and word == word.casefold() for word in COMMON)


async def test_a_hash_is_argon2id_and_knows_its_password(passwords: Passwords) -> None:
    kept = await passwords.hash(GOOD)
    assert extract_parameters(kept).type is Type.ID
    assert GOOD not in kept
    assert kept != await passwords.hash(GOOD)
    assert (await passwords.check(GOOD, kept)).is_right
    assert (await passwords.check(GOOD, kept)).better_hash is None
    assert (await passwords.check("ｆour tiles and a pair", kept)).is_right  # another keyboard
    assert not (await passwords.check(GOOD + "s", kept)).is_right
    assert not (await passwords.check(GOOD, "no hash")).is_right


async def test_nobody_takes_as_much_work_as_somebody(passwords: Passwords) -> None:
    kept = await passwords.hash(GOOD)
    assert extract_parameters(passwords._nobody) == extract_parameters(kept)
    assert not (await passwords.check(GOOD, None)).is_right


async def test_only_so_many_are_waited_for() -> None:
    passwords = Passwords(at_once=1, waiting=2)
    calls = (passwords.hash(f"{GOOD} {number}") for number in range(5))
    answers = await asyncio.gather(*calls, return_exceptions=True)
    refused = [answer for answer in answers if isinstance(answer, Refused)]
    assert [refusal.code for refusal in refused] == ["unavailable"] * 2
    assert (await passwords.check(GOOD, None)).is_right is False  # there is room again
    passwords.close()


async def test_a_hash_of_other_parameters_is_made_anew(passwords: Passwords) -> None:
    weak = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1).hash(GOOD)
    verdict = await passwords.check(GOOD, weak)
    assert verdict.is_right
    assert verdict.better_hash is not None
    assert (await passwords.check(GOOD, verdict.better_hash)).is_right
    assert (await passwords.check("wrong", weak)).better_hash is None
