"""The room's runtime: decisions, clocks, connections, commits. Source: RULES §9, §10, §12; PROTOCOL §3."""

from __future__ import annotations

import asyncio
import gc
import weakref
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest

from app.economy.ledger import ISSUANCE, purse
from app.engine.state import Ready
from app.rooms import commands as cmd
from app.rooms.audience import EVENTS_AT_HAND, Resume
from app.rooms.codec import room_record
from app.rooms.connection import MAX_QUEUED_FRAMES, CloseCode, Closing
from app.rooms.decisions import ask_round
from app.rooms.errors import InsufficientCoins, RoomError, RoomFull
from app.rooms.inbox import RoomClosed
from app.rooms.model import RoomPhase
from app.rooms.ports import Player, RoundStatus, StoredRoom, StoreError
from app.rooms.steps import next_due_ms
from app.rooms.stopping import RETRY_AFTER_MS
from app.rooms.transition import Transition, World
from app.rooms.view import room_view
from app.rules.ruleset import UnknownRuleSet
from tests.tables import CLASSIC, Reader, Table

ENTROPY = "ab" * 32
REFUSALS = ("keep_closed", "no_double", "pass")


async def play_out(table: Table, *readers: Reader) -> None:
    """Let the server play everything until the round is settled: every turn times out."""
    while table.state.is_playing:
        due = table.clock.next_due_ms()
        assert due is not None
        await table.pass_time(due - table.clock.now_ms())


def view_agrees(table: Table, reader: Reader) -> bool:
    """What the reader folded together is what a snapshot of that moment would tell."""
    return reader.view == room_view(table.states[reader.seq], reader.connection.reader)


# --- from the seats to the first turn ----------------------------------------------------------------------


async def test_both_are_asked_with_the_same_durable_commitment() -> None:
    table = Table()
    ann, ben = await table.seated()
    first, second = ann.question, ben.question
    assert first["q"] == second["q"] == "confirm"
    for field in ("round_id", "base", "shuffle", "commitment"):
        assert first[field] == second[field]
    stored = [record for batch in table.store.batches for record in batch.rounds]
    assert [record.status for record in stored] == [RoundStatus.PROPOSED]
    assert stored[0].commitment == first["commitment"]


async def test_the_round_starts_with_both_entropies_and_the_commitment_asked_for() -> None:
    table = Table()
    ann, ben = await table.seated()
    commitment = ann.question["commitment"]
    assert (await table.act(ann, "ok", entropy=ENTROPY))["m"] == "ack"
    assert "round_started" not in ann.kinds()
    await table.act(ben, "ok")
    started = next(frame for frame in ann.of("ev") if frame["k"] == "round_started")
    assert started["d"]["commitment"] == commitment
    assert table.state.play is not None
    assert table.state.play.record.entropy == (ENTROPY, "00" * 32)
    assert ann.kinds()[-2:] == ["round_started", "offer_opened"]


async def test_an_offer_tells_nothing_until_both_have_answered() -> None:
    table = Table()
    ann, ben = await table.playing()
    before = len(ben.frames)
    await table.act(ann, "oh")
    assert ben.frames[before:] == []
    await table.act(ben, "kc")
    closed = next(frame for frame in ben.of("ev") if frame["k"] == "offer_closed")
    assert closed["d"] == {"offer": "open_hand", "seats": [0], "multiplier": 4}


async def test_an_opened_hand_is_seen_by_the_opponent_and_watchers_alone_else() -> None:
    table = Table()
    ann, ben = await table.playing()
    watcher = await table.connect("wei", watch=True)
    await table.act(ann, "oh")
    await table.act(ben, "kc")
    await table.pass_time(300_000)  # watchers are some events behind
    for reader, seen in ((ann, [True, False]), (ben, [True, True]), (watcher, [True, False])):
        dealt = next(frame for frame in reader.of("ev") if frame["k"] == "dealt")
        assert [hand is not None for hand in dealt["d"]["hands"]] == seen
        assert view_agrees(table, reader)


async def test_no_answer_to_an_offer_is_no() -> None:
    table = Table()
    ann, _ = await table.playing()
    await table.pass_time(2 * CLASSIC.clocks.offer_ms)
    closed = [frame["d"] for frame in ann.of("ev") if frame["k"] == "offer_closed"]
    assert [(data["offer"], data["seats"]) for data in closed] == [("open_hand", []), ("double", [])]
    assert ann.kinds().count("auto_play") == 0


async def test_who_does_not_confirm_loses_the_seat() -> None:
    table = Table()
    ann, ben = await table.seated()
    await table.act(ann, "ok")
    await table.pass_time(CLASSIC.clocks.confirm_ms)
    assert ben.closed == CloseCode.REMOVED
    assert table.state.phase is RoomPhase.WAITING
    assert table.state.taken == (0,)
    withdrawn = [record for batch in table.store.batches for record in batch.rounds][-1]
    assert withdrawn.status is RoundStatus.WITHDRAWN


async def test_a_new_pair_gets_a_new_secret() -> None:
    table = Table(coins={"ann": 10_000, "ben": 10_000, "cat": 10_000})
    ann, _ = await table.seated()
    first = ann.question
    await table.pass_time(CLASSIC.clocks.confirm_ms - 1)
    await table.act(ann, "ok")
    await table.pass_time(1)
    await table.room.tell(cmd.TakeSeat(table.store.player("cat")))
    await table.quiet()
    assert ann.question["round_id"] != first["round_id"]
    assert ann.question["commitment"] != first["commitment"]
    secrets = {record.secret for batch in table.store.batches for record in batch.rounds}
    assert len(secrets) == 2


# --- answers -----------------------------------------------------------------------------------------------


async def test_a_resend_gets_the_stored_answer() -> None:
    table = Table()
    dealer, _ = await table.at_first_turn()
    question = dealer.question
    first = await table.act(dealer, question["opts"][0]["o"], id="one")
    seq = table.state.seq
    again = await table.request(dealer, id="one", dp=question["dp"], o=question["opts"][0]["o"])
    assert again == {**first, "dup": True}
    assert table.state.seq == seq


async def test_the_same_id_with_another_content_is_a_conflict() -> None:
    table = Table()
    dealer, _ = await table.at_first_turn()
    question = dealer.question
    await table.act(dealer, question["opts"][0]["o"], id="one")
    answer = await table.request(dealer, id="one", dp=question["dp"], o="x")
    assert (answer["m"], answer["code"]) == ("err", "id_conflict")


