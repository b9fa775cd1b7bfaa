"""Income, suspects, the log and the proof, as operators read them. Source: docs/PROTOCOL.md §2.8."""

from __future__ import annotations

from dataclasses import replace

from fastapi import FastAPI
from httpx import AsyncClient

from app.rooms.ports import ActionRecord, Batch, RoundStatus
from app.store.archive import SqlArchive
from app.store.database import Database
from app.store.room_store import SqlRoomStore
from tests.integration.operators import WHY, operator
from tests.integration.stories import ZONE, a_room, a_round, execute, guest, later
from tests.integration.test_players import rounds_won
from tests.integration.test_relief import at

ON_EVERY_DATABASE = True

DAY_MS = 86_400_000
MIDNIGHT = 57_600_000  # of 1970-01-02 in Taipei; ``rounds_won`` plays in the evening before


async def test_income_by_day_and_tier(client: AsyncClient, app: FastAPI, database: Database) -> None:
    await rounds_won(database, 3)
    held = await execute(database, "SELECT balance FROM accounts WHERE id = 'house:rake'")
    at(app, 4_000)
    boss = await operator(client, database)
    earned = (await boss.get("/api/admin/income?days=2")).json()
    assert earned["days"] == ["1969-12-31", "1970-01-01"]
    line = {"day": "1970-01-01", "tier": "classic64-1", "rake": held[0][0], "escapes": 0, "fees": 0}
    assert earned["items"] == [line]
    assert held[0][0] > 0
    at(app, MIDNIGHT)
    assert [(one["day"], one["rake"]) for one in (await boss.get("/api/admin/income")).json()["items"]] == [
        ("1970-01-01", held[0][0])
    ]
    at(app, MIDNIGHT + 20 * DAY_MS)
    assert (await boss.get("/api/admin/income?days=3")).json()["items"] == []


async def test_a_pair_that_always_ends_the_same_way(
    client: AsyncClient, app: FastAPI, database: Database
) -> None:
    ann, bob = await rounds_won(database, 4)
    at(app, 5_000)
    boss = await operator(client, database)
    nobody: dict[str, list[str]] = {"pairs": [], "fleers": [], "neighbours": []}
    assert (await boss.get("/api/admin/suspects?decided=5")).json() == nobody
    pair = (await boss.get("/api/admin/suspects?decided=4")).json()["pairs"]
    assert [(p["winner"]["id"], p["loser"]["id"], p["decided"]) for p in pair] == [(ann.id, bob.id, 4)]
    assert pair[0]["coins"] > 0
    at(app, 20 * DAY_MS)
    assert (await boss.get("/api/admin/suspects?decided=4")).json()["pairs"] == []
    at(app, 5_000)
    lost_once = "UPDATE round_results SET outcome = CASE outcome WHEN 'won' THEN 'lost' ELSE 'won' END"
    await execute(database, f"{lost_once} WHERE round_id = 'round-2'")
    assert (await boss.get("/api/admin/suspects?decided=1")).json()["pairs"] == []


async def test_who_leaves_rounds_that_have_hardly_begun(
    client: AsyncClient, app: FastAPI, database: Database
) -> None:
    players = [await guest(database, "ann"), await guest(database, "bob")]
    store, room = SqlRoomStore(database, ZONE), a_room(players)
    await store.create_room(room, 2_000)
    for number, actions in enumerate((3, 12, 13, 40)):
        record = replace(a_round(room, f"round-{number}", number), status=RoundStatus.FINISHED)
        played = tuple(ActionRecord(record.id, n, 0, "x", 3_000) for n in range(actions))
        room = later(room)
        await store.commit(Batch(room=room, at_ms=3_000, rounds=(record,), actions=played))
        await execute(
            database,
            "INSERT INTO round_results (round_id, user_id, seat, outcome, coins_delta, points_before, "
            "points_after, total_fan, dealt_in, at_ms) "
            f"VALUES ('{record.id}', '{players[1].id}', 1, 'escaped', 0, 0, 0, 0, false, 3000)",
        )
    await SqlArchive(database).prune(["round-3"], 4_000)  # its actions are gone, and it was no short one
    at(app, 5_000)
    boss = await operator(client, database)
    fleers = (await boss.get("/api/admin/suspects?escapes=2")).json()["fleers"]
    assert fleers == [{"player": {"id": players[1].id, "name": "bob"}, "escapes": 2}]
    assert (await boss.get("/api/admin/suspects?escapes=3")).json()["fleers"] == []


async def test_the_log_is_paged_newest_first(client: AsyncClient, database: Database) -> None:
    boss = await operator(client, database)
    for base in range(11, 16):
        body = {"version": base - 10, "base": base, **WHY}
        assert (await boss.send("PATCH", "/api/admin/tiers/classic64-1", body)).status_code == 200
    seen: list[int] = []
    cursor = ""
    while cursor is not None:
        page = (await boss.get(f"/api/admin/audit-log?limit=2{cursor}")).json()
        seen += [line["after"]["base_stake"] for line in page["items"]]
        cursor = page["next"] and f"&cursor={page['next']}"
    assert seen == [15, 14, 13, 12, 11]
    assert (await boss.get("/api/admin/audit-log?operator=nobody")).json()["items"] == []


async def test_the_books_are_proved_or_the_fault_is_named(client: AsyncClient, database: Database) -> None:
    await rounds_won(database, 1)
    boss = await operator(client, database)
    proof = (await boss.get("/api/admin/ledger/audit")).json()
    assert proof["ok"]
    assert proof["issued"] == proof["held"] == 30_000
    await execute(database, "UPDATE accounts SET balance = balance + 1 WHERE id = 'house:rake'")
    proof = (await boss.get("/api/admin/ledger/audit")).json()
    assert not proof["ok"]
    assert proof["fault"]["check"] == "balance_equals_its_entries"
    row = proof["fault"]["row"]
    assert (row["id"], row["balance"]) == ("house:rake", row["entries"] + 1)
