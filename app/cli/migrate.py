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
    from app.rooms.faults import UnknownFault, arm
    from app.store.migrate import SchemaError, upgrade_now

    settings = read_settings(database_url=args.database_url)
    try:
        arm(settings.fault)
        upgrade_now(settings.database_url)
    except (SchemaError, UnknownFault) as error:
        print(error, file=sys.stderr)
        return 1
    return 0