@pytest.mark.parametrize(
    ("dp", "o", "code"),
    [(0, "d1m", "stale"), (99, "d1m", "not_your_decision"), (None, "zz", "option_unknown")],
)
async def test_what_answers_no_open_option_changes_nothing(dp: int | None, o: str, code: str) -> None:
    table = Table()
    dealer, _ = await table.at_first_turn()
    before, number = table.state, len(table.store.batches)
    asked = dealer.question["dp"]
    wanted = {0: asked - 1, 99: asked + 1, None: asked}[dp]
    answer = await table.request(dealer, dp=wanted, o=o)
    assert (answer["m"], answer["code"]) == ("err", code)
    assert table.state == before
    assert len(table.store.batches) == number


async def test_a_handle_of_the_opponent_is_unknown() -> None:
    table = Table()
    dealer, other = await table.at_first_turn()
    assert (await table.request(other, dp=other.question["dp"], o=dealer.question["opts"][0]["o"]))[
        "m"
    ] == "err"


async def test_entropy_belongs_to_a_confirm() -> None:
    table = Table()
    dealer, _ = await table.at_first_turn()
    answer = await table.act(dealer, dealer.question["opts"][0]["o"], entropy=ENTROPY)
    assert answer["code"] == "bad_schema"


async def test_a_watcher_decides_nothing() -> None:
    table = Table()
    dealer, _ = await table.at_first_turn()
    watcher = await table.connect("wei", watch=True)
    assert watcher.of("ask") == []
    answer = await table.request(watcher, dp=dealer.question["dp"], o=dealer.question["opts"][0]["o"])
    assert answer["code"] == "not_seated"


async def test_a_request_sent_right_behind_hello_is_its_own_seats() -> None:
    """The room, not the socket, knows the seat: nobody acts for the other by being quick."""
    table = Table()
    await table.playing()
    for user_id in ("ann", "ben"):
        connection = table.room.connection(user_id, user_id.title(), watch=False)
        reader = Reader(connection)
        table.readers.append(reader)
        table.room.attach(connection, None)
        table.room.ask(connection, cmd.SwitchAuto("quick", on=True))
        await table.quiet()
        assert reader.answer("quick")["m"] == "ack"
        seat = table.state.seat_of(user_id)
        assert seat is not None
        assert table.state.at(seat).auto
        assert [f["d"]["seat"] for f in reader.of("ev") if f["k"] == "auto_play"] == [seat]


# --- commits -----------------------------------------------------------------------------------------------


async def test_a_failed_commit_changes_nothing_and_the_same_id_can_be_sent_again() -> None:
    table = Table()
    dealer, other = await table.at_first_turn()
    before, frames = table.state, len(other.frames)
    question = dealer.question
    table.store.fail_next = StoreError("disk full")
    answer = await table.act(dealer, question["opts"][0]["o"], id="one")
    assert (answer["m"], answer["code"], answer["retry"]) == ("err", "internal", True)
    assert table.state == before
    assert other.frames[frames:] == []
    again = await table.request(dealer, id="one", dp=question["dp"], o=question["opts"][0]["o"])
    assert (again["m"], again["dup"]) == ("ack", False)


async def test_a_time_out_whose_commit_fails_is_tried_again() -> None:
    table = Table()
    await table.at_first_turn()
    seq = table.state.seq
    table.store.fail_next = StoreError("disk full")
    await table.pass_time(CLASSIC.clocks.opening_ms + CLASSIC.clocks.reserve_ms)
    assert table.state.seq == seq
    assert table.state.is_playing
    await table.pass_time(5_000)
    assert table.state.seq > seq


@pytest.mark.parametrize("lost", range(24))
async def test_a_commit_that_only_seemed_to_fail_is_not_forgotten(lost: int) -> None:
    """Whatever it was – a confirm, an offer, a discard –, the room goes on from what is stored."""
    table = Table(seed=lost % 3)
    readers = await table.seated()
    for number in range(lost + 4):
        reader = next(each for each in readers if table.state.at(table.seat_of(each)).decision is not None)
        question, one_id = reader.question, f"act-{number}"
        o = next(
            (each["o"] for each in question["opts"] if each["kind"] in REFUSALS), question["opts"][0]["o"]
        )
        table.store.lose_next_answer = number == lost
        answer = await table.request(reader, id=one_id, dp=question["dp"], o=o)
        if number == lost:
            assert (answer["code"], answer["retry"]) == ("internal", True)
            again = await table.request(reader, id=one_id, dp=question["dp"], o=o)
            assert (again["m"], again["dup"]) == ("ack", True)
        stored = await table.store.load_room("room")
        assert stored is not None
        assert stored.room == room_record(table.state)
        for each in readers:
            assert each.view == room_view(table.state, table.seat_of(each))
    assert len({event.seq for batch in table.store.batches for event in batch.events}) == table.state.seq


@pytest.mark.parametrize("given_up", range(6))
async def test_a_commit_that_was_given_up_and_is_done_after_all_is_found(given_up: int) -> None:
    """By the resend, after the room has looked and seen nothing; a confirm and an offer make no event."""
    table, reader, act = await one_given_up(given_up)
    assert table.state.commits == table.store.batches[-1].room.commits
    await table.store.carry_out_late()
    again = await table.request(reader, **act)
    assert (again["m"], again["dup"]) == ("ack", True)
    stored = await table.store.load_room("room")
    assert stored is not None
    assert stored.room == room_record(table.state)
    assert reader.view == room_view(table.state, table.seat_of(reader))


@pytest.mark.parametrize("given_up", range(6))
async def test_a_commit_that_was_given_up_is_too_late_once_the_room_has_gone_on(given_up: int) -> None:
    table, reader, act = await one_given_up(given_up)
    other = next(each for each in table.readers if each is not reader)
    switched = await table.request(other, kind=cmd.SwitchAuto, on=False)  # as it is: no event either
    assert switched["m"] == "ack"
    with pytest.raises(StoreError):
        await table.store.carry_out_late()
    again = await table.request(reader, **act)
    assert (again["m"], again["dup"]) == ("ack", False)


