"""Accounts over HTTP: registration, devices, names, passwords, leaving. Source: PROTOCOL §2.7."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest
from argon2 import PasswordHasher, extract_parameters
from fastapi import FastAPI
from httpx import ASGITransport, AsyncClient, Response

from app.api.attempts import DoorLimits
from app.api.deps import CSRF_HEADER, House, token_hash
from app.api.doorkeeper import Doorkeeper
from app.economy.accounts import LEFT_NAME, Credentials
from app.economy.periods import Period, day_of, period_key
from app.economy.relief import ReliefTerms
from app.economy.standings import Measure
from app.economy.users import HasLeft, Name, SignIn
from app.main import create_app
from app.settings import load_settings
from app.store import migrate
from app.store.accounts import SqlAccounts
from app.store.audit import audit
from app.store.database import Database
from app.store.relief import SqlReliefs
from tests.integration.fake_rooms import FakeRooms
from tests.integration.serving import serving
from tests.integration.stories import ZONE, execute, guest, play_a_round
from tests.integration.test_http import TIER, Someone, code_of, someone
from tests.integration.test_relief import ruin

ON_EVERY_DATABASE = True

PASSWORD, OTHER = "four tiles and a pair", "thirteen orphans at dawn"
DAY_MS = 86_400_000


class Hands:
    """A clock that stands until it is moved."""

    now = 1_764_450_000_000

    def __call__(self) -> int:
        return self.now


@pytest.fixture
def clock(app: FastAPI) -> Hands:
    """The house's clock, from now on."""
    house: House = app.state.house
    hands = Hands()
    house.doorkeeper.passwords.close()
    doorkeeper = Doorkeeper(house.accounts, DoorLimits(), hands)
    app.state.house = replace(house, now_ms=hands, doorkeeper=doorkeeper)
    return hands


async def register(client: AsyncClient, name: str, password: str = PASSWORD) -> Someone:
    client.cookies.clear()
    answer = await client.post("/api/register", json={"name": name, "password": password})
    assert answer.status_code == 200, answer.text
    client.cookies.clear()
    return Someone(client, answer.json())


async def login(client: AsyncClient, name: str, password: str = PASSWORD) -> Response:
    """From a device that has not been here before."""
    client.cookies.clear()
    answer = await client.post("/api/login", json={"name": name, "password": password})
    client.cookies.clear()
    return answer


async def leave(someone: Someone, password: str | None = None) -> Response:
    body = {} if password is None else {"password": password}
    return await someone.client.request("DELETE", "/api/me", json=body, headers=someone.headers)


def carrying(answer: Response, who: Someone) -> Someone:
    """The same player with the token he has just been given."""
    assert answer.status_code == 200, answer.text
    return Someone(who.client, answer.json())


async def is_in(who: Someone) -> bool:
    return (await who.get("/api/me")).status_code == 200


# --- registration ------------------------------------------------------------------------------------------


async def test_a_stranger_registers_and_signs_in_on_two_devices(client: AsyncClient) -> None:
    ann = await register(client, "  Ａnn ")
    me = (await ann.get("/api/me")).json()["user"]
    assert (me["name"], me["guest"], me["registered"], me["coins"]) == ("Ann", False, True, 10_000)
    devices = [carrying(await login(client, name), ann) for name in ("Ann", "ANN")]
    assert {device.id for device in devices} == {ann.id}
    assert [await is_in(each) for each in (ann, *devices)] == [True] * 3
    assert (await devices[0].post("/api/logout")).status_code == 204
    assert [await is_in(each) for each in (ann, *devices)] == [True, False, True]


