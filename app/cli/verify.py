"""``verify``: check a finished round from its public record. Source: PROTOCOL §1, §4."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from app.api.record_schemas import RecordBody
    from app.cli.command import Subparsers
    from app.rooms.ports import RoundRecord

TORN = "the last line has no end: its writing was interrupted. A run of archive into its folder cuts it off"


def add_parser(subparsers: Subparsers) -> argparse.ArgumentParser:
    parser = subparsers.add_parser("verify", help="check a round's record; exit 1 with the first fault")
    parser.add_argument(
        "record", type=Path, help="the body of GET /api/rounds/{id}, or *.jsonl with one a line"
    )
    return parser


def run(args: argparse.Namespace) -> int:
    from app.rooms.checking import RecordFault

    try:
        content = args.record.read_bytes()
    except OSError as error:
        print(f"{args.record}: {error.strerror}", file=sys.stderr)
        return 2
    try:
        found = verify_lines(content) if args.record.suffix == ".jsonl" else verify(content)
        answer = {"ok": True, **found}
    except RecordFault as fault:
        where = {"check": fault.check, "where": fault.where, "message": fault.message}
        answer = {"ok": False, "fault": where}
    print(json.dumps(answer, ensure_ascii=False))
    return 0 if answer["ok"] else 1


def verify_lines(content: bytes) -> dict[str, Any]:
    """How many rounds the lines hold; of those that were voided or never began there is nothing to check.

    Raises:
        RecordFault: the first thing in any of them that does not hold, with its line.
    """
    from app.rooms.checking import RecordFault

    rounds = unplayed = 0
    for number, line in enumerate(content.splitlines(keepends=True), 1):
        try:
            verify(line)
        except RecordFault as fault:
            if fault.check == "shape" and not line.endswith(b"\n"):
                raise RecordFault("torn", f"line {number}", TORN) from None
            if fault.check != "unplayed":
                raise RecordFault(fault.check, f"line {number}: {fault.where}", fault.message) from None
            unplayed += 1
        else:
            rounds += 1
    return {"rounds": rounds, "unplayed": unplayed}


def verify(content: bytes) -> dict[str, Any]:
    """What the round was, if everything in its record holds.

    Raises:
        RecordFault: the first thing that does not.
    """
    from app.rooms.checking import check_round

    body = _read(content)
    state = check_round(_record(body), body.actions, body.rake_bp)
    assert state.outcome is not None  # it is over
    return {
        "round_id": body.id,
        "actions": len(body.actions),
        "outcome": state.outcome.kind.value,
        "dealer": state.dealer,
        "dice": list(state.dice),
    }


def _read(content: bytes) -> RecordBody:
    from pydantic import ValidationError

    from app.api.record_schemas import RecordBody
    from app.rooms.checking import RecordFault

    try:
        body = RecordBody.model_validate_json(content, strict=True)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(map(str, first["loc"])) or "record"
        raise RecordFault("shape", where, first["msg"]) from None
    if body.proof.round_id != body.id:
        raise RecordFault("shape", "proof.round_id", "not this round's")
    if body.proof.status != "finished":
        raise RecordFault("unplayed", "proof.status", "only finished rounds have a record")
    if body.proof.entropy is None:
        raise RecordFault("shape", "proof.entropy", "a round that started has both")
    return body


def _record(body: RecordBody) -> RoundRecord:
    from app.rooms.ports import RoundRecord, RoundStatus

    return RoundRecord(
        id=body.id,
        room_id=body.room_id,
        number=body.number,
        status=RoundStatus.FINISHED,
        ruleset=body.ruleset,
        ruleset_version=body.ruleset_version,
        record_version=body.record_version,
        options=body.options,
        base_stake=body.base,
        players=(body.players[0].id, body.players[1].id),
        dealer=body.dealer,
        shuffle=body.proof.shuffle,
        secret=body.proof.secret,
        nonce=body.proof.nonce,
        commitment=body.proof.commitment,
        entropy=body.proof.entropy,
        result=body.result,
    )