async def one_given_up(number: int) -> tuple[Table, Reader, dict[str, Any]]:
    """A table, the reader whose ``number``-th act of all nobody knows of, and that act."""
    table = Table()
    readers = await table.seated()
    for turn in range(number + 1):
        reader = next(each for each in readers if table.state.at(table.seat_of(each)).decision is not None)
        table.store.give_up_next = turn == number
        opts = reader.question["opts"]
        o = next((each["o"] for each in opts if each["kind"] in REFUSALS), opts[0]["o"])
        act = {"id": f"act-{turn}", "dp": reader.question["dp"], "o": o}
        answer = await table.request(reader, **act)
    assert (answer["code"], answer["retry"]) == ("internal", True)
    return table, reader, act


async def test_whom_a_lost_commit_left_online_without_a_connection_goes_offline() -> None:
    """His coming is stored, its answer is lost: his connection was closed, and he may not come again."""
    table = Table()
    await table.room.tell(cmd.TakeSeat(table.store.player("ann")))
    table.store.lose_next_answer = True
    ann = await table.connect("ann")
    assert ann.closed == CloseCode.OVERLOAD
    assert not table.state.at(0).is_online
    stored = await table.store.load_room("room")
    assert stored is not None
    assert stored.room == room_record(table.state)


async def test_however_many_ask_a_room_in_doubt_looks_once_a_second() -> None:
    table = Table()
    dealer, _ = await table.at_first_turn()
    looks = 0

    async def load_room(_: str) -> StoredRoom | None:
        nonlocal looks
        looks += 1
        raise StoreError("gone")

    load, table.store.load_room = table.store.load_room, load_room  # type: ignore[method-assign, assignment]  # in its place
    table.store.fail_next = StoreError("gone")
    question = dealer.question
    for number in range(20):
        answer = await table.request(
            dealer, id=f"try-{number}", dp=question["dp"], o=question["opts"][0]["o"]
        )
        assert (answer["code"], answer["retry"]) == ("internal", True)
    assert looks == 1
    await table.pass_time(3 * RETRY_AFTER_MS)
    assert looks == 4
    table.store.load_room = load  # type: ignore[method-assign]  # its own again
    await table.pass_time(RETRY_AFTER_MS)
    answer = await table.request(dealer, id="try-0", dp=question["dp"], o=question["opts"][0]["o"])
    assert answer["m"] == "ack"


async def test_a_clock_that_is_put_back_makes_a_room_in_doubt_wait_no_longer() -> None:
    table = Table()
    dealer, _ = await table.at_first_turn()
    table.store.fail_next, table.store.is_unreadable = StoreError("gone"), True
    question = dealer.question
    asked = {"id": "one", "dp": question["dp"], "o": question["opts"][0]["o"]}
    assert (await table.request(dealer, **asked))["code"] == "internal"
    table.store.is_unreadable = False
    table.clock._now -= 3_600_000
    assert (await table.request(dealer, **asked))["m"] == "ack"


async def test_what_happens_by_itself_happens_once_when_its_commit_only_seemed_to_fail() -> None:
    table = Table()
    await table.at_first_turn()
    table.store.lose_next_answer = True
    await table.pass_time(CLASSIC.clocks.opening_ms + CLASSIC.clocks.reserve_ms)
    stored = await table.store.load_room("room")
    assert stored is not None
    assert stored.room == room_record(table.state)
    assert len(stored.actions) == len({action.n for action in stored.actions})
    for reader in table.readers:
        assert reader.view == room_view(table.state, table.seat_of(reader))


@pytest.mark.parametrize("is_read_at_once", [True, False])
async def test_a_room_whose_doubt_cannot_be_resolved_is_stopped(is_read_at_once: bool) -> None:
    """What is stored is damaged: nothing more is committed, and nobody is left waiting."""
    table = Table()
    dealer, other = await table.at_first_turn()
    shelf = table.store._shelves["room"]
    assert shelf.round is not None
    shelf.round = replace(shelf.round, entropy=None)
    table.store.lose_next_answer, table.store.is_unreadable = True, not is_read_at_once
    table.room.ask(dealer.connection, cmd.Act("last", dealer.question["dp"], dealer.question["opts"][0]["o"]))
    await table.quiet()
    number = len(table.store.batches)
    assert table.state.is_closed == is_read_at_once
    table.store.is_unreadable = False
    await table.pass_time(RETRY_AFTER_MS)
    assert table.state.is_closed
    assert (dealer.closed, other.closed) == (CloseCode.REMOVED, CloseCode.REMOVED)
    assert len(table.store.batches) == number
    assert await table.store.load_room("room") is None
    assert table.stops.count == 1
    with pytest.raises(RoomClosed):
        await table.room.tell(cmd.GoOffline(0))