async def test_a_guest_who_registers_keeps_all_he_has(
    client: AsyncClient, database: Database, rooms: FakeRooms
) -> None:
    guest = await someone(client, "聽雨")
    await execute(database, f"UPDATE users SET points = 26 WHERE id = '{guest.id}'")
    await guest.post("/api/rooms", {"tier": TIER})
    before = (await guest.get("/api/me")).json()
    answer = await guest.post("/api/register", {"name": "夜雨", "password": PASSWORD})
    assert answer.json()["user"] == before["user"] | {"name": "夜雨", "guest": False, "registered": True}
    registered = carrying(answer, guest)
    after = (await registered.get("/api/me")).json()
    assert after["room_id"] == before["room_id"] == "room-01"
    assert after["csrf"] != before["csrf"]
    assert not await is_in(guest)  # under the old token
    assert carrying(await login(client, "夜雨"), guest).id == guest.id


async def test_the_database_holds_no_password(client: AsyncClient, database: Database) -> None:
    await register(client, "ann")
    (stored,) = await execute(database, "SELECT password_hash FROM users WHERE name = 'ann'")
    assert stored[0].startswith("$argon2id$")
    assert PASSWORD not in str(await execute(database, "SELECT * FROM users"))


async def test_of_registrations_at_once_one_gets_the_name(client: AsyncClient, database: Database) -> None:
    bodies = [{"name": name, "password": PASSWORD} for name in ("Paul", "PauI", "paul", "ＰＡＵＬ")]
    answers = await asyncio.gather(*(client.post("/api/register", json=body) for body in bodies))
    assert sorted(answer.status_code for answer in answers) == [200, 409, 409, 409]
    assert {code_of(answer) for answer in answers if answer.status_code == 409} == {"name_taken"}
    assert await execute(database, "SELECT count(*) FROM users WHERE name_key IS NOT NULL") == [(1,)]
    assert (await audit(database)).fault is None  # nothing is left of the others


async def test_of_two_clicks_one_registers_the_guest(client: AsyncClient, database: Database) -> None:
    guest = await someone(client)
    body = {"name": "ann", "password": PASSWORD}
    answers = await asyncio.gather(*(guest.post("/api/register", body) for _ in range(3)))
    won = [answer for answer in answers if answer.status_code == 200]
    assert len(won) == 1
    assert {code_of(answer) for answer in answers if answer not in won} <= {"already_registered"}
    assert await is_in(carrying(won[0], guest))
    assert await execute(database, "SELECT count(*) FROM sessions") == [(1,)]
    again = await carrying(won[0], guest).post("/api/register", {"name": "bob", "password": PASSWORD})
    assert code_of(again) == "already_registered"


async def test_what_is_no_name_or_password(client: AsyncClient) -> None:
    for body, code in [
        ({"name": "ann", "password": "short"}, "weak_password"),
        ({"name": "ann", "password": "password123"}, "weak_password"),
        ({"name": "ann-marie", "password": "ANN-MAR1E"}, "weak_password"),
        ({"name": "Ｅrma", "password": PASSWORD}, "name_reserved"),
        ({"name": "小客服", "password": PASSWORD}, "name_reserved"),
        ({"name": "\u202e", "password": PASSWORD}, "invalid"),
        ({"name": "ann", "password": "x" * 1_025}, "invalid"),
        ({"name": "ann", "password": None}, "invalid"),
        ({"name": "ann"}, "invalid"),
    ]:
        assert code_of(await client.post("/api/register", json=body)) == code, body
    assert code_of(await client.post("/api/guest", json={"name": "電腦"})) == "name_reserved"


async def test_guests_share_names_with_each_other_alone(client: AsyncClient) -> None:
    first, second = await someone(client, "ann"), await someone(client, "ann")
    await register(client, "Ann")  # guests keep nobody from a name
    for path, more in (("/api/guest", {}), ("/api/register", {"password": PASSWORD})):
        answer = await client.post(path, json={"name": "\u0430nn", **more})  # Cyrillic а
        assert code_of(answer) == "name_taken"
    assert code_of(await first.post("/api/me/name", {"name": "ANN"})) == "name_taken"
    assert (await second.post("/api/me/name", {"name": "anna"})).json()["name"] == "anna"


# --- signing in --------------------------------------------------------------------------------------------


