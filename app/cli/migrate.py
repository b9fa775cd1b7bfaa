"""``migrate``: bring the database to this program's schema. Source: PROTOCOL §1."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from app.cli.command import read_settings

if TYPE_CHECKING:
    from app.cli.command import Subparsers


def add_parser(subparsers: Subparsers) -> argparse.ArgumentParser:
    parser = subparsers.add_parser("migrate", help="migrate the database; refuses one of a newer version")
    parser.add_argument("--database-url", help="default: ERMA_DATABASE_URL")
    return parser


def run(args: argparse.Namespace) -> int:
    from app.store.migrate import SchemaError, upgrade_now

    try:
        upgrade_now(read_settings(database_url=args.database_url).database_url)
    except SchemaError as error:
        print(error, file=sys.stderr)
        return 1
    return 0