async def test_a_fault_while_the_room_is_in_doubt_commits_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a commit that fails in a way of its own, too, nobody knows whether it was done."""
    table = Table()
    dealer, _ = await table.at_first_turn()
    table.store.fail_next, table.store.is_unreadable = RuntimeError("a driver's own"), True
    number = len(table.store.batches)
    assert (await table.act(dealer, dealer.question["opts"][0]["o"]))["code"] == "internal"
    await table.pass_time(5 * RETRY_AFTER_MS)
    assert table.room.is_in_doubt
    assert len(table.store.batches) == number
    table.store.is_unreadable = False
    await table.pass_time(RETRY_AFTER_MS)
    assert not table.room.is_in_doubt
    assert table.state.is_playing


async def test_a_cancelled_commit_does_not_leave_a_dead_room_open() -> None:
    table = Table()
    dealer, other = await table.at_first_turn()

    async def cancelled(_: object) -> None:
        raise asyncio.CancelledError

    table.store.commit = cancelled  # type: ignore[method-assign, assignment]  # the test's own stands in
    table.room.ask(dealer.connection, cmd.Act("last", dealer.question["dp"], "d1m"))
    table.room.ask(dealer.connection, cmd.SwitchAuto("later", on=True))
    await table.quiet()
    assert table.state.is_closed
    assert (dealer.closed, other.closed) == (CloseCode.END, CloseCode.END)
    assert table.stops.count == 1


async def test_a_step_that_fails_by_itself_is_not_tried_without_pause() -> None:
    table = Table()
    await table.at_first_turn()
    tries = 0

    def no_more_ids(*_: object) -> object:
        nonlocal tries
        tries += 1
        raise RuntimeError("a broken invariant")

    table.store.commit = no_more_ids  # type: ignore[method-assign, assignment]  # the test's own stands in
    await table.pass_time(CLASSIC.clocks.opening_ms + CLASSIC.clocks.reserve_ms + 5_000)
    assert 0 < tries <= 12  # the tick and the attempt to void the round, once a second


async def test_after_a_fault_nothing_is_tried_by_itself_for_a_while() -> None:
    table = Table()
    dealer, _ = await table.at_first_turn()
    due = next_due_ms(table.state)
    assert due is not None
    await table.pass_time(due - 200 - table.clock.now_ms())
    tries: list[int] = []

    async def broken(_: object) -> None:
        tries.append(table.clock.now_ms())
        raise RuntimeError("a broken invariant")

    table.store.commit = broken  # type: ignore[method-assign, assignment]  # the test's own stands in
    await table.act(dealer, dealer.question["opts"][0]["o"])
    last = tries[-1]
    await table.pass_time(2 * RETRY_AFTER_MS)
    assert min(tried for tried in tries if tried > last) == last + RETRY_AFTER_MS


async def test_who_waits_for_a_room_that_stops_is_told() -> None:
    table = Table()
    begun, forever = asyncio.Event(), asyncio.Event()

    async def commit(_: object) -> None:
        begun.set()
        await forever.wait()

    table.store.commit = commit  # type: ignore[method-assign, assignment]  # the test's own stands in
    told = asyncio.create_task(table.room.tell(cmd.TakeSeat(table.store.player("ann"))))
    await begun.wait()
    await table.room.stop(CloseCode.RESTART)
    with pytest.raises(RoomError):
        await told


async def test_presence_alone_does_not_fill_the_memory() -> None:
    table = Table()
    await table.room.tell(cmd.TakeSeat(table.store.player("ann")))
    for _ in range(EVENTS_AT_HAND):
        await table.drop(await table.connect("ann"))
    assert len(table.room._audience._log) == EVENTS_AT_HAND


async def test_who_gives_the_winning_tile_has_dealt_in() -> None:
    outcomes = set()
    for seed in range(40):
        table = Table(seed=seed)
        await table.playing()
        await table.pass_time(3_600_000)  # the clock plays for both
        won = [e.data for batch in table.store.batches for e in batch.events if e.kind == "won"]
        results = [result for batch in table.store.batches for result in batch.results]
        for result in results[:2]:
            by_discard = won and won[0]["from"] == result.seat
            assert result.dealt_in == bool(by_discard and result.outcome == "lost")
            outcomes.add((result.outcome, result.dealt_in))
    assert {("lost", True), ("lost", False), ("won", False)} <= outcomes


async def test_the_settlement_is_in_the_batch_of_the_action_that_ends_the_round() -> None:
    table = Table()
    ann, ben = await table.playing()
    await play_out(table, ann, ben)
    batch = next(batch for batch in table.store.batches if batch.results)
    assert batch.actions
    assert {event.kind for event in batch.events} >= {"settled", "revealed"}
    assert [record.status for record in batch.rounds] == [RoundStatus.FINISHED, RoundStatus.PROPOSED]
    assert [result.points_after for result in batch.results] == [
        table.store.points["ann"],
        table.store.points["ben"],
    ]
    assert sum(table.store.balances.values()) == 0


async def test_a_purse_that_has_moved_during_a_round_nobody_wins_is_found_out_as_it_settles() -> None:
    table = Table(replace(CLASSIC, min_fan=88))
    ann, ben = await table.playing()
    table.store.balances[purse("ben")] += 70
    table.store.balances[ISSUANCE] -= 70
    await play_out(table, ann, ben)
    settled = next(frame["d"] for frame in ann.of("ev") if frame["k"] == "settled")
    held = [table.store.balances[purse(name)] for name in table.state.user_ids]
    assert settled["outcome"] == "draw"
    assert settled["coins"] == {"before": held, "after": held}
    assert sorted(held) == [10_000, 10_070]


async def test_a_round_settles_and_the_next_is_proposed_without_reading_a_purse() -> None:
    table = Table()
    ann, ben = await table.playing()
    reads: list[object] = []
    read = table.store.players

    async def counted(user_ids: Sequence[str]) -> Mapping[str, Player]:
        reads.append(user_ids)
        return await read(user_ids)

    table.store.players = counted  # type: ignore[method-assign]  # the test's own stands in
    await play_out(table, ann, ben)
    assert table.state.proposal is not None
    assert not reads


@pytest.mark.parametrize("moved", [["ann"], ["ben"], ["ann", "ben"]])
async def test_whose_purse_has_moved_as_they_come_together_plays_all_the_same(moved: list[str]) -> None:
    """A host who waits takes the day's coins; who comes was given some on his way."""
    table = Table()
    host, comer = map(table.store.player, ("ann", "ben"))
    await table.room.tell(cmd.TakeSeat(host))
    for name in moved:
        table.store.balances[purse(name)] += 500
        table.store.balances[ISSUANCE] -= 500
    state = await table.room.tell(cmd.TakeSeat(comer))
    assert state.proposal is not None
    known = {state.at(seat).player.id: state.at(seat).player.coins for seat in state.people}
    assert known == {name: table.store.balances[purse(name)] for name in ("ann", "ben")}


async def test_a_table_goes_on_with_the_names_they_sat_down_under() -> None:
    table = Table()
    ann, ben = await table.playing()
    read = table.store.players

    async def renamed(user_ids: Sequence[str]) -> Mapping[str, Player]:
        found = await read(user_ids)
        return {user_id: replace(player, name=f"{user_id} anew") for user_id, player in found.items()}

    table.store.players = renamed  # type: ignore[method-assign]  # the test's own stands in
    table.store.balances[purse("ben")] += 70
    table.store.balances[ISSUANCE] -= 70
    before = [table.state.at(seat).player.name for seat in table.state.people]
    await play_out(table, ann, ben)
    assert table.state.at(1).player.coins == table.store.balances[purse(table.state.at(1).player.id)]
    assert [table.state.at(seat).player.name for seat in table.state.people] == before