async def test_a_wrong_name_and_a_wrong_password_are_answered_alike(client: AsyncClient) -> None:
    await register(client, "ann")
    wrong = await login(client, "ann", OTHER)
    assert code_of(wrong) == "bad_credentials"
    for name in ("bob", "", "\u202e", "電腦", LEFT_NAME):
        assert (await login(client, name)).content == wrong.content


async def test_failures_lock_a_name_whether_or_not_there_is_one(client: AsyncClient, clock: Hands) -> None:
    await register(client, "ann")
    bodies = []
    for name in ("ann", "nobody"):
        for _ in range(5):
            assert code_of(await login(client, name, OTHER)) == "bad_credentials"
        locked = await login(client, name)  # the right one, too
        assert code_of(locked) == "locked_out"
        assert locked.json()["again_ms"] == clock.now + 30_000
        bodies.append(locked.content)
    assert bodies[0] == bodies[1]
    assert (await login(client, "AΝN", OTHER)).content == bodies[0]  # with a Greek letter
    clock.now += 30_000
    assert (await login(client, "ann")).status_code == 200
    for _ in range(4):
        assert code_of(await login(client, "ann", OTHER)) == "bad_credentials"
    assert (await login(client, "ann")).status_code == 200


async def test_a_hundred_guesses_at_once_are_no_more_than_five(client: AsyncClient, clock: Hands) -> None:
    await register(client, "ann")
    guesses = ({"name": "ann", "password": f"guess number {n}"} for n in range(20))
    answers = await asyncio.gather(*(client.post("/api/login", json=guess) for guess in guesses))
    codes = [code_of(answer) for answer in answers]
    assert (codes.count("bad_credentials"), codes.count("locked_out")) == (5, 15)


async def test_a_better_hash_takes_the_place_of_an_older_one(client: AsyncClient, database: Database) -> None:
    await register(client, "ann")
    weak = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1).hash(PASSWORD)
    await execute(database, f"UPDATE users SET password_hash = '{weak}' WHERE name = 'ann'")
    assert (await login(client, "ann")).status_code == 200
    (stored,) = await execute(database, "SELECT password_hash FROM users WHERE name = 'ann'")
    await register(client, "ben")
    (fresh,) = await execute(database, "SELECT password_hash FROM users WHERE name = 'ben'")
    assert extract_parameters(stored[0]) == extract_parameters(fresh[0]) != extract_parameters(weak)
    assert (await login(client, "ann")).status_code == 200


async def test_a_cookie_brought_along_is_never_adopted(client: AsyncClient, database: Database) -> None:
    await register(client, "ann")
    client.cookies.set("erma_session", "chosen by somebody else", domain="erma.example")
    answer = await client.post("/api/login", json={"name": "ann", "password": PASSWORD})
    assert answer.json()["token"] != "chosen by somebody else"
    first = client.cookies["erma_session"]
    await client.post("/api/login", json={"name": "ann", "password": PASSWORD})
    second = client.cookies["erma_session"]
    assert first != second
    client.cookies.clear()
    for token, status in ((first, 401), (second, 200)):  # the browser's former session has ended
        answer = await client.get("/api/me", headers={"Authorization": f"Bearer {token}"})
        assert answer.status_code == status


async def test_by_cookie_a_guest_needs_the_csrf_value_to_register(client: AsyncClient) -> None:
    await client.post("/api/guest", json={"name": "ann"})
    body = {"name": "ann", "password": PASSWORD}
    assert code_of(await client.post("/api/register", json=body)) == "csrf"
    csrf = (await client.get("/api/me")).json()["csrf"]
    answer = await client.post("/api/register", json=body, headers={CSRF_HEADER: csrf})
    assert answer.status_code == 200
    assert (await client.get("/api/me")).json()["user"]["registered"]


# --- sessions ----------------------------------------------------------------------------------------------


