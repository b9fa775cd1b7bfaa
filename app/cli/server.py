"""How this application is served: one loop, plain frames, sockets that must answer pings, a short goodbye."""

from __future__ import annotations

import faulthandler
from types import FrameType

import uvicorn
from fastapi import FastAPI

from app.api.bounded import bounded_sockets
from app.api.bounded_http import BoundedHttp
from app.settings import Settings

CLIENT_FRAME_BYTES = 4096  # PROTOCOL §3
PING_SECONDS, PONG_SECONDS = 15.0, 10.0  # PROTOCOL §3.10
WIRE_FRAMES = 8  # frames of any kind, pings and fragments too, for each message a client may send
SHUTDOWN_SECONDS = 3  # for sockets and requests
LEAVE_SECONDS = 4.5  # for everything, rooms and database too


class Server(uvicorn.Server):
    """Ends within ``LEAVE_SECONDS`` of being told to, whatever stands still.

    A database that says nothing would be waited for far longer, and whoever runs the server would kill it
    meanwhile. So it leaves by itself, as hard: nothing is lost by that, for what the database has not
    confirmed was told nobody. The log has where each thread stood; the exit status is 1.
    """

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        if not self.should_exit:
            faulthandler.dump_traceback_later(LEAVE_SECONDS, exit=True)
        super().handle_exit(sig, frame)


def uvicorn_config(app: FastAPI, settings: Settings) -> uvicorn.Config:
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