async def test_a_purse_that_moves_under_a_settlement_is_read_anew() -> None:
    table = Table()
    ann, ben = await table.playing()
    penalty = 32 * CLASSIC.base_stake
    commit = table.store.commit

    async def relief_first(batch: object) -> None:
        """Ben's purse moves between the reading and the writing, once."""
        table.store.commit = commit  # type: ignore[method-assign]  # the test's own stands in
        table.store.balances[purse("ben")] += 5
        table.store.balances[ISSUANCE] -= 5
        await commit(batch)  # type: ignore[arg-type]  # wrong or looser on purpose

    table.store.commit = relief_first  # type: ignore[method-assign]  # the test's own stands in
    answer = await table.request(ann, kind=cmd.Leave, force=True, penalty_seen=penalty)
    assert answer["m"] == "ack"
    settled = next(frame["d"] for frame in ben.of("ev") if frame["k"] == "settled")
    assert settled["coins"]["before"] == [10_000, 10_005]
    assert table.store.balances[purse("ben")] == 10_005 + penalty // 2


@pytest.mark.parametrize("moved", ["ann", "ben"])
async def test_a_purse_that_has_moved_before_the_second_sits_down_keeps_nobody_out(moved: str) -> None:
    """Whether it is the host's, who has waited for so long, or has only just been read for the newcomer."""
    table = Table()
    await table.room.tell(cmd.TakeSeat(table.store.player("ann")))
    ben = table.store.player("ben")
    table.store.balances[purse(moved)] += 70
    table.store.balances[ISSUANCE] -= 70
    state = await table.room.tell(cmd.TakeSeat(ben))
    assert state.phase is RoomPhase.CONFIRM
    await table.connect("ann")
    await table.connect("ben")
    assert table.state.proposal is not None


async def test_nothing_is_seen_before_it_is_durable() -> None:
    table = Table()
    dealer, other = await table.at_first_turn()
    commit = table.store.commit
    seen: list[int] = []

    async def watched(batch: object) -> None:
        await dealer.read()
        await other.read()
        seen.append(len(dealer.frames) + len(other.frames))
        await commit(batch)  # type: ignore[arg-type]  # wrong or looser on purpose

    before = len(dealer.frames) + len(other.frames)
    table.store.commit = watched  # type: ignore[method-assign]  # the test's own stands in
    await table.act(dealer, dealer.question["opts"][0]["o"])
    assert seen[0] == before
    assert len(dealer.frames) + len(other.frames) > before


# --- clocks ------------------------------------------------------------------------------------------------


async def test_a_turn_that_runs_out_is_played_and_two_in_a_row_switch_to_auto_play() -> None:
    table = Table()
    dealer, other = await table.at_first_turn()
    seat = table.seat_of(dealer)
    await table.pass_time(CLASSIC.clocks.opening_ms + CLASSIC.clocks.reserve_ms)
    assert table.state.at(seat).timeouts == 1
    assert table.state.at(seat).reserve_ms == 0
    assert "discarded" in other.kinds()
    while table.state.is_playing and not table.state.at(seat).auto:
        due = table.clock.next_due_ms()
        assert due is not None
        await table.pass_time(due - table.clock.now_ms())
    assert table.state.at(seat).timeouts == 0
    assert {"seat": seat, "on": True} in [f["d"] for f in other.of("ev") if f["k"] == "auto_play"]


async def test_a_timer_that_goes_off_too_early_plays_nothing_and_is_set_for_what_is_due() -> None:
    table = Table()
    readers = await table.at_first_turn()
    set_for = table.clock.next_due_ms()
    assert set_for is not None
    while (due := next_due_ms(table.state)) is not None and due <= set_for:
        await table.pass_time(500)
        asked = next(each for each in readers if table.state.at(table.seat_of(each)).decision is not None)
        await table.act(asked, asked.question["opts"][0]["o"])
        set_for = table.clock.next_due_ms()
        assert set_for is not None
    assert due is not None
    seq = table.state.seq
    await table.pass_time(due - 1 - table.clock.now_ms())
    assert table.clock.next_due_ms() == due
    assert table.state.seq == seq
    await table.pass_time(1)
    assert table.state.seq > seq


async def test_the_reserve_is_drawn_on_beyond_the_decisions_own_time() -> None:
    table = Table()
    dealer, _ = await table.at_first_turn()
    clocks = CLASSIC.clocks
    assert (dealer.question["base_ms"], dealer.question["bank_ms"]) == (clocks.opening_ms, clocks.reserve_ms)
    await table.pass_time(clocks.opening_ms + 3_000)
    await table.act(dealer, dealer.question["opts"][0]["o"])
    assert table.state.at(table.seat_of(dealer)).reserve_ms == clocks.reserve_ms - 3_000


async def test_an_act_takes_the_seat_back_from_auto_play() -> None:
    table = Table()
    dealer, other = await table.at_first_turn()
    seat = table.seat_of(dealer)
    assert (await table.request(dealer, kind=cmd.SwitchAuto, on=True))["m"] == "ack"
    assert table.state.at(seat).auto
    await table.act(dealer, dealer.question["opts"][-1]["o"])
    assert not table.state.at(seat).auto
    assert [f["d"]["on"] for f in other.of("ev") if f["k"] == "auto_play"] == [True, False]


async def test_auto_play_answers_after_about_a_second() -> None:
    table = Table()
    dealer, other = await table.at_first_turn()
    await table.request(dealer, kind=cmd.SwitchAuto, on=True)
    await table.pass_time(CLASSIC.clocks.forced_ms - 1)
    assert "discarded" not in other.kinds()
    await table.pass_time(1)
    assert "discarded" in other.kinds()


# --- leaving -----------------------------------------------------------------------------------------------


async def test_leaving_between_rounds_is_free() -> None:
    table = Table()
    ann, ben = await table.seated()
    await table.request(ann, kind=cmd.Leave)
    assert ann.closed == CloseCode.END
    assert ben.kinds()[-1] == "seat_left"
    assert table.store.balances[purse("ann")] == 10_000
    assert view_agrees(table, ben)


