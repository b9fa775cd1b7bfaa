"""What must hold of a database whose server was killed, beside what its players were told.

Each check gives the first few things that do not hold, as texts.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from sqlalchemy import Connection, func, select

from app.chaos.journal import Journal
from app.engine.state import SEATS
from app.rooms.checking import RecordFault, check_round
from app.rooms.ports import RoundStatus
from app.store.audit import audit
from app.store.database import Database
from app.store.models import ActionRow, AnswerRow, EventRow, PostingRow, ResultRow, RoundRow
from app.store.records import SqlRecords

SHOWN = 5  # of one kind
DESERTING = ("not_confirmed", "absent")


async def faults_of(database: Database, journal: Journal) -> list[str]:
    """Everything that does not hold; empty is what it should be."""

    def read(connection: Connection) -> list[str]:
        checks = (
            _acks_are_stored(connection, journal),
            _actions_are_just_those(connection, journal),
            _rounds_are_settled_once(connection),
            _nobody_ran_out_of_time(connection),
        )
        return [fault for check in checks for fault in islice(check, SHOWN)]

    found = journal.faults[:SHOWN] + await database.read(read)
    report = await audit(database)
    if report.fault is not None:
        found.append(f"audit: {report.fault.check}: {dict(report.fault.row)}")
    return found + await _records_hold(database)


def _acks_are_stored(connection: Connection, journal: Journal) -> Iterator[str]:
    """Every answer given is there, and says what was said. An action id is there once by its key."""
    stored = {
        (row.user_id, row.action_id): row.seq
        for row in connection.execute(select(AnswerRow.user_id, AnswerRow.action_id, AnswerRow.seq))
    }
    for acked in journal.acked:
        found = stored.get((acked.user_id, acked.action_id))
        if found != acked.seq:
            yield f"{acked.action_id} was acknowledged at {acked.seq} and is stored at {found}"


def _actions_are_just_those(connection: Connection, journal: Journal) -> Iterator[str]:
    """What a player played is what was acknowledged to him, in that order: none lost, none twice.

    Only what was never answered may be there or not: each player has one such action at most.
    """
    played = _played(connection)
    for key in sorted(played.keys() | journal.played.keys()):
        actions, acked = played.get(key, []), journal.played.get(key, [])
        unanswered = [journal.open[key]] if key in journal.open else []
        if actions not in (acked, acked + unanswered):
            yield f"round {key[0]}, player {key[1]}: acknowledged {acked}, stored {actions}"


def _played(connection: Connection) -> Mapping[tuple[str, str], Sequence[str]]:
    """By (round, user): the actions of his seat, in order."""
    statement = (
        select(RoundRow.id, RoundRow.player0, RoundRow.player1, ActionRow.seat, ActionRow.code)
        .join(ActionRow, ActionRow.round_id == RoundRow.id)
        .where(ActionRow.seat.in_(SEATS))
        .order_by(RoundRow.id, ActionRow.n)
    )
    played: dict[tuple[str, str], list[str]] = defaultdict(list)
    for row in connection.execute(statement):
        played[row.id, (row.player0, row.player1)[row.seat]].append(row.code)
    return played


def _rounds_are_settled_once(connection: Connection) -> Iterator[str]:
    """A finished round has one result a player, and one posting if coins moved; any other has none."""
    results: dict[str, list[str]] = defaultdict(list)
    for row in connection.execute(select(ResultRow.round_id, ResultRow.outcome)):
        results[row.round_id].append(row.outcome)
    postings = select(PostingRow.round_id, func.count()).where(PostingRow.kind == "settlement")
    settled = {row[0]: row[1] for row in connection.execute(postings.group_by(PostingRow.round_id))}
    for row in connection.execute(select(RoundRow.id, RoundRow.status)):
        outcomes = sorted(results.get(row.id, []))
        expected = 2 if row.status == RoundStatus.FINISHED else 0
        moved = int(bool(outcomes) and outcomes != ["drawn", "drawn"])
        if len(outcomes) != expected or settled.get(row.id, 0) != moved:
            yield f"round {row.id} is {row.status}: {outcomes}, {settled.get(row.id, 0)} postings"
        if row.status == RoundStatus.VOIDED:
            yield f"round {row.id} was voided"


def _nobody_ran_out_of_time(connection: Connection) -> Iterator[str]:
    """The players answer at once: a seat played for, or freed for absence, has paid for our downtime."""
    statement = select(EventRow.room_id, EventRow.seq, EventRow.kind, EventRow.data)
    for row in connection.execute(statement.where(EventRow.kind.in_(("auto_play", "seat_left")))):
        data: Mapping[str, Any] = row.data
        if row.kind == "auto_play" or data["reason"] in DESERTING:
            yield f"room {row.room_id} at {row.seq}: {row.kind} {dict(data)}"


async def _records_hold(database: Database) -> list[str]:
    """Every finished round follows from its public record."""
    finished = select(RoundRow.id).where(RoundRow.status == RoundStatus.FINISHED)
    records, faults = SqlRecords(database), []
    for round_id in await database.read(lambda connection: list(connection.scalars(finished))):
        over = await records.finished(round_id)
        assert over is not None
        try:
            check_round(over.record, over.actions, over.tier.rake_bp)
        except RecordFault as fault:
            faults.append(f"round {round_id}: {fault}")
    return faults[:SHOWN]