async def test_the_list_of_sessions(client: AsyncClient, clock: Hands) -> None:
    ann = await register(client, "ann")
    clock.now += DAY_MS
    other = carrying(await login(client, "ann"), ann)
    assert (await ann.get("/api/me/sessions")).json() == {
        "items": [
            {"created_ms": clock.now, "seen_on": "2025-12-01", "current": False},
            {"created_ms": clock.now - DAY_MS, "seen_on": "2025-12-01", "current": True},
        ]
    }
    assert [line["current"] for line in (await other.get("/api/me/sessions")).json()["items"]] == [
        True,
        False,
    ]
    assert len((await (await someone(client)).get("/api/me/sessions")).json()["items"]) == 1


async def test_logging_out_everywhere(client: AsyncClient) -> None:
    ann, bob = await register(client, "ann"), await register(client, "bob")
    other = carrying(await login(client, "ann"), ann)
    assert (await other.post("/api/logout-everywhere")).status_code == 204
    assert [await is_in(each) for each in (ann, other, bob)] == [False, False, True]


async def test_a_session_lasts_while_it_is_used_and_a_year_at_most(client: AsyncClient, clock: Hands) -> None:
    begun = clock.now
    ann = await register(client, "ann")
    clock.now += 90 * DAY_MS - 1
    assert await is_in(ann)
    idle = carrying(await login(client, "ann"), ann)
    clock.now += 60 * DAY_MS
    assert await is_in(ann)
    clock.now += 30 * DAY_MS
    assert await is_in(ann)
    assert not await is_in(idle)
    for _ in range(4):
        clock.now += 45 * DAY_MS
        assert await is_in(ann)
    clock.now = begun + 365 * DAY_MS - 1
    assert await is_in(ann)
    clock.now += 1
    assert not await is_in(ann)


async def test_a_session_in_use_is_written_once_a_day(
    client: AsyncClient, clock: Hands, database: Database
) -> None:
    seen = "SELECT seen_ms FROM sessions"
    begun = clock.now
    ann = await someone(client)
    for hours, expected in ((23, 0), (24, 24), (47, 24), (48, 48)):
        clock.now = begun + hours * 3_600_000
        assert await is_in(ann)
        assert await execute(database, seen) == [(begun + expected * 3_600_000,)]


# --- name and password -------------------------------------------------------------------------------------


async def test_a_registered_player_is_renamed_once_a_day(client: AsyncClient, clock: Hands) -> None:
    ann, bob = await register(client, "ann"), await register(client, "bob")
    assert code_of(await ann.post("/api/me/name", {"name": "ВOB"})) == "name_taken"
    assert code_of(await ann.post("/api/me/name", {"name": "Admin"})) == "name_reserved"
    assert (await ann.post("/api/me/name", {"name": "Anna"})).json()["name"] == "Anna"
    again_ms = clock.now + DAY_MS
    clock.now = again_ms - 1
    refused = await ann.post("/api/me/name", {"name": "Annie"})
    assert (code_of(refused), refused.json()["again_ms"]) == ("renamed_lately", again_ms)
    clock.now += 1
    assert (await ann.post("/api/me/name", {"name": "ANNA"})).json()["name"] == "ANNA"  # his own key
    assert (await bob.post("/api/me/name", {"name": "ann"})).status_code == 200  # free again
    assert carrying(await login(client, "anna"), ann).id == ann.id
    assert carrying(await login(client, "ann"), bob).id == bob.id


async def test_of_two_who_want_a_name_at_once_one_is_renamed(client: AsyncClient) -> None:
    players = [await register(client, f"player {n}") for n in range(3)]
    answers = await asyncio.gather(*(each.post("/api/me/name", {"name": "聽雨"}) for each in players))
    assert sorted(answer.status_code for answer in answers) == [200, 409, 409]


