"""Closing a room that cannot be rebuilt, from its plain columns alone: nothing else of it may be readable.

Its round is voided, what both paid for it goes back, its players are free. What cannot be read stays as it
is, for whoever looks into it; who shows or archives rounds passes over it. Source: RULES §3.6.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, Row, func, insert, select, text, update

from app.economy.ledger import HOUSE_FEES
from app.economy.postings import fee_key, refund_posting
from app.rooms.model import RoomPhase
from app.rooms.ports import RoundStatus, book_of
from app.store.models import AccountRow, EntryRow, EventRow, PostingRow, RoomRow, RoundRow
from app.store.models.rooms import LIVE, OPEN
from app.store.settlement import write_postings


def stop_room(connection: Connection, room_id: str, reason: str, at_ms: int) -> None:
    """Close the room and end what runs or is proposed in it; one that is closed stays as it is."""
    open_room = select(RoomRow.seq).where(RoomRow.id == room_id, text(OPEN))
    seq = connection.scalar(open_room.with_for_update(key_share=True))
    if seq is None:
        return
    logged = connection.scalar(select(func.max(EventRow.seq)).where(EventRow.room_id == room_id))
    events = [("room_closed", None, {"reason": reason})]
    for live in _live_rounds(connection, room_id):
        voided = _end_round(connection, live, reason, at_ms)
        if voided is not None:
            events.insert(0, ("voided", live.id, voided))
    first = max(seq, logged or 0) + 1
    rows = [
        {"room_id": room_id, "seq": number, "at_ms": at_ms, "round_id": round_id, "kind": kind, "data": data}
        for number, (kind, round_id, data) in enumerate(events, first)
    ]
    connection.execute(insert(EventRow), rows)
    connection.execute(
        update(RoomRow)
        .where(RoomRow.id == room_id)
        .values(
            phase=RoomPhase.CLOSED,
            seat0=None,
            seat1=None,
            seq=rows[-1]["seq"],
            commits=RoomRow.commits + 1,  # a commit of the room's that is under way comes too late
            updated_ms=at_ms,
        )
    )


def _live_rounds(connection: Connection, room_id: str) -> Sequence[Row[Any]]:
    live = (
        select(RoundRow.id, RoundRow.status, RoundRow.player0, RoundRow.player1)
        .where(RoundRow.room_id == room_id, text(LIVE))
        .order_by(RoundRow.id)
    )
    return list(connection.execute(live))


def _end_round(connection: Connection, live: Row[Any], reason: str, at_ms: int) -> dict[str, Any] | None:
    """Void it if it runs, and give its fee back: the data of ``voided``. Withdraw it if it was proposed."""
    has_begun = live.status == RoundStatus.RUNNING
    status = RoundStatus.VOIDED if has_begun else RoundStatus.WITHDRAWN
    ended: dict[str, Any] = {"status": status.value, "ended_ms": at_ms}
    voided = None
    if has_begun:
        players = (live.player0, live.player1)
        fee = _paid(connection, live.id) // len(players)
        if fee:
            write_postings(connection, [(refund_posting(live.id, fee, players), at_ms)])
        voided = {"reason": reason, "coins": _held(connection, players)}
        ended["result"] = {"voided": voided}
    connection.execute(update(RoundRow).where(RoundRow.id == live.id).values(ended))
    return voided


def _paid(connection: Connection, round_id: str) -> int:
    """What the house took for the round, as the ledger has it."""
    paid = select(EntryRow.amount).join(PostingRow, PostingRow.id == EntryRow.posting_id)
    return (
        connection.scalar(paid.where(PostingRow.key == fee_key(round_id), EntryRow.account_id == HOUSE_FEES))
        or 0
    )


def _held(connection: Connection, players: tuple[str, str]) -> list[int]:
    accounts = [book_of(players).purse(user_id) for user_id in players]
    held = select(AccountRow.id, AccountRow.balance).where(AccountRow.id.in_(accounts))
    balances = {row.id: row.balance for row in connection.execute(held)}
    return [balances.get(account, 0) for account in accounts]
