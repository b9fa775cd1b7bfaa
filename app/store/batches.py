"""What the batches of many rooms are written as: parts for one transaction."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from functools import lru_cache
from typing import Any
from zoneinfo import ZoneInfo

from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError

from app.economy.ledger import PRACTICE
from app.economy.periods import day_of
from app.rooms.faults import BEFORE_COMMIT, MID_SETTLEMENT, is_armed, reach
from app.rooms.ports import (
    AlreadyAnswered,
    BalanceMoved,
    Batch,
    RoomRecord,
    RoundRecord,
    StoreError,
)
from app.rooms.tiers import Tier
from app.store.audit_log import write_changes
from app.store.bulk import Inserts, Part, Point, Requires, Updates
from app.store.faults import is_taken
from app.store.ledger import HELD
from app.store.models import AccountRow, ActionRow, AnswerRow, EventRow, RoomRow, RoundRow, UserRow
from app.store.models.rooms import LIVE_ROUNDS
from app.store.settlement import (
    Known,
    Settlement,
    Written,
    guards,
    read_and_work_out,
    refusal_of,
    work_out,
)
from app.store.standings import Key, Standing
from app.store.steps import MissingRow
from app.store.together import write_together

# A room's head in two parts: who plays on which terms, which few batches change, and what all of them do.
# SQLite writes the indexes and looks after the references of all that is set, whether it changes or not.
ROOM_TERMS = ("tier_id", "tier", "base_stake", "private", "invite", "phase", "seat0", "seat1")
ROOM_STATE = ("commits", "seq", "state", "updated_ms")
_ROUND_STATE = (
    "number",
    "status",
    "ruleset",
    "ruleset_version",
    "record_version",
    "options",
    "base_stake",
    "player0",
    "player1",
    "dealer",
    "shuffle",
    "secret",
    "nonce",
    "commitment",
    "entropy0",
    "entropy1",
    "result",
)
_ACTIONS = Inserts(ActionRow, ("round_id", "n", "seat", "code", "at_ms"))
_ANSWERS = Inserts(AnswerRow, ("room_id", "user_id", "action_id", "digest", "seq", "at_ms"))
_EVENTS = Inserts(EventRow, ("room_id", "seq", "at_ms", "round_id", "kind", "data"))
# From one commit to the next: what was given up and is done after all, or was sent by who does not know that
# somebody else has the room, comes too late. The log's end would not tell: not every step makes an event.
_ROOMS = Updates(RoomRow, ("id", "commits", *ROOM_TERMS, *ROOM_STATE), keys=2)
_ROOM_STATES = Updates(RoomRow, ("id", "commits", *ROOM_STATE), keys=2)
_ROUNDS = Inserts(
    RoundRow,
    ("id", "room_id", *_ROUND_STATE, "created_ms", "ended_ms"),
    replaced=_ROUND_STATE,
    settled=("ended_ms",),
)
_MOVED = Requires(UserRow, ("id",))
_SEATED = Requires(UserRow, ("id",), lock="KEY SHARE")


def settlement_of(batches: Sequence[Batch], zone: ZoneInfo) -> Settlement:
    """What moves in all of them; ``zone`` says whose day a round's end is."""
    return Settlement(
        [(posting, b.at_ms) for b in batches for posting in b.postings],
        sorted({each for b in batches for each in b.held.items()}),
        [(result, b.at_ms, day_of(b.at_ms, zone)) for b in batches for result in b.results],
    )


def goes_step_by_step(batches: Sequence[Batch], *, has_points: bool) -> bool:
    """Whether more is to be done than :func:`parts_of` tells, or the process is to die in between; who writes
    at once may have these points (``has_points``) himself.
    """
    dies = not has_points and (is_armed(MID_SETTLEMENT) or is_armed(BEFORE_COMMIT))
    return dies or any(b.changes for b in batches)


def parts_of(
    batches: Sequence[Batch], settlement: Settlement, known: Known | None
) -> tuple[list[Part | Point], Mapping[Key, Standing]] | None:
    """Everything in the batches, each of another room, to be written at once; and the standings then. None:
    something must be read first, :func:`write_batches` does it.

    ``known`` is what the settlement is worked out from; when that is no longer so nothing is written.

    Raises:
        BalanceMoved: as it is known the settlement cannot be.
    """
    checks: list[Part]
    if _only_looks(settlement):
        checks, written = [(HELD, settlement.held)], Written()
    elif known is not None:
        checks, written = guards(settlement, known), work_out(settlement, known)
    else:
        return None
    coins = [*_players(batches, settlement), *checks, *written.coins]
    points = [Point(MID_SETTLEMENT)] if settlement.results else []
    return [*coins, *points, *_logs(batches), *written.places], written.standings