async def test_a_guest_is_renamed_every_ten_seconds(client: AsyncClient, clock: Hands) -> None:
    """What he was called as a guest does not count against him once he is registered."""
    ann = await someone(client, "ann")
    for name in ("anna", "annie", "ann"):
        assert (await ann.post("/api/me/name", {"name": name})).json()["name"] == name
        clock.now += 9_999
        refused = await ann.post("/api/me/name", {"name": "anne"})
        assert (code_of(refused), refused.json()["again_ms"]) == ("renamed_lately", clock.now + 1)
        clock.now += 1
    registered = carrying(await ann.post("/api/register", {"name": "ann", "password": PASSWORD}), ann)
    assert (await registered.post("/api/me/name", {"name": "anna"})).status_code == 200


async def test_another_password_ends_all_other_sessions(client: AsyncClient) -> None:
    ann = await register(client, "ann")
    other = carrying(await login(client, "ann"), ann)
    for old, new, code in [
        (OTHER, "another password", "bad_credentials"),
        (PASSWORD, "ann", "weak_password"),
        (PASSWORD, "iloveyou", "weak_password"),
    ]:
        assert code_of(await ann.post("/api/me/password", {"old": old, "new": new})) == code
    renewed = carrying(await ann.post("/api/me/password", {"old": PASSWORD, "new": OTHER}), ann)
    assert [await is_in(each) for each in (ann, other, renewed)] == [False, False, True]
    assert code_of(await login(client, "ann")) == "bad_credentials"
    assert (await login(client, "ann", OTHER)).status_code == 200
    guest = await someone(client)
    refused = await guest.post("/api/me/password", {"old": PASSWORD, "new": OTHER})
    assert code_of(refused) == "not_registered"


async def test_of_two_new_passwords_at_once_one_stands(client: AsyncClient) -> None:
    ann = await register(client, "ann")
    wanted = [f"{OTHER} {n}" for n in range(3)]
    calls = (ann.post("/api/me/password", {"old": PASSWORD, "new": new}) for new in wanted)
    answers = await asyncio.gather(*calls)
    assert [answer.status_code for answer in answers].count(200) == 1
    assert {code_of(answer) for answer in answers if answer.status_code != 200} <= {"bad_credentials"}
    won = wanted[[answer.status_code for answer in answers].index(200)]
    assert (await login(client, "ann", won)).status_code == 200


async def test_a_stolen_session_gets_no_more_guesses_than_a_stranger(
    client: AsyncClient, clock: Hands
) -> None:
    ann = await register(client, "ann")
    for _ in range(5):
        assert code_of(await leave(ann, OTHER)) == "bad_credentials"
    locked = await ann.post("/api/me/password", {"old": PASSWORD, "new": OTHER})
    assert code_of(locked) == "locked_out"
    assert code_of(await login(client, "ann")) == "locked_out"


# --- leaving for good --------------------------------------------------------------------------------------


async def a_player_with_a_past(client: AsyncClient, database: Database) -> Someone:
    """Ann, who has won a round against bob, and registers."""
    batch = await play_a_round(database)
    ann_id = batch.results[0].user_id
    await execute(
        database,
        f"UPDATE sessions SET token_sha256 = '{token_hash('her token')}' WHERE user_id = '{ann_id}'",
        "UPDATE rooms SET phase = 'closed'",
    )
    guest = Someone(client, {"user": {"id": ann_id}, "token": "her token"})
    return carrying(await guest.post("/api/register", {"name": "ann", "password": PASSWORD}), guest)


async def test_who_leaves_is_gone_and_his_rounds_stay(client: AsyncClient, database: Database) -> None:
    ann = await a_player_with_a_past(client, database)
    bob = (await client.get(f"/api/players/{ann.id}/rounds")).json()["items"][0]["opponent"]["id"]
    before = (await client.get(f"/api/players/{ann.id}")).json()
    assert code_of(await leave(ann)) == "bad_credentials"
    assert code_of(await leave(ann, OTHER)) == "bad_credentials"
    assert (await leave(ann, PASSWORD)).status_code == 204

    assert not await is_in(ann)
    assert code_of(await login(client, "ann")) == "bad_credentials"
    assert code_of(await login(client, LEFT_NAME)) == "bad_credentials"
    after = (await client.get(f"/api/players/{ann.id}")).json()
    assert after == before | {"name": LEFT_NAME, "coins": 0, "registered": False}
    assert after["rounds"] == 1
    (played,) = (await client.get(f"/api/players/{ann.id}/rounds")).json()["items"]
    (his,) = (await client.get(f"/api/players/{bob}/rounds")).json()["items"]
    assert his["opponent"] == {"id": ann.id, "name": LEFT_NAME}
    record = (await client.get(f"/api/rounds/{played['id']}")).json()
    assert [player["name"] for player in record["players"]] == [LEFT_NAME, "bob"]
    assert (await register(client, "ann")).id != ann.id  # the name is free


