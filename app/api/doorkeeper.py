"""Who may come in: newcomers, not too many from one place; the others by name and password.

Source: PROTOCOL §2.7.
"""

from __future__ import annotations

from collections.abc import Callable

from app.api.attempts import Addresses, Allowance, Attempts, DoorLimits
from app.api.errors import Refused
from app.api.passwords import Passwords
from app.economy.accounts import Accounts, Credentials

HOUR_MS = 3_600_000


class Doorkeeper:
    """``host`` is the address a call comes from."""

    def __init__(self, accounts: Accounts, limits: DoorLimits, now_ms: Callable[[], int]) -> None:
        self.passwords = Passwords(limits.hashes_at_once)
        self._accounts = accounts
        self._addresses = Addresses(now_ms)
        self._attempts = Attempts(limits, now_ms)
        self._newcomers = Allowance(limits.newcomers_per_hour, HOUR_MS, now_ms)

    def admit_newcomer(self, host: str) -> None:
        """Raises:
        Refused: ``rate_limited``, too many new players from there.
        """
        address = self._addresses.key(host)
        again_ms = 0 if address is None else self._newcomers.take(address)
        if again_ms:
            raise Refused("rate_limited", again_ms=again_ms)

    async def recognise(self, key: str, password: str, host: str) -> tuple[Credentials, str | None]:
        """Whose name and password these are, and a better hash of it if there is one.

        Nothing in an answer, nor in how long it takes, tells whether there is such a name.

        Raises:
            Refused: ``locked_out`` after too many failures, ``bad_credentials``, ``unavailable``.
        """
        self.passwords.require_room()  # who is turned away for that has not failed
        address = self._addresses.key(host)
        name, others = f"name {key}", [] if address is None else [f"from {address}"]
        again_ms = self._attempts.begin([name, *others])
        if again_ms:
            raise Refused("locked_out", again_ms=again_ms)
        found = await self._accounts.by_key(key)
        verdict = await self.passwords.check(password, None if found is None else found.password_hash)
        if found is None or not verdict.is_right:
            raise Refused("bad_credentials")
        self._attempts.succeeded(name, others)
        return found, verdict.better_hash
