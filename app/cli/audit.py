"""``audit``: the proof of the ledger. Source: PROTOCOL §1."""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from dataclasses import asdict
from typing import TYPE_CHECKING

from app.cli.command import read_settings

if TYPE_CHECKING:
    from app.cli.command import Subparsers
    from app.economy.audit import AuditReport


def add_parser(subparsers: Subparsers) -> argparse.ArgumentParser:
    parser = subparsers.add_parser("audit", help="prove the ledger; exit 1 with the first fault")
    parser.add_argument("--database-url", help="default: ERMA_DATABASE_URL")
    return parser


def run(args: argparse.Namespace) -> int:
    from app.store.migrate import SchemaError

    try:
        report = asyncio.run(_audit(read_settings(database_url=args.database_url).database_url))
    except SchemaError as error:
        print(error, file=sys.stderr)
        return 2
    summary = asdict(report)
    fault = summary.pop("fault")
    found = {"fault": fault} if fault else {}
    print(json.dumps({"ok": fault is None, **found, **summary}))
    return 0 if fault is None else 1


async def _audit(url: str) -> AuditReport:
    from app.store import migrate
    from app.store.audit import audit
    from app.store.database import Database

    await migrate.check(url)
    database = Database(url)
    try:
        return await audit(database)
    finally:
        await database.close()
