"""Whatever a stranger sends to any address is answered as the OpenAPI document says. Source: PROTOCOL §2."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from httpx import AsyncClient

from app.api.errors import MEDIA_TYPE, PROBLEMS
from tests.integration.test_http import someone

ODD_TEXTS = ("x", "", " ", "é", "🀄", "\x00", "a/b", "-1", "9" * 30, "a" * 300, "null", "' OR 1=1 --")
ODD_BODIES: tuple[Any, ...] = (
    None,
    [],
    {},
    "x",
    7,
    {"tier": None},
    {"tier": "\x00"},
    {"tier": "classic64-1", "private": "yes"},
    {"name": 5},
    {"name": "\u202e"},
    {"name": "x", "password": "\x00" * 8},
    {"old": "x", "new": "聽" * 200},
    {"room_id": "x", "purpose": "play"},
    {"hand": "x", "win_tile": "9f", "self_drawn": 3},
    {"deep": [[[[{}]]]]},
)

ENDS_THE_SESSION = {("POST", "/api/logout"), ("POST", "/api/logout-everywhere"), ("DELETE", "/api/me")}

ODD_BYTES = (
    b"",
    b"\xff\xfe",
    b"NaN",
    b"[" * 1_900,
    b'{"a":' * 300,
    b"9" * 1_900,
    b'{"name":"\\ud800","tier":"\\ud800"}',
    b"x" * 3_000,  # more than this server takes
)


def addresses(document: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            yield path, method.upper(), operation


def odd_addresses(path: str, operation: dict[str, Any]) -> Iterator[str]:
    """The path with odd texts in its places, then with odd values of each query parameter."""
    for text in ODD_TEXTS:
        filled = re.sub(r"\{[^}]+\}", quote(text or "-", safe=""), path)
        yield filled
        for parameter in operation.get("parameters", ()):
            if parameter["in"] == "query":
                yield f"{filled}?{parameter['name']}={quote(text)}"


@pytest.mark.parametrize("signed_in", [False, True])
async def test_only_documented_answers(client: AsyncClient, signed_in: bool) -> None:
    headers = (await someone(client)).headers if signed_in else {}
    document = (await client.get("/openapi.json")).json()
    asked = 0
    for path, method, operation in addresses(document):
        if (method, path) in ENDS_THE_SESSION:
            continue
        documented = set(operation["responses"])
        takes_body = "requestBody" in operation
        bodies = ODD_BODIES if takes_body else (None,)
        for address in islice(odd_addresses(path, operation), 1 if takes_body else None):
            for body in bodies:
                answer = await client.request(method, address, json=body, headers=headers)
                asked += 1
                assert str(answer.status_code) in documented, (method, address, body, answer.text)
                if answer.status_code >= 400:
                    assert answer.headers["content-type"] == MEDIA_TYPE
                    assert answer.json()["code"] != "http"
    assert asked > 300


async def test_bodies_that_are_no_json_are_answered_as_documented(client: AsyncClient) -> None:
    headers = {**(await someone(client)).headers, "content-type": "application/json"}
    document = (await client.get("/openapi.json")).json()
    for path, method, operation in addresses(document):
        if "requestBody" not in operation:
            continue
        address = path.replace("{ruleset}", "classic64")
        for body in ODD_BYTES:
            answer = await client.request(method, address, content=body, headers=headers)
            assert str(answer.status_code) in operation["responses"], (address, body[:20], answer.text)
            assert answer.headers["content-type"] == MEDIA_TYPE or answer.status_code < 400


async def test_every_address_and_every_code_stands_in_the_document(client: AsyncClient) -> None:
    text = (Path(__file__).parents[2] / "docs" / "PROTOCOL.md").read_text("utf-8")
    told = {
        (method, re.sub(r"{\w+}", "{}", path))
        for method, path in re.findall(r"(GET|POST|PATCH|DELETE) (/[^\s`?]*)", text)
    }
    document = (await client.get("/openapi.json")).json()
    served = {(method, re.sub(r"{\w+}", "{}", path)) for path, method, _ in addresses(document)}
    assert served | {("GET", "/openapi.json")} == told
    codes = set(re.findall(r"`([a-z_]+)`", text[text.index("### 2.1") : text.index("### 2.2")]))
    assert set(PROBLEMS) <= codes
