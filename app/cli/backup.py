"""``backup``: one moment of a SQLite database as a file. Source: docs/OPERATIONS.md."""

from __future__ import annotations

import argparse
import asyncio
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from app.cli.command import read_settings

if TYPE_CHECKING:
    from app.cli.command import Subparsers


def add_parser(subparsers: Subparsers) -> argparse.ArgumentParser:
    parser = subparsers.add_parser("backup", help="copy a SQLite database, also while it is served")
    parser.add_argument("target", type=Path, help="a file that does not exist yet")
    parser.add_argument("--database-url", help="default: ERMA_DATABASE_URL")
    return parser


def run(args: argparse.Namespace) -> int:
    from app.store.backup import BackupFailed, NotSqlite
    from app.store.migrate import SchemaError

    try:
        asyncio.run(_back_up(read_settings(database_url=args.database_url).database_url, args.target))
    except (SchemaError, NotSqlite) as error:
        print(error, file=sys.stderr)
        return 2
    except FileExistsError as error:
        print(f"{args.target}: {error.strerror}", file=sys.stderr)
        return 2
    except BackupFailed as error:
        print(f"{args.target}: {error}", file=sys.stderr)
        return 1
    return 0


async def _back_up(url: str, target: Path) -> None:
    from app.store import migrate
    from app.store.backup import back_up
    from app.store.database import Database

    await migrate.check(url)
    database = Database(url)
    try:
        await back_up(database, target)
    finally:
        await database.close()
