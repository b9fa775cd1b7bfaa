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
    first = box.issue("ann", "Ann", "r1", Purpose.PLAY, "s1")
    assert box.redeem(first, "r1") == Ticket("ann", "Ann", "r1", Purpose.PLAY, "s1", 31_000)
    assert box.redeem(first, "r1") is None

    elsewhere = box.issue("ann", "Ann", "r1", Purpose.PLAY, "s1")
    assert box.redeem(elsewhere, "r2") is None
    assert box.redeem(elsewhere, "r1") is None  # shown once, spent

    late, just = (box.issue("ann", "Ann", "r1", purpose, "s1") for purpose in (Purpose.PLAY, Purpose.WATCH))
    clock.now += 29_999
    assert box.redeem(just, "r1") is not None
    clock.now += 1
    assert box.redeem(late, "r1") is None
    assert box.redeem("never issued", "r1") is None


def test_unused_tickets_do_not_pile_up() -> None:
    clock = Hands()
    box = TicketBox(clock, life_ms=10)
    for _ in range(100):
        box.issue("ann", "Ann", "r1", Purpose.PLAY, "s1")
        clock.now += 5
    assert len(box._tickets) <= 2


def test_what_a_session_bought_ends_with_it_and_what_it_is_about_to_buy() -> None:
    clock = Hands()
    box = TicketBox(clock, life_ms=30_000)
    bought = {session: box.issue("ann", "Ann", "r1", Purpose.PLAY, session) for session in ("s1", "s2", "s3")}
    box.void(["s1", "s2"])
    assert [box.redeem(bought[session], "r1") is None for session in bought] == [True, True, False]

    under_way = box.issue("ann", "Ann", "r1", Purpose.PLAY, "s1")  # asked for before the end, answered after
    assert box.redeem(under_way, "r1") is None
    clock.now += 30_000
    assert box.redeem(box.issue("ann", "Ann", "r1", Purpose.PLAY, "s3"), "r1") is not None
    assert not box._ended


def test_those_of_one_user_can_be_made_void() -> None:
    box = TicketBox(Hands(), life_ms=30_000)
    ann, ben = (box.issue(user_id, "x", "r1", Purpose.WATCH, user_id) for user_id in ("ann", "ben"))
    box.void_user("ann")
    assert box.redeem(ann, "r1") is None
    assert box.redeem(ben, "r1") is not None
