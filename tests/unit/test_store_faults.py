"""What a database says, in whatever words."""

from __future__ import annotations

import pytest
from sqlalchemy.exc import DBAPIError

from app.store.faults import concerns_all, is_refused, missing_table

GERMAN = "ungültige Eingabesyntax für Typ integer: »missing row: accounts«"
ENGLISH = 'invalid input syntax for type integer: "missing row: accounts"'


class Said(Exception):
    def __init__(self, text: str, sqlstate: str | None = None, sqlite_errorcode: int | None = None) -> None:
        super().__init__(text)
        self.sqlstate = sqlstate
        self.sqlite_errorcode = sqlite_errorcode


def error(said: Said) -> DBAPIError:
    return DBAPIError("INSERT", {}, said)


@pytest.mark.parametrize(
    "said",
    [Said(GERMAN, "22P02"), Said(ENGLISH, "22P02")],
)
def test_what_it_was_made_to_say_is_understood(said: Said) -> None:
    assert missing_table(error(said)) == "accounts"


@pytest.mark.parametrize(
    "said",
    [
        Said("duplicate key: (missing row: accounts) exists", "23505"),
        Said("UNIQUE constraint failed: missing row: accounts", sqlite_errorcode=1555),
        Said("the ledger is only added to", sqlite_errorcode=1811),
        Said(ENGLISH.replace("missing", "no"), "22P02"),
    ],
)
def test_what_it_says_of_itself_is_not_taken_for_it(said: Said) -> None:
    assert missing_table(error(said)) is None


@pytest.mark.parametrize(
    ("state", "told"), [("55P03", True), ("25006", True), ("53100", True), ("40P01", False), ("23505", False)]
)
def test_whether_others_would_fare_no_better(state: str, told: bool) -> None:
    assert concerns_all(error(Said("no", state))) is told


@pytest.mark.parametrize("state", ["23505", "22003", "40P01", "55P03", "42P01"])
def test_a_refusal_leaves_no_doubt(state: str) -> None:
    assert is_refused(error(Said("no", state)))


@pytest.mark.parametrize("state", [None, "08006", "57P01", "58030", "XX000"])
def test_anything_else_does(state: str | None) -> None:
    assert not is_refused(error(Said("?", state)))
    assert not is_refused(ConnectionResetError())
