"""The HTTP interface of PROTOCOL §2, each refusal by its code."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from fastapi import FastAPI
from httpx import AsyncClient, Response

from app.api.deps import CSRF_HEADER
from app.api.errors import MEDIA_TYPE, PROBLEMS
from app.rooms.ports import Batch, RoundStatus
from app.store.database import Database
from app.store.room_store import SqlRoomStore
from tests.integration.fake_rooms import FakeRooms
from tests.integration.stories import CLOSE_A_TIER, ZONE, a_room, a_round, execute, guest, later, play_a_round

TIER = "classic64-1"


def code_of(response: Response) -> str:
    """The code of a well-formed problem."""
    assert response.headers["content-type"] == MEDIA_TYPE, response.text
    body = response.json()
    assert body.keys() >= {"type", "title", "status", "detail", "code"}
    assert body["status"] == response.status_code
    assert PROBLEMS[body["code"]][0] == response.status_code
    return str(body["code"])


class Someone:
    """A program that has signed in by Bearer token."""

    def __init__(self, client: AsyncClient, answer: dict[str, Any]) -> None:
        self.client = client
        self.id = answer["user"]["id"]
        self.headers = {"Authorization": f"Bearer {answer['token']}"}

    async def get(self, path: str) -> Response:
        return await self.client.get(path, headers=self.headers)

    async def post(self, path: str, body: Any = None) -> Response:
        return await self.client.post(path, json=body, headers=self.headers)


async def someone(client: AsyncClient, name: str = "聽雨") -> Someone:
    answer = await client.post("/api/guest", json={"name": name})
    assert answer.status_code == 200, answer.text
    client.cookies.clear()
    return Someone(client, answer.json())


async def test_a_guest_has_coins_a_cookie_and_a_token(client: AsyncClient) -> None:
    answer = await client.post("/api/guest", json={"name": "  聽　雨 "})
    assert answer.json()["user"] == {
        "id": answer.json()["user"]["id"],
        "name": "聽 雨",
        "coins": 10_000,
        "points": 0,
        "rank": "雀蛋",
        "next_rank": {"name": "雀仔", "points": 400},
        "guest": True,
        "registered": False,
    }
    cookie = answer.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=lax" in cookie
    me = (await client.get("/api/me")).json()
    assert me["user"] == answer.json()["user"]
    assert me["room_id"] is None


async def test_the_database_holds_no_token(client: AsyncClient, database: Database) -> None:
    token = (await client.post("/api/guest", json={"name": "ann"})).json()["token"]
    stored = await execute(database, "SELECT * FROM sessions")
    assert len(stored) == 1
    assert token not in str(stored)


async def test_by_cookie_a_change_needs_the_csrf_value(client: AsyncClient) -> None:
    await client.post("/api/guest", json={"name": "ann"})
    csrf = (await client.get("/api/me")).json()["csrf"]
    for wrong in ({}, {CSRF_HEADER: ""}, {CSRF_HEADER: "x" + csrf}):
        assert code_of(await client.post("/api/logout", headers=wrong)) == "csrf"
    assert (await client.post("/api/logout", headers={CSRF_HEADER: csrf})).status_code == 204
    assert "erma_session" not in client.cookies
    assert code_of(await client.get("/api/me")) == "unauthorized"


async def test_a_token_needs_none_and_ends_with_logout(client: AsyncClient) -> None:
    ann = await someone(client)
    assert (await ann.post("/api/logout")).status_code == 204
    refused = await ann.get("/api/me")
    assert code_of(refused) == "unauthorized"
    assert refused.headers["www-authenticate"] == "Bearer"
    for header in ("Bearer", "Bearer nonsense", "Basic YTpi", "Bearer \u00e9"):
        answer = await client.get("/api/me", headers=[(b"Authorization", header.encode("latin-1"))])
        assert code_of(answer) == "unauthorized"


@pytest.mark.parametrize(
    "origin", ["https://evil.example", "null", "http://erma.example.evil.example", "http://["]
)
async def test_other_sites_change_nothing(client: AsyncClient, origin: str) -> None:
    ann = await someone(client)
    for path in ("/api/guest", "/api/logout", "/api/rooms"):
        answer = await client.post(path, json={"name": "bob"}, headers={**ann.headers, "Origin": origin})
        assert code_of(answer) == "foreign_origin"
    assert (await ann.get("/api/me")).status_code == 200


async def test_the_own_site_may(client: AsyncClient) -> None:
    answer = await client.post("/api/guest", json={"name": "bob"}, headers={"Origin": "http://erma.example"})
    assert answer.status_code == 200


async def test_tiers(client: AsyncClient, rooms: FakeRooms) -> None:
    ann = await someone(client)
    await ann.post("/api/rooms", {"tier": TIER})
    items = (await client.get("/api/tiers")).json()["items"]
    assert len(items) == 24
    assert items[0] == {
        "id": TIER,
        "name": "雀仔場",
        "ruleset": "classic64",
        "ruleset_name": "兩人麻將",
        "tiles": 64,
        "base": 10,
        "entry_min": 500,
        "entry_max": None,
        "rake_bp": 500,
        "table_fee": 0,
        "open_hand": True,
        "double": True,
        "min_fan": 0,
        "open": True,
        "online": 1,
    }


async def test_open_list_and_join_a_public_room(client: AsyncClient) -> None:
    ann, bob = await someone(client, "ann"), await someone(client, "bob")
    opened = (await ann.post("/api/rooms", {"tier": TIER})).json()
    assert opened == {"room_id": "room-01", "invite": None}
    assert (await client.get("/api/rooms")).json() == {
        "items": [
            {
                "id": "room-01",
                "tier": TIER,
                "tier_name": "雀仔場",
                "ruleset": "classic64",
                "base": 10,
                "host": {"id": ann.id, "name": "ann", "rank": "雀蛋"},
                "seats": [{"id": ann.id, "name": "ann", "rank": "雀蛋"}, None],
                "seats_taken": 1,
                "phase": "waiting",
            }
        ],
        "next": None,
    }
    assert (await ann.get("/api/me")).json()["room_id"] == "room-01"
    joined = await bob.post("/api/rooms/room-01/join", {})
    assert joined.json() == {"room_id": "room-01", "seat": 1}
    assert (await client.get("/api/rooms")).json()["items"] == []
    carol = await someone(client, "carol")
    assert code_of(await carol.post("/api/rooms/room-01/join")) == "room_full"


async def test_a_private_room_is_found_by_its_invite_alone(client: AsyncClient) -> None:
    ann, bob = await someone(client, "ann"), await someone(client, "bob")
    opened = (await ann.post("/api/rooms", {"tier": TIER, "private": True})).json()
    assert (await client.get("/api/rooms")).json()["items"] == []
    led_to = (await client.get(f"/api/invites/{opened['invite']}")).json()
    assert (led_to["room_id"], led_to["tier"]["id"], led_to["host"]["name"]) == ("room-01", TIER, "ann")
    for body in ({}, None, {"invite": "wrong"}):
        assert code_of(await bob.post("/api/rooms/room-01/join", body)) == "forbidden"
    assert (await bob.post("/api/rooms/room-01/join", {"invite": opened["invite"]})).status_code == 200
    assert code_of(await client.get("/api/invites/nothing")) == "no_such_invite"


async def test_rooms_are_paged(client: AsyncClient) -> None:
    for name in "abcde":
        await (await someone(client, name)).post("/api/rooms", {"tier": TIER})
    seen, cursor = [], ""
    while cursor is not None:
        page = (
            await client.get("/api/rooms", params={"limit": 2, **({"cursor": cursor} if cursor else {})})
        ).json()
        seen += [room["id"] for room in page["items"]]
        cursor = page["next"]
    assert seen == [f"room-0{n}" for n in range(1, 6)]


async def test_why_a_room_is_not_opened(client: AsyncClient, database: Database) -> None:
    await execute(database, CLOSE_A_TIER)
    ann = await someone(client)
    for body, code in [
        ({"tier": "classic64-9"}, "no_such_tier"),
        ({"tier": "jiule72-1"}, "tier_closed"),
        ({"tier": TIER, "bot": 1}, "invalid"),
        ({"tier": TIER, "spectators": "yes"}, "invalid"),
        ({"tier": "classic64-6"}, "insufficient_coins"),
        ({"tier": TIER, "clocks": "fast"}, "invalid"),
        ({"tier": TIER, "private": 1}, "invalid"),
        ({"tier": TIER, "base": 1}, "invalid"),
        ({"tier": ""}, "invalid"),
        ({}, "invalid"),
    ]:
        assert code_of(await ann.post("/api/rooms", body)) == code, body
    assert (await ann.post("/api/rooms", {"tier": "classic64-6"})).json()["short"] == 490_000
    assert code_of(await client.post("/api/rooms", json={"tier": TIER})) == "unauthorized"
    await ann.post("/api/rooms", {"tier": TIER})
    refused = await ann.post("/api/rooms", {"tier": TIER})
    assert (code_of(refused), refused.json()["room_id"]) == ("in_other_room", "room-01")
    assert code_of(await ann.post("/api/rooms/nowhere/join")) == "no_such_room"


async def test_where_one_sits_is_told_when_it_is_known(client: AsyncClient, rooms: FakeRooms) -> None:
    """Until then it is told who wants to sit down elsewhere."""
    ann = await someone(client)
    await ann.post("/api/rooms", {"tier": TIER})
    rooms.doubtful.add(ann.id)
    assert (await ann.get("/api/me")).json()["room_id"] is None
    refused = await ann.post("/api/rooms", {"tier": TIER})
    assert (code_of(refused), refused.json()["room_id"]) == ("in_other_room", "room-01")
    rooms.doubtful.clear()
    assert (await ann.get("/api/me")).json()["room_id"] == "room-01"


async def test_slow_clocks_are_doubled(client: AsyncClient, rooms: FakeRooms) -> None:
    ann, bob = await someone(client, "ann"), await someone(client, "bob")
    await ann.post("/api/rooms", {"tier": TIER, "clocks": "slow"})
    await bob.post("/api/rooms", {"tier": TIER})
    slow, usual = (rooms.summaries[room_id].tier.clocks for room_id in ("room-01", "room-02"))
    assert (slow.turn_ms, slow.reserve_ms) == (30_000, 40_000)
    assert slow.forced_ms == usual.forced_ms


async def test_a_ticket_is_for_the_own_seat(client: AsyncClient, app: FastAPI) -> None:
    ann, bob = await someone(client, "ann"), await someone(client, "bob")
    await ann.post("/api/rooms", {"tier": TIER})
    wanted = {"room_id": "room-01", "purpose": "play"}
    ticket = (await ann.post("/api/ws-tickets", wanted)).json()["ticket"]
    redeemed = app.state.house.tickets.redeem(ticket, "room-01")
    assert (redeemed.user_id, redeemed.room_id, redeemed.purpose) == (ann.id, "room-01", "play")
    assert app.state.house.tickets.redeem(ticket, "room-01") is None
    assert code_of(await bob.post("/api/ws-tickets", wanted)) == "not_seated"
    assert code_of(await ann.post("/api/ws-tickets", wanted | {"room_id": "x"})) == "no_such_room"
    assert code_of(await ann.post("/api/ws-tickets", wanted | {"purpose": "watch"})) == "forbidden"
    assert code_of(await ann.post("/api/ws-tickets", wanted | {"purpose": "spy"})) == "invalid"


async def test_a_finished_round_is_open_to_everybody(client: AsyncClient, database: Database) -> None:
    batch = await play_a_round(database)
    record = batch.rounds[0]
    body = (await client.get(f"/api/rounds/{record.id}")).json()
    proof = (await client.get(f"/api/rounds/{record.id}/proof")).json()
    assert proof == {
        "round_id": record.id,
        "status": "finished",
        "shuffle": record.shuffle,
        "secret": record.secret,
        "nonce": record.nonce,
        "entropy": ["00" * 32, "11" * 32],
        "commitment": record.commitment,
    }
    assert body == {
        "id": record.id,
        "room_id": record.room_id,
        "number": 1,
        "tier": {"id": "classic64-1", "name": "雀仔場"},
        "rake_bp": 500,
        "ruleset": "classic64",
        "ruleset_version": 1,
        "record_version": 1,
        "options": {"open_hand": True},
        "base": 10,
        "players": [
            {"id": record.players[0], "name": "ann"},
            {"id": record.players[1], "name": "bob"},
        ],
        "dealer": 0,
        "proof": proof,
        "actions": [[0, "w"]],
        "result": {"won": {"seat": 0}},
        "proposed_ms": 3_000,
        "ended_ms": 5_000,
    }


@pytest.mark.parametrize(
    ("status", "has_proof"),
    [
        (RoundStatus.PROPOSED, False),
        (RoundStatus.RUNNING, False),
        (RoundStatus.WITHDRAWN, True),
        (RoundStatus.VOIDED, True),
    ],
)
async def test_a_secret_is_shown_only_once_it_is_spent(
    client: AsyncClient, database: Database, status: RoundStatus, has_proof: bool
) -> None:
    players = [await guest(database, "ann"), await guest(database, "bob")]
    store, room = SqlRoomStore(database, ZONE), a_room(players)
    await store.create_room(room, 1)
    record = replace(a_round(room), status=status)
    await store.commit(Batch(room=later(room), at_ms=2, rounds=(record,)))
    assert code_of(await client.get(f"/api/rounds/{record.id}")) == "no_such_round"
    proof = await client.get(f"/api/rounds/{record.id}/proof")
    assert (proof.status_code == 200) == has_proof
    assert (record.secret in proof.text) == has_proof


async def test_unreadable_and_oversized_bodies(client: AsyncClient) -> None:
    as_json = {"Content-Type": "application/json"}
    for content, code in [
        (b"", "invalid"),
        (b"{", "invalid"),
        (b"[]", "invalid"),
        (b'"x"', "invalid"),
        (b'{"name":"\x80"}', "bad_request"),
        (b"[" * 1_900, "bad_request"),
        (b'{"name":"a","\\ud800":1}', "invalid"),
        (b'{"name":"\\ud800"}', "invalid"),
        (b'{"name":' + b"9" * 1_900 + b"}", "invalid"),
        (b'{"name":"a","name":"' + b"a" * 2_000 + b'"}', "too_large"),
    ]:
        answer = await client.post("/api/guest", content=content, headers=as_json)
        assert code_of(answer) == code, content[:20]

    async def chunks() -> Any:
        for _ in range(5):
            yield b"x" * 500

    answer = await client.post("/api/guest", content=chunks(), headers=as_json)  # no length declared
    assert code_of(answer) == "too_large"


async def test_nothing_a_client_sent_comes_back(client: AsyncClient) -> None:
    answer = await client.post("/api/guest", json={"name": "\u202eevil", "<script>": 1})
    assert code_of(answer) == "invalid"
    assert "evil" not in answer.text
    assert "script" not in answer.text
    assert answer.json()["faults"] == [
        {"where": ["body", "name"], "what": "value_error"},
        {"where": ["body"], "what": "extra_forbidden"},
    ]


async def test_unknown_places_and_methods(client: AsyncClient) -> None:
    for path in ("/nowhere", "/api/nowhere", "/api/rooms/", "/static/../app/main.py", "/static/nothing.js"):
        assert code_of(await client.get(path)) == "not_found"
    refused = await client.post("/api/me")
    assert code_of(refused) == "method_not_allowed"
    assert refused.headers["allow"] == "DELETE, GET"
    assert (await client.delete("/api/rooms")).headers["allow"] == "GET, POST"
    assert (await client.post("/static/js/main.js")).status_code == 405
    assert code_of(await client.get("/api/rounds/nothing")) == "no_such_round"
    assert code_of(await client.get("/api/rounds/%00/proof")) == "no_such_round"
    assert code_of(await client.get("/api/rooms", params={"limit": "0"})) == "invalid"


async def test_every_answer_carries_the_security_headers(client: AsyncClient) -> None:
    for answer in (await client.get("/healthz"), await client.get("/nowhere"), await client.get("/api/me")):
        policy = answer.headers["content-security-policy"]
        assert "default-src 'self'" in policy
        assert "unsafe" not in policy
        assert answer.headers["x-content-type-options"] == "nosniff"
    assert (await client.get("/api/tiers")).headers["cache-control"] == "no-store"


async def test_a_fault_of_ours_is_a_problem_too(client: AsyncClient, app: FastAPI) -> None:
    app.state.house = None
    answer = await client.get("/api/tiers")
    assert code_of(answer) == "internal"
    assert "content-security-policy" in answer.headers


async def test_health(client: AsyncClient, app: FastAPI, database: Database) -> None:
    assert (await client.get("/healthz")).json() == {"status": "ok"}
    assert (await client.get("/readyz")).json() == {"status": "ready"}
    await execute(database, "DROP TABLE alembic_version")
    assert code_of(await client.get("/readyz")) == "unavailable"


async def test_the_openapi_document_is_served_with_our_errors(client: AsyncClient) -> None:
    document = (await client.get("/openapi.json")).json()
    assert "HTTPValidationError" not in json.dumps(document)
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            for status, answer in operation["responses"].items():
                if int(status) >= 400:
                    assert list(answer["content"]) == [MEDIA_TYPE], (path, method)
                    assert {PROBLEMS[code][0] for code in answer["description"].split(" · ")} == {int(status)}