@pytest.mark.sqlite_only
async def test_who_leaves_is_kept_by_nothing_that_is_no_json(client: AsyncClient, database: Database) -> None:
    ann = await a_player_with_a_past(client, database)
    for seq, whose in ((901, ann.id), (902, "another")):
        torn = f'{{"seat":0,"user":{{"id":"{whose}","name":"seen'
        row = f"SELECT id, {seq}, 1, NULL, 'seat_taken', '{torn}' FROM rooms"
        await execute(database, f"INSERT INTO events (room_id, seq, at_ms, round_id, kind, data) {row}")
    assert (await leave(ann, PASSWORD)).status_code == 204
    his, another = await execute(database, "SELECT data FROM events WHERE seq > 900 ORDER BY seq")
    assert json.loads(his[0]) == {"user": {"id": ann.id, "name": LEFT_NAME}}
    assert another[0] == torn


async def test_who_leaves_stands_on_no_board_and_the_ledger_holds(
    client: AsyncClient, database: Database
) -> None:
    ann = await a_player_with_a_past(client, database)
    issued = (await audit(database)).issued
    held = (await ann.get("/api/me")).json()["user"]["coins"]
    for period in ("all", "day", "week"):
        assert await listed(client, period, 1_000) == ["ann", "bob"]
    await leave(ann, PASSWORD)
    for period in ("all", "day", "week"):
        assert await listed(client, period, 1_000) == ["bob"]
    report = await audit(database)
    assert report.fault is None
    assert report.issued == report.held == issued - held
    kinds = await execute(database, "SELECT kind, count(*) FROM postings GROUP BY kind ORDER BY kind")
    assert ("farewell", 1) in kinds
    await execute(database, f"UPDATE users SET left_ms = NULL WHERE id = '{ann.id}'")
    found = await audit(database)  # the proof looks where each should stand
    assert found.fault is not None
    assert found.fault.check == "standings_follow_points_and_purses"


async def listed(client: AsyncClient, period: str, at_ms: int) -> list[str]:
    """The names on a board; the round was played at the very beginning of time."""
    key = period_key(Period(period), day_of(at_ms, ZONE))
    house: House = client._transport.app.state.house  # type: ignore[attr-defined]  # reached past the types
    return [place.name for place in await house.standings.page(Measure.POINTS, key, None, 10)]


async def test_ranks_close_up_behind_who_leaves(client: AsyncClient) -> None:
    players = [await someone(client, name) for name in ("ann", "bob", "carol")]
    await leave(players[0])
    profile = (await client.get(f"/api/players/{players[0].id}")).json()
    assert (profile["name"], profile["guest"], profile["registered"]) == (LEFT_NAME, False, False)
    around = (await players[2].get("/api/leaderboard/around-me?by=coins&period=all")).json()
    assert (around["me"]["rank"], [place["player"]["name"] for place in around["items"]]) == (
        1,
        ["bob", "carol"],
    )


async def test_who_is_at_a_table_leaves_it_first(
    client: AsyncClient, rooms: FakeRooms, database: Database
) -> None:
    ann = await someone(client)
    await ann.post("/api/rooms", {"tier": TIER})
    refused = await leave(ann)
    assert (code_of(refused), refused.json()["room_id"]) == ("seated", "room-01")
    rooms.summaries["room-01"] = replace(rooms.summaries["room-01"], phase="playing")
    assert code_of(await leave(ann)) == "in_round"
    rooms.summaries.clear()
    assert (await leave(ann)).status_code == 204
    assert (await audit(database)).fault is None


