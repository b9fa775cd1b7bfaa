"""``serve``: migrate the database if needed, then answer. Source: PROTOCOL §1."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from app.cli.command import read_settings
from app.cli.tuning import tune_interpreter

if TYPE_CHECKING:
    from app.cli.command import Subparsers


def add_parser(subparsers: Subparsers) -> argparse.ArgumentParser:
    parser = subparsers.add_parser("serve", help="migrate the database if needed and serve")
    parser.add_argument("--host", help="default: ERMA_HOST, else 127.0.0.1")
    parser.add_argument("--port", type=int, help="default: ERMA_PORT, else 8000")
    parser.add_argument("--workers", type=int, help="processes; more than one is not supported yet")
    parser.add_argument("--database-url", help="default: ERMA_DATABASE_URL, else a file under var/")
    parser.add_argument("--redis-url", help="default: ERMA_REDIS_URL, else none")
    return parser


def run(args: argparse.Namespace) -> int:
    from app.cli.server import Server, uvicorn_config
    from app.main import create_app
    from app.rooms.faults import UnknownFault, arm
    from app.store.migrate import SchemaError, upgrade_now

    settings = read_settings(
        host=args.host,
        port=args.port,
        workers=args.workers,
        database_url=args.database_url,
        redis_url=args.redis_url,
    )
    if settings.workers > 1:
        print("rooms live in one process: --workers must be 1", file=sys.stderr)
        return 2
    try:
        arm(settings.fault)
        upgrade_now(settings.database_url)
    except (SchemaError, UnknownFault) as error:
        print(error, file=sys.stderr)
        return 1
    tune_interpreter()
    Server(uvicorn_config(create_app(settings), settings)).run()
    return 0
