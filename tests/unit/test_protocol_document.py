"""docs/PROTOCOL.md stays true: every message and event has an example, and every example fits its schema."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args, get_type_hints

import msgspec
import pytest

from app.api.frames import ClientFrame, read_frame
from app.client.event_types import EVENT_DATA
from app.client.messages import Message, Option, read_message
from app.rooms.connection import CloseCode

DOCUMENT = Path(__file__).parents[2] / "docs" / "PROTOCOL.md"
TEXT = DOCUMENT.read_text("utf-8")
ENTROPY = "9f…64 hex…"  # shortened in the text


def examples() -> Iterator[dict[str, Any]]:
    """Every JSON value in the document's ``json`` blocks, in order."""
    decoder = json.JSONDecoder()
    for block in re.findall(r"```json\n(.*?)```", TEXT, re.DOTALL):
        rest = block.strip()
        while rest:
            value, end = decoder.raw_decode(rest)
            yield value
            rest = rest[end:].strip()


FRAMES = [example for example in examples() if "m" in example]
CLIENT = {msgspec.inspect.type_info(frame).tag: frame for frame in get_args(ClientFrame)}  # type: ignore[attr-defined]  # reached past the types
SERVER = {msgspec.inspect.type_info(frame).tag: frame for frame in get_args(Message)}  # type: ignore[attr-defined]  # reached past the types


@pytest.mark.parametrize("frame", FRAMES, ids=lambda frame: frame["m"] + frame.get("k", ""))
def test_every_example_fits_its_schema(frame: dict[str, Any]) -> None:
    if frame.get("entropy") == ENTROPY:
        frame = frame | {"entropy": "9f" * 32}
    text = json.dumps(frame)
    assert (read_frame if frame["m"] in CLIENT else read_message)(text)


def test_every_message_and_every_event_has_an_example() -> None:
    assert {frame["m"] for frame in FRAMES} == {*CLIENT, *SERVER}
    assert {frame["k"] for frame in FRAMES if frame["m"] == "ev"} == set(EVENT_DATA)


def test_every_event_and_option_is_tabulated() -> None:
    for kind in EVENT_DATA:
        assert re.search(rf"^\|.*`{kind}`", TEXT, re.MULTILINE), kind
    for kind in get_args(get_type_hints(Option)["kind"]):
        assert re.search(rf"^\|.*`{kind}`", TEXT, re.MULTILINE), kind


def test_every_close_code_is_named() -> None:
    for code in CloseCode:
        assert re.search(rf"\b{code.value}\b", TEXT), code