async def test_a_seat_that_only_the_database_knows_counts(client: AsyncClient, database: Database) -> None:
    ann = await a_player_with_a_past(client, database)
    await execute(database, "UPDATE rooms SET phase = 'waiting'")
    assert code_of(await leave(ann, PASSWORD)) == "seated"
    assert await is_in(ann)


async def test_of_two_clicks_on_leaving_coins_go_back_once(client: AsyncClient, database: Database) -> None:
    ann = await someone(client)
    answers = await asyncio.gather(*(leave(ann) for _ in range(3)))
    statuses = {answer.status_code for answer in answers}
    assert 204 in statuses
    assert statuses <= {204, 401}
    report = await audit(database)
    assert (report.fault, report.issued) == (None, 0)
    assert await execute(database, "SELECT count(*) FROM postings WHERE kind = 'farewell'") == [(1,)]


async def test_what_is_still_under_way_brings_nobody_back(client: AsyncClient, database: Database) -> None:
    for number in range(3):
        ann = await someone(client)
        await ruin(database, ann)
        answers = await asyncio.gather(
            ann.post("/api/me/name", {"name": f"ann {number}"}),
            leave(ann),
            ann.post("/api/register", {"name": f"anna {number}", "password": PASSWORD}),
            ann.post("/api/relief"),
        )
        assert {answer.status_code for answer in answers} <= {200, 204, 401, 403, 409}
        row = (await execute(database, f"SELECT name, name_key FROM users WHERE id = '{ann.id}'"))[0]
        assert (row == (LEFT_NAME, None)) is (answers[1].status_code == 204)
        assert (await audit(database)).fault is None


async def test_the_store_does_nothing_for_who_has_left(database: Database) -> None:
    ann = await guest(database, "ann", coins=0)
    accounts, name, new = SqlAccounts(database), Name("anna", "anna"), SignIn("t", "c", 10**15)
    assert await accounts.leave(ann.id, 2_000) == ["hash of ann"]
    for late in (
        accounts.leave(ann.id, 2_001),
        accounts.rename(ann.id, name, 2_001, DAY_MS),
        accounts.upgrade(ann.id, name, "hash", new, 2_001),
        accounts.sign_in(Credentials(ann.id, "hash"), new, 2_001),
        SqlReliefs(database).grant(ann.id, ReliefTerms(), day_of(2_001, ZONE), 2_001),
    ):
        with pytest.raises(HasLeft):
            await late
    assert (await audit(database)).fault is None


async def test_who_leaves_searches_no_longer(client: AsyncClient, app: FastAPI) -> None:
    ann = await someone(client)
    assert (await ann.post("/api/match", {"tier": TIER})).json()["status"] == "waiting"
    assert (await leave(ann)).status_code == 204
    assert app.state.house.matching.poll(ann.id).status == "none"


# --- limits, addresses, TLS --------------------------------------------------------------------------------


async def test_newcomers_from_one_address_are_limited(app: FastAPI, clock: Hands) -> None:
    async with calling(app, "203.0.113.5") as client, calling(app, "203.0.113.6") as neighbour:
        for number in range(30):
            kind, more = [("guest", {}), ("register", {"password": PASSWORD})][number % 10 == 0]
            answer = await client.post(f"/api/{kind}", json={"name": f"player {number}", **more})
            client.cookies.clear()
            assert answer.status_code == 200
        for kind, more in (("guest", {}), ("register", {"password": PASSWORD})):
            refused = await client.post(f"/api/{kind}", json={"name": "one more", **more})
            assert (code_of(refused), refused.json()["again_ms"]) == ("rate_limited", clock.now + 3_600_000)
        assert (await neighbour.post("/api/guest", json={"name": "ann"})).status_code == 200
        clock.now += 3_600_000
        assert (await client.post("/api/guest", json={"name": "ann"})).status_code == 200


