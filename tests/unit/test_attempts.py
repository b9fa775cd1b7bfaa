"""Lock-out, allowances and where calls come from. Source: PROTOCOL §2.7."""

from __future__ import annotations

import pytest

from app.api.attempts import DAY_MS, Addresses, Allowance, Attempts, DoorLimits

MINUTE_MS = 60_000


class Hands:
    """A clock that stands until it is moved."""

    now = 1_000

    def __call__(self) -> int:
        return self.now


def fail(attempts: Attempts, times: int, *holders: str) -> None:
    for _ in range(times):
        assert attempts.begin(holders) == 0


def test_the_fifth_failure_locks_and_each_further_one_for_twice_as_long() -> None:
    clock = Hands()
    attempts = Attempts(DoorLimits(), clock)
    fail(attempts, 5, "ann")
    locks = []
    for _ in range(8):
        until = attempts.begin(["ann"])
        locks.append((until - clock.now) // 1_000)
        clock.now = until - 1
        assert attempts.begin(["ann"]) == until  # asking makes it no longer
        clock.now = until
        fail(attempts, 1, "ann")
    assert locks == [30, 60, 120, 240, 480, 900, 900, 900]
    assert attempts.begin(["bob"]) == 0


def test_a_hundred_at_once_are_no_more_than_five_in_a_row() -> None:
    attempts = Attempts(DoorLimits(), Hands())
    assert sum(attempts.begin(["ann"]) == 0 for _ in range(100)) == 5


def test_success_forgets_the_name_but_spares_the_address_only_itself() -> None:
    clock = Hands()
    attempts = Attempts(DoorLimits(), clock)
    fail(attempts, 4, "ann", "address")
    for _ in range(3):  # one's own account washes nothing away
        fail(attempts, 1, "bob", "address")
        attempts.succeeded("bob", ["address"])
    fail(attempts, 1, "carol", "address")
    assert attempts.begin(["dora", "address"]) == clock.now + 30_000
    fail(attempts, 4, "bob")
    attempts.succeeded("ann", [])
    fail(attempts, 5, "ann")


def test_failures_are_forgotten_after_an_hour_and_kept_no_longer() -> None:
    clock = Hands()
    attempts = Attempts(DoorLimits(), clock)
    fail(attempts, 4, "ann")
    clock.now += 60 * MINUTE_MS
    fail(attempts, 5, "ann")
    for number in range(1_000):
        clock.now += MINUTE_MS
        attempts.begin([f"nobody {number}"])
    assert len(attempts._failures) <= 60


def test_an_allowance_is_for_each_and_comes_back() -> None:
    clock = Hands()
    allowance = Allowance(2, 60 * MINUTE_MS, clock)
    begun = clock.now
    assert [allowance.take("a"), allowance.take("a")] == [0, 0]
    clock.now += MINUTE_MS
    assert allowance.take("a") == begun + 60 * MINUTE_MS
    assert allowance.take("b") == 0
    clock.now = begun + 60 * MINUTE_MS
    assert allowance.take("a") == 0
    clock.now += 61 * MINUTE_MS
    assert allowance.take("c") == 0
    assert len(allowance._used) == 1


def test_addresses_are_told_apart_and_never_shown() -> None:
    clock = Hands()
    addresses = Addresses(clock)
    keys = [addresses.key(host) for host in ("203.0.113.5", "203.0.113.6", "2001:db8::1", "a name", "")]
    assert None not in keys
    assert len(set(keys)) == 5
    assert not any("203.0" in str(key) or "2001:db8" in str(key) for key in keys)
    assert addresses.key("2001:db8::ffff:1") == keys[2]  # one household
    assert addresses.key("2001:db8:0:1::1") != keys[2]
    assert addresses.key("::ffff:203.0.113.5") == keys[0]
    assert Addresses(clock).key("203.0.113.5") != keys[0]
    clock.now += DAY_MS
    assert addresses.key("203.0.113.5") != keys[0]


@pytest.mark.parametrize("host", ["127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1"])
def test_the_machine_itself_is_nobody(host: str) -> None:
    assert Addresses(Hands()).key(host) is None