async def test_leaving_a_round_states_the_penalty_and_takes_just_that() -> None:
    table = Table()
    ann, ben = await table.playing()
    asked = await table.request(ann, kind=cmd.Leave)
    assert (asked["code"], asked["penalty"]) == ("leave_unconfirmed", 320)
    wrong = await table.request(ann, kind=cmd.Leave, force=True, penalty_seen=319)
    assert (wrong["code"], wrong["penalty"]) == ("penalty_changed", 320)
    assert table.state.is_playing
    done = await table.request(ann, kind=cmd.Leave, force=True, penalty_seen=320)
    assert done["m"] == "ack"
    assert ann.closed == CloseCode.END
    assert table.store.balances[purse("ann")] == 10_000 - 320
    assert table.store.balances[purse("ben")] == 10_000 + 160
    assert ben.kinds()[-4:] == ["forfeited", "settled", "revealed", "seat_left"]
    assert table.store.points == {"ann": 0, "ben": 0}
    assert view_agrees(table, ben)


async def test_the_last_one_out_closes_the_room() -> None:
    table = Table()
    ann, ben = await table.seated()
    await table.request(ann, kind=cmd.Leave)
    await table.request(ben, kind=cmd.Leave)
    assert table.state.is_closed
    assert ben.kinds()[-2:] == ["seat_left", "room_closed"]


async def test_a_closed_room_needs_no_collector() -> None:
    """He looks at what is older rarely: app/cli/tuning.py."""
    gc.disable()
    try:
        table = Table()
        for reader in await table.at_first_turn():
            await table.request(reader, kind=cmd.Leave, force=True, penalty_seen=320)
        assert table.state.is_closed
        room = weakref.ref(table.room)
        del table.room, reader  # the table and its readers would hold on to it
        table.readers.clear()
        await asyncio.sleep(0)
        assert room() is None
    finally:
        gc.enable()


async def test_a_closed_room_answers_nobody_and_keeps_nobody_waiting() -> None:
    table = Table()
    ann, ben = await table.seated()
    await table.request(ann, kind=cmd.Leave)
    await table.request(ben, kind=cmd.Leave)
    await asyncio.sleep(0)
    with pytest.raises(RoomClosed):
        await table.room.tell(cmd.TakeSeat(table.store.player("ann")))
    late = table.room.connection("ann", "Ann", watch=False)
    table.room.attach(late, None)
    assert late.take() == Closing(CloseCode.END)


async def test_a_void_moves_nothing_and_the_dealer_stays() -> None:
    tier = replace(CLASSIC, table_fee=7)
    table = Table(tier)
    ann, _ = await table.playing()
    assert table.store.balances[purse("ann")] == 9_993
    assert table.state.play is not None
    dealer = table.state.play.state.dealer
    await table.room.tell(cmd.VoidRound("maintenance"))
    await table.quiet()
    assert table.store.balances[purse("ann")] == 10_000
    assert table.store.balances[purse("ben")] == 10_000
    assert table.state.match.dealer == dealer
    voided = next(frame["d"] for frame in ann.of("ev") if frame["k"] == "voided")
    assert voided["reason"] == "maintenance"
    assert "settled" not in ann.kinds()
    assert view_agrees(table, ann)


# --- connections -------------------------------------------------------------------------------------------


async def test_the_newest_connection_wins_and_the_older_ones_clean_up_touches_nobody() -> None:
    table = Table()
    ann, ben = await table.playing()
    newer = await table.connect("ann")
    await ann.read()
    assert ann.closed == CloseCode.REPLACED
    await table.drop(ann)
    assert table.state.at(0).is_online
    assert "offline" not in ben.kinds()
    assert newer.question["dp"] == ann.question["dp"]


async def test_a_drop_is_not_an_escape_and_the_return_finds_everything() -> None:
    table = Table()
    dealer, other = await table.at_first_turn()
    await table.drop(dealer)
    assert other.kinds()[-1] == "offline"
    back = await table.connect(dealer.connection.user_id)
    assert [frame["m"] for frame in back.frames] == ["welcome", "snap", "ask"]
    assert back.question == dealer.question
    assert view_agrees(table, back)
    assert other.kinds()[-1] == "online"


async def test_resume_sends_just_the_missing_events_then_the_question_again() -> None:
    table = Table()
    dealer, other = await table.at_first_turn()
    assert table.state.play is not None
    round_id = table.state.play.record.id
    seen = other.seq
    view = other.view
    await table.drop(other)
    await table.act(dealer, dealer.question["opts"][0]["o"])
    user_id = other.connection.user_id
    connection = table.room.connection(user_id, user_id.title(), watch=False)
    back = Reader(connection)
    back.view, back.seq = view, seen
    table.readers.append(back)
    table.room.attach(connection, Resume(round_id, seen))
    await table.quiet()
    assert back.of("snap") == []
    assert [frame["seq"] for frame in back.of("ev")] == list(range(seen + 1, table.state.seq + 1))
    assert view_agrees(table, back)


@pytest.mark.parametrize("resume", [Resume("another", 1), Resume("", 0)])
async def test_resume_elsewhere_gets_a_snapshot(resume: Resume) -> None:
    table = Table()
    await table.playing()
    back = await table.connect("ann", resume=resume)
    assert [frame["m"] for frame in back.frames][:2] == ["welcome", "snap"]


async def test_a_reader_who_does_not_read_gets_one_snapshot_for_all_he_missed() -> None:
    table = Table()
    ann, _ = await table.playing()
    slow = table.room.connection("wei", "Wei", watch=True)
    table.room.attach(slow, None)
    for _ in range(MAX_QUEUED_FRAMES):
        await table.drop(ann)
        ann = await table.connect("ann")
    reader = Reader(slow)
    await reader.read()
    assert len(reader.frames) < MAX_QUEUED_FRAMES
    await table.quiet()
    await reader.read()
    assert [frame["m"] for frame in reader.frames][-1] == "snap"
    assert view_agrees(table, reader)


async def test_a_seat_nobody_comes_back_to_is_freed_between_rounds() -> None:
    table = Table()
    await table.room.tell(cmd.TakeSeat(table.store.player("ann")))
    await table.pass_time(59_999)
    assert table.state.taken == (0,)
    await table.pass_time(1)
    assert table.state.is_closed


async def test_an_absent_player_of_the_match_is_confirmed_for_and_freed_after_two_rounds() -> None:
    table = Table()
    ann, ben = await table.playing()
    await table.drop(ben)
    await play_out(table, ann)
    assert table.state.phase is RoomPhase.CONFIRM
    for number in (1, 2):
        await table.act(ann, "ok")
        await table.pass_time(CLASSIC.clocks.absent_confirm_ms)
        assert table.state.is_playing, number
        await play_out(table, ann)
    assert table.state.taken == (0,)
    assert ann.of("ev")[-1]["d"] == {"seat": 1, "reason": "absent"}


