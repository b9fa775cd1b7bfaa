"""``archive``: old rounds as JSON lines in a file, and out of the database. Source: PROTOCOL §1."""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from app.cli.command import above_zero, read_settings

if TYPE_CHECKING:
    from app.cli.command import Subparsers
    from app.store.archive import WholeRound

DAY_MS = 86_400_000


def add_parser(subparsers: Subparsers) -> argparse.ArgumentParser:
    parser = subparsers.add_parser("archive", help="move old rounds out of the database into a file")
    parser.add_argument("directory", type=Path, help="where the file goes; it is made if needed")
    parser.add_argument("--days", type=above_zero, default=90.0, help="how long ago they ended, at least")
    parser.add_argument("--database-url", help="default: ERMA_DATABASE_URL")
    return parser


def run(args: argparse.Namespace) -> int:
    from app.store.migrate import SchemaError

    url = read_settings(database_url=args.database_url).database_url
    try:
        args.directory.mkdir(parents=True, exist_ok=True)
        summary = asyncio.run(_archive(url, args.directory, args.days))
    except (SchemaError, OSError) as error:
        print(error, file=sys.stderr)
        return 2
    print(json.dumps(summary))
    return 0


async def _archive(url: str, directory: Path, days: float) -> dict[str, Any]:
    """Write, make durable, and only then take out: a round may lie in two files, and never in none."""
    from app.store import migrate
    from app.store.archive import SqlArchive
    from app.store.database import Database

    await migrate.check(url)
    now_ms = time.time_ns() // 1_000_000
    before_ms = now_ms - int(days * DAY_MS)
    path = directory / f"rounds-{now_ms}.jsonl"
    database, rounds = Database(url), 0
    archive = SqlArchive(database)
    try:
        with path.open("xb") as file:
            while chunk := await archive.next_rounds(before_ms):
                _write(file, chunk)
                _make_durable(file, directory)
                await archive.prune([whole.over.record.id for whole in chunk], now_ms)
                rounds += len(chunk)
        await archive.prune_rooms(before_ms)
    finally:
        await database.close()
    if not rounds:
        path.unlink()
    return {"rounds": rounds, "file": str(path) if rounds else None}


def _write(file: BinaryIO, chunk: Sequence[WholeRound]) -> None:
    """A line a round: its public record, and its events besides."""
    from app.api.record_schemas import RecordBody

    for whole in chunk:
        body = RecordBody.of(whole.over).model_dump()
        events = [
            {"seq": event.seq, "at_ms": event.at_ms, "kind": event.kind, "data": event.data}
            for event in whole.events
        ]
        line = json.dumps(body | {"events": events}, ensure_ascii=False, separators=(",", ":"))
        file.write(line.encode() + b"\n")


def _make_durable(file: BinaryIO, directory: Path) -> None:
    file.flush()
    os.fsync(file.fileno())
    entry = os.open(directory, os.O_RDONLY)
    os.fsync(entry)
    os.close(entry)
