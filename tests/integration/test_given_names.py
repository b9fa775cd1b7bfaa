"""A name that somebody registers is taken from guests who are called alike. Source: PROTOCOL §2.7."""

from __future__ import annotations

import asyncio
import itertools

import pytest

from app.api.look_alikes import look_alike_key
from app.economy.accounts import plain_name
from app.economy.users import Name, NameTaken, SignIn, User
from app.store import migrate
from app.store.accounts import SqlAccounts
from app.store.database import Database
from app.store.operators import create_operator
from app.store.users import SqlUsers
from tests.integration.serving import serving
from tests.integration.stories import execute, guest

ON_EVERY_DATABASE = True

PASSWORD = "four tiles and a pair"
_numbers = itertools.count(1)


def name(shown: str) -> Name:
    return Name(shown, look_alike_key(shown))


def session() -> SignIn:
    return SignIn(f"session {next(_numbers)}", "csrf", 10**15)


async def names(database: Database) -> dict[str, str]:
    return dict(await execute(database, "SELECT id, name FROM users WHERE id <> 'computer'"))


async def register(database: Database, shown: str) -> User:
    return await SqlAccounts(database).register(name(shown), "hash", 10_000, session(), 1_000)


async def take(database: Database, how: str, shown: str) -> str:
    """Make this somebody's own name in one of the four ways there are; his id."""
    accounts = SqlAccounts(database)
    if how == "register":
        return (await register(database, shown)).id
    if how == "operator":
        return (await create_operator(database, name(shown), "hash", None, 1_000)).id
    if how == "rename":
        user = await register(database, "dora")
        await accounts.rename(user.id, name(shown), 5_000, 0)
    else:
        user = await guest(database, shown)
        await accounts.upgrade(user.id, name(shown), "hash", session(), 5_000)
    return user.id


@pytest.mark.parametrize("how", ["register", "upgrade", "rename", "operator"])
async def test_guests_give_way_to_who_registers(database: Database, how: str) -> None:
    alike = [await guest(database, shown) for shown in ("paul", "PauI", "р а u l")]
    other = await guest(database, "paula")
    owner = await take(database, how, "Paul")
    found = await names(database)
    assert found.pop(owner) == "Paul"
    assert found.pop(other.id) == "paula"
    assert found == {each.id: plain_name(each.id) for each in alike}
    assert len(set(found.values())) == 3
    assert await execute(database, "SELECT name FROM users WHERE guest_key IS NOT NULL") == [("paula",)]


async def test_a_guest_takes_a_name_from_no_guest(database: Database) -> None:
    first, second = await guest(database, "paul"), await guest(database, "bob")
    await SqlAccounts(database).rename(second.id, name("PAUL"), 5_000, 0)
    assert await names(database) == {first.id: "paul", second.id: "PAUL"}
    await register(database, "Paul")  # under his new name he gives way, too
    assert set((await names(database)).values()) == {"Paul", plain_name(first.id), plain_name(second.id)}


async def test_a_name_that_is_refused_is_taken_from_nobody(database: Database) -> None:
    paul = await register(database, "Paul")
    await execute(database, "UPDATE users SET renamed_ms = 4000")
    dora = await guest(database, "dora")
    with pytest.raises(NameTaken):
        await register(database, "PAUL")
    with pytest.raises(NameTaken):
        await SqlAccounts(database).upgrade(dora.id, name("PAUL"), "hash", session(), 5_000)
    assert await names(database) == {paul.id: "Paul", dora.id: "dora"}


async def test_of_those_who_come_at_once_nobody_is_mistaken_for_the_owner(database: Database) -> None:
    """Two register the name, others come in under it, or take it, or register a third guest's."""
    users, accounts = SqlUsers(database), SqlAccounts(database)
    for number in range(5):
        shown = f"paul {number}"
        first, second = await guest(database, shown), await guest(database, f"dora {number}")
        results = await asyncio.gather(
            users.create_guest(name(shown), 0, session(), 1_000),
            accounts.upgrade(first.id, name(f"dora {number}"), "hash", session(), 5_000),
            register(database, shown),
            accounts.rename(second.id, name(shown), 5_000, 0),
            register(database, shown.upper()),
            accounts.upgrade(second.id, name(shown), "hash", session(), 5_000),
            users.create_guest(name(shown.upper()), 0, session(), 1_000),
            return_exceptions=True,
        )
        assert {type(one) for one in results if isinstance(one, Exception)} <= {NameTaken}
        key = look_alike_key(shown)
        owners = f"SELECT count(*) FROM users WHERE name_key = '{key}'"
        assert await execute(database, owners) == [(1,)]
    shared = "SELECT guests.name FROM users guests JOIN users own ON own.name_key = guests.guest_key"
    assert await execute(database, shared) == []


async def test_at_a_table_the_old_name_stays_until_he_sits_down_again(database_url: str) -> None:
    async with serving(database_url) as site, site.guest("阿梅") as mei, site.guest("聽雨") as rain:

        async def shown(invite: str | None) -> str:
            answer = await mei.http.get(f"/api/invites/{invite}")
            return str(answer.raise_for_status().json()["host"]["name"])

        room_id, invite = await mei.open_room()
        await rain.http.post("/api/register", json={"name": "阿梅", "password": PASSWORD})
        assert await shown(invite) == "阿梅"
        me = (await mei.http.get("/api/me")).json()["user"]
        assert (me["name"], me["guest"]) == (plain_name(mei.user_id), True)
        async with await mei.table(room_id) as table:
            await table.send({"m": "leave", "id": "going"})
            await table.until_closed()
        _, again = await mei.open_room()
        assert await shown(again) == plain_name(mei.user_id)
        for path in ("/api/me/name", "/api/register"):
            body = {"name": plain_name(rain.user_id)} | ({"password": PASSWORD} if "reg" in path else {})
            assert (await mei.http.post(path, json=body)).json()["code"] == "name_reserved"


async def test_guests_of_before_get_their_keys_or_give_way(database: Database, database_url: str) -> None:
    paul, double = await register(database, "Paul"), await guest(database, "bob")
    other = await guest(database, "carol")
    await database.close()
    await migrate.downgrade(database_url, "20261130_16")
    older = Database(database_url)
    await execute(older, "UPDATE users SET name = 'PAUL' WHERE name = 'bob'")
    await older.close()
    await migrate.upgrade(database_url)
    again = Database(database_url)
    assert await names(again) == {paul.id: "Paul", double.id: plain_name(double.id), other.id: "carol"}
    keys = await execute(again, "SELECT name, guest_key FROM users WHERE guest_key IS NOT NULL")
    assert keys == [("carol", look_alike_key("carol"))]
    await again.close()
