"""Who may call what: every route has a rule here, and keeps to it. Source: docs/PROTOCOL.md §2, §2.8."""

from __future__ import annotations

import re
from collections.abc import Iterable

import pytest
from httpx import AsyncClient

from app.store.database import Database
from tests.integration.operators import Operator, operator, registered
from tests.integration.stories import execute
from tests.integration.test_http import someone
from tests.integration.test_openapi import addresses

CALLERS = ("stranger", "guest", "registered", "viewer", "operator", "owner")
ANYBODY = dict.fromkeys(CALLERS, "allowed")
SIGNED_IN = ANYBODY | {"stranger": "unauthorized"}
VIEWERS = SIGNED_IN | {"guest": "forbidden", "registered": "forbidden"}
OPERATORS = VIEWERS | {"viewer": "forbidden"}
OWNERS = OPERATORS | {"operator": "forbidden"}

RULES = {
    "POST /api/guest": ANYBODY,
    "POST /api/register": ANYBODY,
    "POST /api/login": ANYBODY,
    "POST /api/logout": SIGNED_IN,
    "POST /api/logout-everywhere": SIGNED_IN,
    "GET /api/me": SIGNED_IN,
    "GET /api/me/sessions": SIGNED_IN,
    "POST /api/me/name": SIGNED_IN,
    "POST /api/me/password": SIGNED_IN,
    "DELETE /api/me": SIGNED_IN,
    "GET /api/tiers": ANYBODY,
    "GET /api/rooms": ANYBODY,
    "POST /api/rooms": SIGNED_IN,
    "POST /api/rooms/{room_id}/join": SIGNED_IN,
    "GET /api/invites/{invite}": ANYBODY,
    "GET /api/match": SIGNED_IN,
    "POST /api/match": SIGNED_IN,
    "DELETE /api/match": SIGNED_IN,
    "POST /api/relief": SIGNED_IN,
    "POST /api/daily": SIGNED_IN,
    "POST /api/ws-tickets": SIGNED_IN,
    "GET /api/leaderboard": ANYBODY,
    "GET /api/leaderboard/around-me": SIGNED_IN,
    "GET /api/players/{user_id}": ANYBODY,
    "GET /api/players/{user_id}/rounds": ANYBODY,
    "GET /api/players/{user_id}/points": ANYBODY,
    "GET /api/players/{user_id}/best": ANYBODY,
    "GET /api/rounds/{round_id}": ANYBODY,
    "GET /api/rounds/{round_id}/proof": ANYBODY,
    "GET /api/rules": ANYBODY,
    "GET /api/rules/{ruleset}": ANYBODY,
    "POST /api/rules/{ruleset}/score": ANYBODY,
    "GET /healthz": ANYBODY,
    "GET /readyz": ANYBODY,
    "GET /metrics": ANYBODY,
    "GET /api/admin/tiers": VIEWERS,
    "GET /api/admin/tiers/{tier_id}": VIEWERS,
    "POST /api/admin/tiers": OPERATORS,
    "PATCH /api/admin/tiers/{tier_id}": OPERATORS,
    "GET /api/admin/rooms": VIEWERS,
    "GET /api/admin/rooms/{room_id}": VIEWERS,
    "PATCH /api/admin/rooms/{room_id}": OPERATORS,
    "POST /api/admin/rooms/{room_id}/void": OPERATORS,
    "POST /api/admin/rooms/{room_id}/close": OPERATORS,
    "GET /api/admin/players": VIEWERS,
    "GET /api/admin/players/{user_id}": VIEWERS,
    "POST /api/admin/players/{user_id}/adjust": OPERATORS,
    "POST /api/admin/players/{user_id}/mute": OPERATORS,
    "POST /api/admin/players/{user_id}/unmute": OPERATORS,
    "POST /api/admin/players/{user_id}/ban": OPERATORS,
    "POST /api/admin/players/{user_id}/unban": OPERATORS,
    "POST /api/admin/players/{user_id}/role": OWNERS,
    "GET /api/admin/income": VIEWERS,
    "GET /api/admin/suspects": VIEWERS,
    "GET /api/admin/audit-log": VIEWERS,
    "GET /api/admin/ledger/audit": VIEWERS,
}
BODIES = {
    "POST /api/guest": {"name": "x"},
    "POST /api/register": {"name": "x", "password": "short"},
    "POST /api/login": {"name": "nobody", "password": "wrong password"},
    "POST /api/me/name": {"name": "y"},
    "POST /api/me/password": {"old": "wrong password", "new": "another password"},
    "POST /api/rooms": {"tier": "none"},
    "POST /api/match": {"tier": "none"},
    "POST /api/ws-tickets": {"room_id": "none", "purpose": "play"},
    "POST /api/rules/{ruleset}/score": {"hand": "", "win_tile": "1m", "self_drawn": True},
    "POST /api/admin/tiers": {
        "id": "new",
        "ruleset": "none",
        "name": "x",
        "base": 1,
        "entry_min": 1,
        "reason": "x",
    },
    "PATCH /api/admin/tiers/{tier_id}": {"version": 1, "reason": "x"},
    "PATCH /api/admin/rooms/{room_id}": {"version": 1, "base_stake": 5, "reason": "x"},
    "POST /api/admin/players/{user_id}/adjust": {"coins": 1, "reason": "x"},
    "POST /api/admin/players/{user_id}/role": {"role": None, "reason": "x"},
}
REASON = {"reason": "x"}


async def everybody(client: AsyncClient, database: Database) -> dict[str, dict[str, str]]:
    """The headers each kind of caller sends."""
    people: Iterable[Operator] = [await operator(client, database, role) for role in CALLERS[3:]]
    known = {
        "guest": await someone(client),
        "registered": await registered(client, database),
        **dict(zip(CALLERS[3:], people, strict=True)),
    }
    return {"stranger": {}} | {name: person.headers for name, person in known.items()}


async def test_every_route_has_a_rule(client: AsyncClient) -> None:
    document = (await client.get("/openapi.json")).json()
    assert {f"{method} {path}" for path, method, _ in addresses(document)} == set(RULES)


@pytest.mark.parametrize("route", RULES)
async def test_who_may_call_it(client: AsyncClient, database: Database, route: str) -> None:
    """Asked for what does not exist, so that every caller meets the same house."""
    method, path = route.split(" ")
    address = re.sub(r"{\w+}", "none", path)
    body = BODIES.get(route, REASON if "admin" in path and method != "GET" else None)
    for caller, headers in (await everybody(client, database)).items():
        answer = await client.request(method, address, json=body, headers=headers)
        client.cookies.clear()
        code = answer.json().get("code") if answer.status_code in (401, 403) else "allowed"
        refused = (
            code if code in ("unauthorized", "forbidden") else "allowed"
        )  # a wrong password is another matter
        assert refused == RULES[route][caller], (caller, answer.text)


async def test_by_cookie_an_operator_needs_the_csrf_value_as_well(
    client: AsyncClient, database: Database
) -> None:
    token = (await client.post("/api/guest", json={"name": "ann"})).json()
    await execute(database, f"UPDATE users SET role = 'owner' WHERE id = '{token['user']['id']}'")
    refused = await client.post(f"/api/admin/players/{token['user']['id']}/mute", json=REASON)
    assert refused.json()["code"] == "csrf"


async def test_the_document_says_who_needs_no_session(client: AsyncClient) -> None:
    document = (await client.get("/openapi.json")).json()
    for path, method, operation in addresses(document):
        ways = operation.get("security", [{}])
        assert ({} in ways) == (RULES[f"{method} {path}"] == ANYBODY), (method, path)
