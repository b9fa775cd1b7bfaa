"""Standings as they were written last, so that the next settlement of the same players need not read them.

What is remembered may be out of date: whoever goes by it requires it as he writes, and forgets it when it is
not so. Source: docs/adr/0013.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from app.economy.ledger import PRACTICE, owner_of
from app.store.settlement import Known, Settlement
from app.store.standings import Key, Standing

USERS = 10_000  # remembered at most; of each three standings


class Recollection:
    def __init__(self, users: int = USERS) -> None:
        self._limit = users
        # by kind of period, the latest of each, and what stands there; None: nothing
        self._users: dict[str, dict[str, tuple[str, Standing | None]]] = {}

    def recall(self, settlement: Settlement) -> Known | None:
        """What the settlement can be worked out from without a look; None if not everything is known.

        Purses hold what the settlement expects of them. Of the house's own accounts nothing needs to be known
        as long as they only receive.
        """
        if settlement.moves_nothing or any(each.startswith(PRACTICE) for each in settlement.accounts):
            return None
        standings = self._standings(settlement.places)
        balances = _expected(settlement)
        if standings is None or balances is None:
            return None
        points: dict[str, int] = {}
        for result, *_ in settlement.results:
            points.setdefault(result.user_id, result.points_before)
        return Known(points, balances, standings, banned=())

    def _standings(self, keys: Sequence[Key]) -> dict[Key, Standing] | None:
        if self.unknown(keys):
            return None
        return {key: standing for key in keys if (standing := self._latest(*key)[1]) is not None}

    def _latest(self, period: str, user_id: str) -> tuple[str, Standing | None]:
        return self._users.get(user_id, {}).get(_kind(period), ("", None))

    def unknown(self, keys: Iterable[Key]) -> list[Key]:
        """Those of which nothing is remembered."""
        return [(period, user_id) for period, user_id in keys if self._latest(period, user_id)[0] != period]

    def learn(self, settlement: Settlement, standings: Mapping[Key, Standing]) -> None:
        """These are the standings the settlement moves as they are now stored."""
        self.keep({key: standings.get(key) for key in settlement.places})

    def keep(self, standings: Mapping[Key, Standing | None]) -> None:
        """What stands there now; None: nothing."""
        for (period, user_id), standing in standings.items():
            kept = self._users.pop(user_id, {})
            self._users[user_id] = kept | {_kind(period): (period, standing)}  # the last to go
        while len(self._users) > self._limit:
            del self._users[next(iter(self._users))]

    def forget(self, users: Iterable[str]) -> None:
        for user_id in users:
            self._users.pop(user_id, None)


def _kind(period: str) -> str:
    """Of a period's key: ``all``, ``day`` or ``week``."""
    return period.partition(":")[0]


def _expected(settlement: Settlement) -> dict[str, int] | None:
    """What every account holds before, the house's own as if nothing; None if that is not told."""
    balances: dict[str, int] = {}
    for account, amount in settlement.held:
        balances.setdefault(account, amount)
    for posting, _ in settlement.postings:
        for account, amount in posting.expect.items():
            balances.setdefault(account, amount)
    if any(owner_of(account) is None for account in balances):
        return None
    for posting, _ in settlement.postings:
        for account, amount in posting.entries.items():
            if owner_of(account) is None and amount >= 0:
                balances.setdefault(account, 0)
            elif owner_of(account) is None or account not in balances:
                return None
    return balances
