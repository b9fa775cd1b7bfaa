"""``serve``: migrate the database if needed, then answer. Source: PROTOCOL §1."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from app.cli.command import read_settings
from app.cli.tuning import tune_interpreter

if TYPE_CHECKING:
    import uvicorn
    from fastapi import FastAPI

    from app.cli.command import Subparsers
    from app.settings import Settings

CLIENT_FRAME_BYTES = 4096  # PROTOCOL §3
PING_SECONDS, PONG_SECONDS = 15.0, 10.0  # PROTOCOL §3.10
WIRE_FRAMES = 8  # frames of any kind, pings and fragments too, for each message a client may send
SHUTDOWN_SECONDS = 3  # for sockets and requests; with the rooms after it, five at most


def add_parser(subparsers: Subparsers) -> argparse.ArgumentParser:
    parser = subparsers.add_parser("serve", help="migrate the database if needed and serve")
    parser.add_argument("--host", help="default: ERMA_HOST, else 127.0.0.1")
    parser.add_argument("--port", type=int, help="default: ERMA_PORT, else 8000")
    parser.add_argument("--workers", type=int, help="processes; more than one is not supported yet")
    parser.add_argument("--database-url", help="default: ERMA_DATABASE_URL, else a file under var/")
    parser.add_argument("--redis-url", help="default: ERMA_REDIS_URL, else none")
    return parser


def run(args: argparse.Namespace) -> int:
    import uvicorn

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
    uvicorn.Server(uvicorn_config(create_app(settings), settings)).run()
    return 0


def uvicorn_config(app: FastAPI, settings: Settings) -> uvicorn.Config:
    """How this application is served: one loop, plain frames, sockets that must answer pings."""
    import uvicorn

    from app.api.bounded import bounded_sockets
    from app.api.bounded_http import BoundedHttp

    sockets = bounded_sockets(settings.frames_per_second * WIRE_FRAMES, settings.frames_burst * WIRE_FRAMES)
    return uvicorn.Config(
        app,
        host=settings.host,
        port=settings.port,
        log_level=settings.log_level,
        access_log=False,
        server_header=False,
        proxy_headers=bool(settings.trusted_proxies),
        forwarded_allow_ips=list(settings.trusted_proxies),
        loop="uvloop",
        http=BoundedHttp,
        ws=sockets,  # type: ignore[arg-type]  # called like the class it makes
        ws_max_size=CLIENT_FRAME_BYTES,
        ws_per_message_deflate=False,
        ws_ping_interval=PING_SECONDS,
        ws_ping_timeout=PONG_SECONDS,
        timeout_graceful_shutdown=SHUTDOWN_SECONDS,
    )
