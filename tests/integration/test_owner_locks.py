"""Who locks several players locks them by id, whoever else does so at the same moment."""

from __future__ import annotations

import asyncio

import asyncpg
import pytest

from app.api.look_alikes import look_alike_key
from app.economy.operators import By, Role
from app.economy.player_desk import Sanction
from app.economy.users import Name
from app.store.accounts import SqlAccounts
from app.store.database import Database
from app.store.operators import create_operator
from app.store.player_desk import SqlPlayerDesk
from tests.integration.stories import guest

ON_EVERY_DATABASE = True
LOCK = "SELECT id FROM users WHERE id = $1 FOR NO KEY UPDATE"
WAITING = "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"


async def ban(database: Database, user_id: str, owner_id: str) -> None:
    await SqlPlayerDesk(database).sanction(user_id, Sanction.BAN, True, By(owner_id, "for the test", 2))


async def leave(database: Database, user_id: str, _: str) -> None:
    await SqlAccounts(database).leave(user_id, 2)


CHANGES = {"ban": ban, "leave": leave}


@pytest.mark.parametrize("what", CHANGES)
async def test_a_round_that_ends_for_a_player_and_an_owner_meets_a_change_of_the_player(
    database: Database, database_url: str, database_kind: str, what: str
) -> None:
    if database_kind == "sqlite":
        pytest.skip("one writes at a time")
    ann = (await guest(database, "ann")).id
    owner = (await create_operator(database, Name("zoe", look_alike_key("zoe")), "hash", Role.OWNER, 1)).id
    assert ann < owner
    ending = await asyncpg.connect(database_url)
    async with ending.transaction():  # as rounds that end together lock players
        await ending.execute(LOCK, ann)
        changing = asyncio.create_task(CHANGES[what](database, ann, owner))
        while not await ending.fetchval(WAITING):  # noqa: ASYNC110  # nobody tells when it waits
            await asyncio.sleep(0)
        await ending.execute(LOCK, owner)
    await changing
    await ending.close()
