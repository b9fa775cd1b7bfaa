"""Rounds played in a room to their end, as anybody may read them afterwards."""

from __future__ import annotations

import json
import random
from typing import Any

from app.api.record_schemas import RecordBody
from app.rooms import commands as cmd
from app.rooms.connection import CloseCode
from app.rooms.ports import RoundStatus
from app.rooms.records import FinishedRound
from app.rooms.tiers import Tier
from tests.fakes import START_MS
from tests.tables import CLASSIC, Reader, Table


async def public_record(seed: int, tier: Tier = CLASSIC, *, forfeit: bool = False) -> dict[str, Any]:
    """A first round played to its end by random choices, as its address would answer."""
    table, rng = Table(tier, seed=seed), random.Random(seed)
    readers = await table.at_first_turn() if forfeit else await table.playing()
    if forfeit:
        await table.request(readers[1], kind=cmd.Leave, force=True, penalty_seen=320)
    while table.state.is_playing:
        for reader in readers:
            sitting = table.state.seats[table.seat_of(reader)]
            if table.state.is_playing and sitting is not None and sitting.decision is not None:
                options = [option.o for option in sitting.decision.options]
                await _answer(table, reader, "w" if "w" in options else rng.choice(options))
        if table.state.is_playing and all(s is None or s.decision is None for s in table.state.seats):
            await table.pass_time(1_000)
    await table.room.stop(CloseCode.END)
    return _body(table)


async def _answer(table: Table, reader: Reader, o: str) -> None:
    """Within a pause an answer is played at its end."""
    dp = reader.question["dp"]
    table.room.ask(reader.connection, cmd.Act(f"{reader.connection.user_id}-dp-{dp}", dp, o))
    await table.quiet()
    await table.pass_time(table.state.tier.clocks.floor_max_ms)


def _body(table: Table) -> dict[str, Any]:
    records = [record for batch in table.store.batches for record in batch.rounds]
    record = next(one for one in records if one.status is RoundStatus.FINISHED)
    actions = [a for batch in table.store.batches for a in batch.actions if a.round_id == record.id]
    over = FinishedRound(
        record=record,
        tier=table.state.tier,
        names=("Ann", "Ben"),
        actions=tuple((action.seat, action.code) for action in actions),
        proposed_ms=START_MS,
        ended_ms=START_MS + 1,
    )
    body: dict[str, Any] = json.loads(RecordBody.of(over).model_dump_json())
    return body