def write_batches(
    connection: Connection, batches: Sequence[Batch], settlement: Settlement
) -> Mapping[Key, Standing]:
    """Write everything in the batches, each of another room; returns the standings that have moved.

    What the settlement is worked out from is read first, and locked. What several rooms share is locked in
    one order, whoever writes which batches together: players, accounts, standings, each by key.

    Raises:
        BalanceMoved, AlreadySettled, StoreError, MissingRow, sqlalchemy.exc.IntegrityError: of one of them;
            none must be committed. :func:`meaning_of` says what that means.
    """
    write_together(connection, _players(batches, settlement))
    written = read_and_work_out(connection, settlement)
    write_together(connection, written.coins)
    reach(MID_SETTLEMENT, when=bool(settlement.results))
    write_together(connection, [*_logs(batches), *written.places])
    write_changes(connection, [change for b in batches for change in b.changes])
    return written.standings


def _only_looks(settlement: Settlement) -> bool:
    """Coins are looked at, but none move. Accounts of the practice book may have to be opened first."""
    return settlement.moves_nothing and not any(
        account.startswith(PRACTICE) for account, _ in settlement.held
    )


def meaning_of(error: Exception, batches: Sequence[Batch]) -> Exception:
    """What an error of the database's says to the rooms; itself, if nothing."""
    match error:
        case MissingRow(table=AccountRow.__tablename__):
            return BalanceMoved("a purse holds something else than its table knows")
        case MissingRow():
            return StoreError(f"not as it was known: {error.table}")
        case IntegrityError() if is_taken(error, AnswerRow.__tablename__):
            return AlreadyAnswered(", ".join(answer.action_id for b in batches for answer in b.answers))
        case IntegrityError():
            return refusal_of(error) or error
    return error


def _players(batches: Sequence[Batch], settlement: Settlement) -> list[Part]:
    """Who sits down, locked before his purse: who leaves for good locks himself and then what else is his.

    Whose result or coins move is locked before them, as strongly as ever in this transaction: a lock that
    grows later would cross one that grows from the other side, as a change of name does.
    """
    seated = {user_id for b in batches if b.new_terms for user_id in b.room.seats if user_id is not None}
    seated -= set(settlement.users)
    if not seated:
        return []
    moved = [(user_id,) for user_id in settlement.users]
    return [(_MOVED, moved), (_SEATED, [(user_id,) for user_id in sorted(seated)])]


def _logs(batches: Sequence[Batch]) -> list[Part]:
    """What every batch brings: the answer, where room and round stand, what was done and what happened."""
    rounds = [(record, batch.at_ms) for batch in batches for record in batch.rounds]
    # a proposal that ends makes way for the next one of the same batch
    rounds.sort(key=lambda each: each[0].status in LIVE_ROUNDS)
    heads = [(b, (b.room.id, b.commits_before), room_state(b.room, b.at_ms)) for b in batches]
    return [
        (_ANSWERS, [(b.room.id, *answer, b.at_ms) for b in batches for answer in b.answers]),
        (_ROOMS, [(*which, *room_terms(b.room), *state) for b, which, state in heads if b.new_terms]),
        (_ROOM_STATES, [(*which, *state) for b, which, state in heads if not b.new_terms]),
        (_ROUNDS, [_round_row(record, at_ms) for record, at_ms in rounds]),
        (_ACTIONS, [tuple(action) for b in batches for action in b.actions]),
        (_EVENTS, [(b.room.id, *event) for b in batches for event in b.events]),
    ]


@lru_cache(maxsize=256)
def _tier_value(tier: Tier) -> dict[str, Any]:
    return asdict(tier)


def room_terms(room: RoomRecord) -> tuple[Any, ...]:
    """The values of :data:`ROOM_TERMS`."""
    of_tier = room.tier.id, _tier_value(room.tier), room.base_stake
    return *of_tier, room.private, room.invite, room.phase, *room.seats


def room_state(room: RoomRecord, at_ms: int) -> tuple[Any, ...]:
    """The values of :data:`ROOM_STATE`."""
    return room.commits, room.seq, room.state, at_ms


def _round_row(record: RoundRecord, at_ms: int) -> tuple[Any, ...]:
    return (
        record.id,
        record.room_id,
        record.number,
        record.status.value,
        record.ruleset,
        record.ruleset_version,
        record.record_version,
        record.options,
        record.base_stake,
        *record.players,
        record.dealer,
        record.shuffle,
        record.secret,
        record.nonce,
        record.commitment,
        *(record.entropy or (None, None)),
        record.result,
        at_ms,
        None if record.status in LIVE_ROUNDS else at_ms,
    )
