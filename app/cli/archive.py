"""``archive``: old rounds as JSON lines in a file, and out of the database. Source: PROTOCOL §1."""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.cli.archive_file import NAME, make_durable, mend, new_file
from app.cli.command import above_zero, read_settings
from app.cli.unread import Unread

if TYPE_CHECKING:
    from app.cli.command import Subparsers
    from app.store.archive import SqlArchive, WholeRound

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
    return 1 if summary["unreadable"] else 0


async def _archive(url: str, directory: Path, days: float) -> dict[str, Any]:
    """Write, make durable, and only then take out: a round may lie in two files, and never in none.

    Returns:
        How many rounds went into which file, and how many could not be read and stay where they are.
    """
    from app.store import migrate
    from app.store.archive import SqlArchive
    from app.store.database import Database

    await migrate.check(url)
    mend(directory)
    now_ms = time.time_ns() // 1_000_000
    before_ms = now_ms - int(days * DAY_MS)
    path = directory / NAME.format(now_ms)
    database = Database(url)
    archive, unread = SqlArchive(database), Unread()
    rounds, after = 0, ""
    try:
        with new_file(path) as file:
            while due := await archive.due_rounds(before_ms, after):
                lines = await _lines(archive, due, unread)
                file.writelines(lines.values())
                make_durable(file, directory)
                await archive.prune(list(lines), now_ms)
                rounds, after = rounds + len(lines), due[-1]
        await archive.prune_rooms(before_ms)
    finally:
        await database.close()
    if not rounds:
        path.unlink()
    return {"rounds": rounds, "file": str(path) if rounds else None, "unreadable": unread.count}


async def _lines(archive: SqlArchive, round_ids: Sequence[str], unread: Unread) -> dict[str, bytes]:
    """By the ids of those rounds that can be read."""
    lines = {}
    for round_id in round_ids:
        with unread.passing_over(round_id):
            whole = await archive.whole(round_id)
            if whole is not None:
                lines[round_id] = _line(whole)
    return lines


def _line(whole: WholeRound) -> bytes:
    """A round's public record, and its events besides."""
    from app.api.record_schemas import RecordBody

    body = RecordBody.of(whole.over).model_dump()
    events = [
        {"seq": event.seq, "at_ms": event.at_ms, "kind": event.kind, "data": event.data}
        for event in whole.events
    ]
    line = json.dumps(body | {"events": events}, ensure_ascii=False, separators=(",", ":"))
    return line.encode() + b"\n"
