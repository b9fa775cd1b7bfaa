"""A record is checked from public data alone, and whatever is changed in it is found. Source: PROTOCOL §4."""

from __future__ import annotations

import copy
import json
from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from app.cli import verify as command
from app.cli.verify import verify
from app.rooms.checking import RecordFault
from tests.public_records import public_record

GIVEN = {"room_id", "tier", "players", "proposed_ms", "ended_ms"}  # public data cannot tell who and when


def fault_of(body: Any) -> RecordFault:
    with pytest.raises(RecordFault) as found:
        verify(json.dumps(body).encode())
    return found.value


@pytest.mark.parametrize("seed", range(12))
async def test_played_rounds_hold(seed: int) -> None:
    body = await public_record(seed)
    answer = verify(json.dumps(body).encode())
    assert answer["round_id"] == body["id"]
    assert answer["dealer"] == body["dealer"]
    assert answer["outcome"] in body["result"]


async def test_a_forfeit_holds() -> None:
    body = await public_record(3, forfeit=True)
    assert verify(json.dumps(body).encode())["outcome"] == "forfeited"


def leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The way to every number, text and truth value."""
    if isinstance(value, dict | list):
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from leaves(inner, (*path, key))
    else:
        yield path


def changed(value: Any) -> Any:
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    if isinstance(value, str) and len(value) == 64:
        return ("0" if value[0] != "0" else "1") + value[1:]
    return f"{value}x"


DRAWN, WON, WON_BY_DISCARD, CAPPED = 0, 1, 4, 15  # seeds


@pytest.mark.parametrize(
    ("seed", "forfeit"), [(DRAWN, False), (WON, False), (WON_BY_DISCARD, False), (CAPPED, False), (3, True)]
)
async def test_every_single_change_is_found(seed: int, forfeit: bool) -> None:
    body = await public_record(seed, forfeit=forfeit)
    missed = []
    for path in leaves(body):
        tampered = copy.deepcopy(body)
        place = tampered
        for key in path[:-1]:
            place = place[key]
        place[path[-1]] = changed(place[path[-1]]) if path != ("rake_bp",) else 2_500
        try:
            verify(json.dumps(tampered).encode())
        except RecordFault:
            continue
        if path[0] not in GIVEN:
            missed.append(path)
    # a later round of the match; a minimum that the win passes; points lost at 0; a rate nothing was paid by
    bears_nothing: set[tuple[Any, ...]] = {("number",), ("options", "min_fan")}
    bears_nothing |= {("result", "settled", "points", "before", seat) for seat in (0, 1)}
    if forfeit:  # left before a discard that nobody could take
        bears_nothing |= {("options", "pauses")}
    assert set(missed) <= bears_nothing | (set() if "won" in body["result"] else {("rake_bp",)})


async def test_whole_parts_are_missed() -> None:
    body = await public_record(0)
    for path in [("result", "settled"), ("result", "revealed"), ("actions",), ("proof",), ("result",)]:
        tampered = copy.deepcopy(body)
        place = tampered
        for key in path[:-1]:
            place = place[key]
        del place[path[-1]]
        assert fault_of(tampered).check in {"shape", "result"}
    for actions in (body["actions"][:-1], body["actions"][1:], [*body["actions"], [0, "x"]], []):
        assert fault_of(body | {"actions": actions}).check == "replay"


@pytest.mark.parametrize(
    ("change", "check", "where"),
    [
        ({"ruleset": "sichuan"}, "head", "ruleset"),
        ({"ruleset_version": 99}, "replay", "actions"),
        ({"options": {}}, "head", "options"),
        ({"base": 0}, "head", "base"),
        ({"number": 0}, "head", "number"),
        ({"rake_bp": 10_001}, "head", "rake_bp"),
        ({"dealer": None}, "dealer", "dealer"),
        ({"dealer": "0"}, "shape", "dealer"),
        ({"number": 2, "dealer": 7}, "dealer", "dealer"),
        ({"result": {"settled": {"coins": {"before": [1]}}}}, "result", "result.settled.coins.before"),
    ],
)
async def test_what_is_wrong_is_named(change: dict[str, Any], check: str, where: str) -> None:
    fault = fault_of(await public_record(0) | change)
    assert (fault.check, fault.where) == (check, where)


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"null", b"\xff", b"[" * 5_000, b'{"id":1}'])
def test_what_is_no_record(content: bytes) -> None:
    with pytest.raises(RecordFault) as found:
        verify(content)
    assert found.value.check == "shape"


async def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    body, file = await public_record(0), tmp_path / "record.json"
    file.write_text(json.dumps(body))
    assert command.run(Namespace(record=file)) == 0
    assert json.loads(capsys.readouterr().out)["ok"] is True
    file.write_text(json.dumps(body | {"base": 20}))
    assert command.run(Namespace(record=file)) == 1
    told = json.loads(capsys.readouterr().out)
    assert (told["ok"], told["fault"]["check"]) == (False, "result")
    assert command.run(Namespace(record=tmp_path / "nothing.json")) == 2