async def test_failures_lock_an_address_whatever_the_names(app: FastAPI, clock: Hands) -> None:
    async with calling(app, "203.0.113.5") as client, calling(app, "203.0.113.6") as neighbour:
        await register(neighbour, "ann")
        for number in range(5):
            assert code_of(await login(client, f"guess {number}")) == "bad_credentials"
        assert code_of(await login(client, "ann")) == "locked_out"
        assert (await login(neighbour, "ann")).status_code == 200
        clock.now += 30_000
        assert (await login(client, "ann")).status_code == 200


async def test_no_address_is_ever_stored(app: FastAPI, database: Database) -> None:
    tables = "SELECT * FROM users", "SELECT * FROM sessions"
    async with calling(app, "203.0.113.5") as client:
        await register(client, "ann")
        await login(client, "ann", OTHER)
    assert "203.0.113" not in str([await execute(database, table) for table in tables])


@asynccontextmanager
async def calling(app: FastAPI, host: str, scheme: str = "http") -> AsyncIterator[AsyncClient]:
    """A browser at this address."""
    transport = ASGITransport(app, raise_app_exceptions=False, client=(host, 50_000))
    async with AsyncClient(transport=transport, base_url=f"{scheme}://erma.example") as client:
        yield client


async def test_behind_tls_the_cookie_belongs_to_this_host_alone(database_url: str) -> None:
    app = create_app(load_settings(database_url=database_url, secure_cookies=True), rooms=FakeRooms())
    async with app.router.lifespan_context(app), calling(app, "203.0.113.5", "https") as client:
        answer = await client.post("/api/register", json={"name": "ann", "password": PASSWORD})
        name, *attributes = answer.headers["set-cookie"].split("; ")
        assert name.startswith("__Host-erma_session=")
        assert {"HttpOnly", "Secure", "SameSite=lax", "Path=/"} <= set(attributes)
        assert not [each for each in attributes if each.startswith("Domain")]
        me = await client.get("/api/me")
        assert me.status_code == 200
        client.cookies.clear()
        client.cookies.set("erma_session", answer.json()["token"])  # as another host of the domain could
        assert code_of(await client.get("/api/me")) == "unauthorized"


async def test_down_and_up_again_with_accounts_in_the_tables(
    client: AsyncClient, database: Database, database_url: str
) -> None:
    ann = await a_player_with_a_past(client, database)
    await leave(ann, PASSWORD)
    await register(client, "carol")
    await database.close()
    await migrate.downgrade(database_url, "20261129_14")
    await migrate.upgrade(database_url)
    again = Database(database_url)
    assert (await audit(again)).fault is None
    names = await execute(again, "SELECT name FROM users WHERE id <> 'computer' ORDER BY name")
    assert sorted(names) == sorted([("bob",), ("carol",), (LEFT_NAME,)])
    await again.close()


async def test_who_leaves_is_seated_by_nothing_that_is_under_way(
    database: Database, database_url: str
) -> None:
    """Over real rooms: leaving and sitting down at once end in one of the two, never in both."""
    async with serving(database_url) as site:
        for number in range(8):
            async with site.guest(f"ann{number}") as ann:
                left, opened = await asyncio.gather(
                    ann.http.delete("/api/me"), ann.http.post("/api/rooms", json={"tier": "classic64-1"})
                )
                assert {left.status_code, opened.status_code} & {409, 401, 403}, (left.text, opened.text)
    names = await execute(database, "SELECT data FROM events WHERE kind = 'seat_taken'")
    gone = {row[0] for row in await execute(database, "SELECT id FROM users WHERE left_ms IS NOT NULL")}
    for (data,) in names:
        told = json.loads(data) if isinstance(data, str) else data
        assert told["user"]["id"] not in gone or told["user"]["name"] == LEFT_NAME
