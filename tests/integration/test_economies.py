"""Economies made of whatever moves coins, in any order: every purse is what was given, won and taken."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from random import Random

import pytest

from app.economy.ledger import HOUSE_RAKE, ISSUANCE, purse
from app.economy.operators import By
from app.economy.player_desk import WouldOwe
from app.economy.relief import ReliefNotNeeded, ReliefTerms, ReliefUsedUp
from app.economy.settlement import settle_win
from app.store.accounts import SqlAccounts
from app.store.audit import audit
from app.store.database import Database
from app.store.player_desk import SqlPlayerDesk
from app.store.relief import SqlReliefs
from app.store.room_store import SqlRoomStore
from app.store.users import select_users
from tests.integration.stories import ZONE, execute, guest, won_batch
from tests.integration.test_group_commit import running

ON_EVERY_DATABASE = True

DAY = date(2026, 1, 1)
DEEDS = ("come", "relief", "adjust", "play", "play", "leave")


class Economy:
    """``purses`` is what the players must hold, ``rake`` what the house must have taken."""

    def __init__(self, database: Database, rng: Random) -> None:
        self._database, self._rng = database, rng
        self._store, self._desk = SqlRoomStore(database, ZONE), SqlPlayerDesk(database)
        self._number = 0
        self.purses: dict[str, int] = {}
        self.left: set[str] = set()
        self.rake = 0

    def _anybody(self, number: int = 1) -> list[str]:
        return self._rng.sample(sorted(self.purses.keys() - self.left), number)

    async def go_on(self) -> None:
        self._number += 1
        deed = "come" if len(self.purses) - len(self.left) < 3 else self._rng.choice(DEEDS)
        await getattr(self, deed)()

    async def come(self) -> None:
        coins = self._rng.choice((0, 1, 19, 20, 21, 10_000))
        user = await guest(self._database, f"guest {self._number}", coins)
        self.purses[user.id] = coins

    async def relief(self) -> None:
        (user_id,) = self._anybody()
        terms, held = ReliefTerms(), self.purses[user_id]
        try:
            self.purses[user_id] = (await SqlReliefs(self._database).grant(user_id, terms, DAY, 1)).coins
        except ReliefNotNeeded:
            assert held >= terms.below
        except ReliefUsedUp:
            return
        else:
            assert self.purses[user_id] == held + terms.coins

    async def adjust(self) -> None:
        user_id, by = self._anybody(2)
        coins = self._rng.randint(-2_000, 2_000)
        adjusting = self._desk.adjust(user_id, coins, f"{self._number}", By(by, "luck", 1))
        if self.purses[user_id] + coins < 0:
            with pytest.raises(WouldOwe):
                await adjusting
            return
        self.purses[user_id] += coins
        assert await adjusting == self.purses[user_id]

    async def play(self) -> None:
        ids = self._anybody(2)
        found = {user.id: user for user in await self._database.read(lambda c: select_users(c, ids))}
        pair = [found[user_id] for user_id in ids]
        begun, record = await running(self._store, pair, self._number)
        fan, held = self._rng.randint(1, 300), (self.purses[ids[0]], self.purses[ids[1]])
        won = settle_win(fan, record.base_stake, 1, 0, held, 500)
        closed = replace(begun.room, phase="closed", seats=(None, None))
        await self._store.commit(won_batch(closed, record, pair, fan))
        for user_id, delta in zip(ids, won.deltas, strict=True):
            self.purses[user_id] += delta
        self.rake += won.rake

    async def leave(self) -> None:
        (user_id,) = self._anybody()
        await SqlAccounts(self._database).leave(user_id, 1)
        self.purses[user_id] = 0
        self.left.add(user_id)


@pytest.mark.parametrize("seed", range(4))
async def test_every_purse_is_what_was_given_won_and_taken(database: Database, seed: int) -> None:
    economy = Economy(database, Random(seed))
    for _ in range(40):
        await economy.go_on()
    report = await audit(database)
    assert report.fault is None
    assert report.held == sum(economy.purses.values()) + economy.rake
    balances = dict(await execute(database, "SELECT id, balance FROM accounts"))
    assert {user_id: balances[purse(user_id)] for user_id in economy.purses} == economy.purses
    assert balances[HOUSE_RAKE] == economy.rake
    assert balances[ISSUANCE] == -report.issued
