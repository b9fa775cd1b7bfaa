"""Tickets: once, in time, for one room."""

from __future__ import annotations

from app.api.tickets import Purpose, Ticket, TicketBox


class Hands:
    """A clock that stands until it is moved."""

    now = 1_000

    def __call__(self) -> int:
        return self.now


def test_good_once_in_time_and_for_its_room() -> None:
    clock = Hands()
    box = TicketBox(clock, life_ms=30_000)
    first = box.issue("ann", "Ann", "r1", Purpose.PLAY)
    assert box.redeem(first, "r1") == Ticket("ann", "Ann", "r1", Purpose.PLAY, 31_000)
    assert box.redeem(first, "r1") is None

    elsewhere = box.issue("ann", "Ann", "r1", Purpose.PLAY)
    assert box.redeem(elsewhere, "r2") is None
    assert box.redeem(elsewhere, "r1") is None  # shown once, spent

    late, just = (box.issue("ann", "Ann", "r1", purpose) for purpose in (Purpose.PLAY, Purpose.WATCH))
    clock.now += 29_999
    assert box.redeem(just, "r1") is not None
    clock.now += 1
    assert box.redeem(late, "r1") is None
    assert box.redeem("never issued", "r1") is None


def test_unused_tickets_do_not_pile_up() -> None:
    clock = Hands()
    box = TicketBox(clock, life_ms=10)
    for _ in range(100):
        box.issue("ann", "Ann", "r1", Purpose.PLAY)
        clock.now += 5
    assert len(box._tickets) <= 2


def test_those_of_one_user_can_be_made_void() -> None:
    box = TicketBox(Hands(), life_ms=30_000)
    ann, ben = (box.issue(user_id, "x", "r1", Purpose.WATCH) for user_id in ("ann", "ben"))
    box.void("ann")
    assert box.redeem(ann, "r1") is None
    assert box.redeem(ben, "r1") is not None