async def test_who_drops_after_the_others_confirm_is_confirmed_for_unless_he_returns() -> None:
    table = Table()
    ann, ben = await table.playing()
    await play_out(table, ann, ben)
    for reader in (ann, ben):
        await table.request(reader, kind=cmd.SwitchAuto, on=False)
    await table.act(ann, "ok")
    await table.drop(ben)
    await table.pass_time(CLASSIC.clocks.absent_confirm_ms - 1)
    ben = await table.connect("ben")
    await table.pass_time(CLASSIC.clocks.absent_confirm_ms)
    assert not table.state.is_playing
    await table.drop(ben)
    await table.pass_time(CLASSIC.clocks.absent_confirm_ms)
    assert table.state.is_playing


async def test_an_answer_out_of_memory_is_found_in_the_store(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.rooms.answers.AT_HAND", 1)
    table = Table()
    dealer, _ = await table.at_first_turn()
    question = dealer.question
    o = question["opts"][0]["o"]
    await table.act(dealer, o, id="one")
    await table.request(dealer, kind=cmd.SwitchAuto, id="two", on=True)
    again = await table.request(dealer, id="one", dp=question["dp"], o=o)
    assert (again["m"], again["dup"]) == ("ack", True)
    switch = await table.request(dealer, kind=cmd.SwitchAuto, id="one", on=True)
    assert switch["code"] == "id_conflict"


async def test_a_player_who_never_confirmed_in_this_match_is_never_confirmed_for() -> None:
    table = Table()
    ann, ben = await table.seated()
    await table.drop(ben)
    await table.act(ann, "ok")
    await table.pass_time(CLASSIC.clocks.absent_confirm_ms)
    assert not table.state.is_playing
    await table.pass_time(CLASSIC.clocks.confirm_ms)
    assert table.state.taken == (0,)


# --- seats and purses --------------------------------------------------------------------------------------


async def test_a_full_room_and_a_thin_purse_are_refused() -> None:
    table = Table(coins={"ann": 10_000, "ben": 10_000, "cat": 10_000, "poor": 499})
    with pytest.raises(InsufficientCoins) as thin:
        await table.room.tell(cmd.TakeSeat(table.store.player("poor")))
    assert thin.value.short == 1
    await table.seated()
    with pytest.raises(RoomFull):
        await table.room.tell(cmd.TakeSeat(table.store.player("cat")))


async def test_purses_are_checked_before_every_round() -> None:
    table = Table()
    ann, ben = await table.seated()
    await table.act(ann, "ok")
    table.store.balances[purse("ben")] -= 9_900
    table.store.balances[ISSUANCE] += 9_900
    await table.act(ben, "ok")
    assert table.state.taken == (0,)
    assert ben.closed == CloseCode.REMOVED
    assert ann.of("ev")[-1]["d"] == {"seat": 1, "reason": "coins"}


async def test_a_broken_step_voids_the_round_and_the_room_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table()
    dealer, other = await table.at_first_turn()

    def broken(*_: object) -> None:
        raise RuntimeError("a broken invariant")

    monkeypatch.setattr("app.rooms.playing.ask_round", broken)
    answer = await table.act(dealer, dealer.question["opts"][0]["o"])
    monkeypatch.undo()
    assert (answer["m"], answer["code"]) == ("err", "internal")
    assert "voided" in other.kinds()
    assert other.question["q"] == "confirm"


async def ready_to_confirm_for(table: Table) -> Reader:
    """The second round is proposed, and ben is absent: he is confirmed for. Ann's reader."""
    ann, ben = await table.playing()
    await play_out(table, ann, ben)
    for reader in (ann, ben):
        await table.request(reader, kind=cmd.SwitchAuto, on=False)
    await table.drop(ben)
    return ann


async def test_a_proposed_round_that_cannot_start_makes_way_for_another() -> None:
    """It was proposed by a server that had rules which this one has not."""
    table = Table()
    await ready_to_confirm_for(table)
    shelf = table.store._shelves["room"]
    assert shelf.proposal is not None
    lost = shelf.proposal = replace(shelf.proposal, ruleset_version=99)
    await table.restart()
    [ann] = table.readers
    assert ann.question["round_id"] == lost.id
    await table.act(ann, "ok")
    number = len(table.store.batches)
    await table.pass_time(CLASSIC.clocks.absent_confirm_ms)
    assert ann.question["round_id"] != lost.id
    ben = await table.connect("ben")
    assert ben.question["round_id"] == ann.question["round_id"]
    await table.pass_time(5 * RETRY_AFTER_MS)
    rounds = [record for batch in table.store.batches[number:] for record in batch.rounds]
    assert [record.status for record in rounds] == [RoundStatus.WITHDRAWN, RoundStatus.PROPOSED]
    for reader in (ann, ben):
        assert (await table.act(reader, "ok"))["m"] == "ack"
    assert table.state.is_playing


async def test_a_room_that_can_propose_no_round_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table()
    ann = await ready_to_confirm_for(table)
    ben = await table.connect("ben")

    def gone(*_: object) -> None:
        raise UnknownRuleSet("classic64")

    monkeypatch.setattr("app.rooms.proposals.load_version", gone)
    monkeypatch.setattr("app.rooms.proposals.load_ruleset", gone)
    await table.act(ann, "ok")
    answer = await table.act(ben, "ok")
    assert answer["code"] == "internal"
    assert table.state.is_closed
    assert (ann.closed, ben.closed) == (CloseCode.END, CloseCode.END)
    assert table.stops.count == 1


async def test_a_banned_watcher_is_shut_out_also_while_the_database_is_away() -> None:
    table = Table()
    dealer, _ = await table.at_first_turn()
    watcher = await table.connect("wei", watch=True)
    table.store.fail_next, table.store.is_unreadable = StoreError("gone"), True
    await table.act(dealer, dealer.question["opts"][0]["o"])
    table.room.shut_out("wei")
    await table.quiet()
    assert watcher.closed == CloseCode.REMOVED
    assert dealer.closed is None


async def test_who_lags_while_the_database_is_away_gets_one_snapshot_when_it_is_back() -> None:
    table = Table()
    dealer, other = await table.at_first_turn()
    table.store.fail_next, table.store.is_unreadable = StoreError("gone"), True
    await table.act(dealer, dealer.question["opts"][0]["o"])
    seen = [len(reader.of("snap")) for reader in (dealer, other)]
    table.readers.remove(other)  # whose reading would ask for one each time
    other.connection.is_lagging = True
    for _ in range(3):
        table.room.sync(other.connection)
        await table.quiet()
    await table.pass_time(5 * RETRY_AFTER_MS)
    assert other.connection.is_lagging
    table.store.is_unreadable = False
    await table.pass_time(RETRY_AFTER_MS)
    await other.read()
    assert not other.connection.is_lagging
    assert [len(reader.of("snap")) for reader in (dealer, other)] == [seen[0], seen[1] + 1]


async def test_who_is_gone_is_sent_no_snapshot_later() -> None:
    table = Table()
    dealer, other = await table.at_first_turn()
    table.store.fail_next, table.store.is_unreadable = StoreError("gone"), True
    await table.act(dealer, dealer.question["opts"][0]["o"])
    table.room.sync(other.connection)
    await table.quiet()
    assert table.room._inbox._later
    other.connection.close(CloseCode.END)
    await table.pass_time(RETRY_AFTER_MS)
    assert not table.room._inbox._later


async def test_a_drop_that_fails_is_noticed_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table()
    ann, ben = await table.playing()

    def broken(*_: object) -> None:
        raise RuntimeError("a broken invariant")

    monkeypatch.setattr("app.rooms.steps.go_offline", broken)
    await table.drop(ann)
    monkeypatch.undo()
    assert "offline" not in ben.kinds()
    await table.pass_time(RETRY_AFTER_MS)
    assert "offline" in ben.kinds()


# --- pauses ------------------------------------------------------------------------------------------------

FLOOR_MS = 900
PAUSING = replace(CLASSIC, clocks=replace(CLASSIC.clocks, floor_min_ms=FLOOR_MS, floor_max_ms=FLOOR_MS))


async def discard_that(table: Table, *, claimed: bool, auto: bool = False) -> tuple[Reader, Reader]:
    """Play until somebody throws a tile that the other may claim, or may not; who threw it comes first.

    With ``auto`` the other is on 託管 when it is thrown.
    """
    readers = {table.seat_of(reader): reader for reader in await table.at_first_turn()}
    while True:
        assert table.state.play is not None
        seat = table.state.play.state.turn
        mover, other = readers[seat], readers[1 - seat]
        asked = len(other.of("ask"))
        discards = [option for option in mover.question["opts"] if option["kind"] == "discard"]
        if auto:
            await table.request(other, kind=cmd.SwitchAuto, on=True)
        await table.act(mover, discards[-1]["o"])
        if (len(other.of("ask")) > asked) == claimed:
            return mover, other
        await table.pass_time(FLOOR_MS)
        if other.question["q"] == "claim" and len(other.of("ask")) > asked:
            await table.act(other, "x")
        await table.request(other, kind=cmd.SwitchAuto, on=False)


@pytest.mark.parametrize("seed", range(4))
async def test_an_instant_pass_a_thoughtful_one_and_no_claim_look_alike_to_who_discarded(seed: int) -> None:
    """What the discarder sees, and when, is the same whether or not the other could claim."""
    seen = []
    for claimed, answers_after in ((False, None), (True, 0), (True, FLOOR_MS - 1)):
        table = Table(PAUSING, seed=seed)
        mover, other = await discard_that(table, claimed=claimed)
        thrown_at = table.clock.now_ms()
        before = len(mover.frames)
        if answers_after is not None:
            await table.pass_time(answers_after)
            dp = other.question["dp"]
            table.room.ask(other.connection, cmd.Act("pass", dp, "x"))
            await table.quiet()
        await table.pass_time(thrown_at + FLOOR_MS - 1 - table.clock.now_ms())
        assert mover.frames[before:] == []
        await table.pass_time(1)
        event = mover.frames[before]
        seen.append((event["k"], event["t"] - thrown_at, len(mover.frames) - before))
    assert seen == [("drawn", FLOOR_MS, 1)] * 3


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("claimed", [False, True])
async def test_auto_play_lets_a_tile_go_at_the_end_of_the_pause(seed: int, claimed: bool) -> None:
    """Not after the second it otherwise takes: that would tell that there was something to claim."""
    table = Table(PAUSING, seed=seed)
    mover, _ = await discard_that(table, claimed=claimed, auto=True)
    before = len(mover.frames)
    await table.pass_time(FLOOR_MS - 1)
    assert mover.frames[before:] == []
    await table.pass_time(1)
    assert [frame["k"] for frame in mover.frames[before:]] == ["drawn"]


async def test_an_answer_within_the_pause_is_played_at_its_end_and_answered_once() -> None:
    table = Table(PAUSING)
    mover, other = await discard_that(table, claimed=True)
    dp = other.question["dp"]
    for _ in range(3):
        table.room.ask(other.connection, cmd.Act("pass", dp, "x"))
    await table.quiet()
    assert [frame for frame in other.frames if frame.get("id") == "pass"] == []
    await table.pass_time(FLOOR_MS)
    answers = [frame for frame in other.frames if frame.get("id") == "pass"]
    assert [(frame["m"], frame["dup"]) for frame in answers] == [("ack", False), ("ack", True), ("ack", True)]
    assert mover.kinds()[-1] == "drawn"


async def test_a_ready_hands_discard_keeps_its_time_whether_or_not_a_win_is_declined() -> None:
    table = Table()
    play = (await table.at_first_turn(), table.state.play)[1]
    assert play is not None
    forced = CLASSIC.clocks.forced_ms
    ready = play.state._replace(
        hands=tuple(hand._replace(ready=Ready.READY) for hand in play.state.hands),  # type: ignore[arg-type]  # wrong or looser on purpose
    )
    for passed in (False, True):
        state = ready._replace(passed=passed)
        step = Transition(
            table.state._replace(play=play._replace(state=state, forced_at_ms=table.clock.now_ms() + forced)),
            World(table.clock.now_ms() + 400, lambda: "id", bytes),
        )
        ask_round(step)
        assert step.room.play is not None
        assert step.room.play.forced_at_ms == table.clock.now_ms() + forced
