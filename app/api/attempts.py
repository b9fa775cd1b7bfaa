"""Who tries too often: failed sign-ins lock out for a while, and nobody makes players by the hundred.

Everything is kept in memory and forgotten after an hour or two. Source: PROTOCOL §2.7.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import blake2b

from app.api.addresses import household, ip_of

DAY_MS = 86_400_000


@dataclass(frozen=True, slots=True)
class DoorLimits:
    """All are settings. The first lock follows the ``failures``-th failure, each further one doubles it."""

    failures: int = 5
    first_lock_ms: int = 30_000
    longest_lock_ms: int = 15 * 60_000
    failures_kept_ms: int = 3_600_000
    newcomers_per_hour: int = 30
    hashes_at_once: int = 2


class Addresses:
    """Where calls come from, as short hashes under a key that is made anew each day and kept nowhere else."""

    def __init__(self, now_ms: Callable[[], int]) -> None:
        self._now_ms = now_ms
        self._day = -1
        self._secret = b""

    def key(self, host: str) -> str | None:
        """The same for everything that is likely one household. None for this machine itself: behind it may
        stand a proxy nobody has told us to trust, and with it everybody.
        """
        today = self._now_ms() // DAY_MS
        if today != self._day:
            self._day, self._secret = today, secrets.token_bytes(32)
        address = ip_of(host)
        if address is not None and address.is_loopback:
            return None
        return blake2b(household(host).encode(), key=self._secret, digest_size=8).hexdigest()


@dataclass(slots=True)
class _Failures:
    count: int
    last_ms: int
    locked_until_ms: int


class Attempts:
    """Failed sign-ins, by whatever they are counted for: a name, an address."""

    def __init__(self, limits: DoorLimits, now_ms: Callable[[], int]) -> None:
        self._limits = limits
        self._now_ms = now_ms
        self._failures: dict[str, _Failures] = {}  # the one that failed longest ago first

    def begin(self, holders: Sequence[str]) -> int:
        """0 when it may be tried, else the moment from which on it may.

        It counts as failed from here until it has succeeded, so that a hundred at once get no more tries than
        a hundred in a row.
        """
        now = self._now_ms()
        self._forget_old(now)
        known = [self._failures[holder] for holder in holders if holder in self._failures]
        locked_until = max((each.locked_until_ms for each in known), default=0)
        if now < locked_until:
            return locked_until
        for holder in holders:
            before = self._failures.pop(holder, None)
            count = 1 if before is None else before.count + 1
            self._failures[holder] = _Failures(count, now, self._locked_until(count, now))
        return 0

    def succeeded(self, name: str, others: Sequence[str]) -> None:
        """All is forgotten of the name; the others are only spared this one, or an own account would wash
        away the failures with everybody else's.
        """
        self._failures.pop(name, None)
        for holder in others:
            failures = self._failures.get(holder)
            if failures is not None:
                failures.count -= 1
                failures.locked_until_ms = self._locked_until(failures.count, failures.last_ms)

    def _locked_until(self, count: int, at_ms: int) -> int:
        beyond = count - self._limits.failures
        if beyond < 0:
            return 0
        doublings = min(beyond, 32)
        return at_ms + min(self._limits.first_lock_ms << doublings, self._limits.longest_lock_ms)

    def _forget_old(self, now: int) -> None:
        while self._failures:
            oldest = next(iter(self._failures))
            failures = self._failures[oldest]
            if now < max(failures.last_ms + self._limits.failures_kept_ms, failures.locked_until_ms):
                break
            del self._failures[oldest]


class Allowance:
    """``limit`` times in ``per_ms``, for each holder, from his first time on."""

    def __init__(self, limit: int, per_ms: int, now_ms: Callable[[], int]) -> None:
        self._limit = limit
        self._per_ms = per_ms
        self._now_ms = now_ms
        self._used: dict[str, tuple[int, int]] = {}  # since when and how often, oldest first

    def take(self, holder: str) -> int:
        """0 when he may, else the moment from which on he may again."""
        now = self._now_ms()
        while self._used:
            oldest = next(iter(self._used))
            if now < self._used[oldest][0] + self._per_ms:
                break
            del self._used[oldest]
        since, times = self._used.get(holder, (now, 0))
        if times >= self._limit:
            return since + self._per_ms
        self._used[holder] = (since, times + 1)
        return 0
