"""``export-rounds``: the public records of finished rounds, a line each. Source: PROTOCOL §1."""

from __future__ import annotations

import argparse
import asyncio
import sys
from typing import TYPE_CHECKING, BinaryIO

from app.cli.command import read_settings
from app.cli.unread import Unread

if TYPE_CHECKING:
    from app.cli.command import Subparsers


def add_parser(subparsers: Subparsers) -> argparse.ArgumentParser:
    parser = subparsers.add_parser(
        "export-rounds", help="finished rounds as JSON lines on stdout; `verify` checks them"
    )
    parser.add_argument("--database-url", help="default: ERMA_DATABASE_URL")
    parser.add_argument("--after", default="", metavar="ROUND", help="only rounds with a later id")
    return parser


def run(args: argparse.Namespace) -> int:
    from app.store.migrate import SchemaError

    url = read_settings(database_url=args.database_url).database_url
    try:
        unread = asyncio.run(_export(url, args.after, sys.stdout.buffer))
    except SchemaError as error:
        print(error, file=sys.stderr)
        return 2
    return 1 if unread.count else 0


async def _export(url: str, after: str, target: BinaryIO) -> Unread:
    from app.api.record_schemas import RecordBody
    from app.store import migrate
    from app.store.database import Database
    from app.store.records import SqlRecords

    await migrate.check(url)
    database, unread = Database(url), Unread()
    records = SqlRecords(database)
    try:
        async for round_id in records.all_finished(after):
            with unread.passing_over(round_id):
                over = await records.finished(round_id)
                if over is not None and not over.is_archived:
                    target.write(RecordBody.of(over).model_dump_json().encode() + b"\n")
    finally:
        await database.close()
        target.flush()
    return unread
