"""What happens to every HTTP request before a route sees it. Plain ASGI; WebSockets pass untouched."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.api.errors import problem
from app.api.origins import is_own_origin

_READING = {"GET", "HEAD", "OPTIONS"}


class ResponseHeaders:
    """Adds headers to every response; what ``/api`` answers is never stored by caches."""

    def __init__(self, app: ASGIApp, headers: Mapping[str, str]) -> None:
        self.app = app
        self.headers = headers

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return await self.app(scope, receive, send)

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in self.headers.items():
                    headers.setdefault(name, value)
                if scope["path"].startswith("/api"):
                    headers.setdefault("cache-control", "no-store")
            await send(message)

        return await self.app(scope, receive, send_with_headers)


class OriginGuard:
    """Refuses state-changing calls that a browser makes for another site."""

    def __init__(self, app: ASGIApp, allowed: Collection[str]) -> None:
        self.app = app
        self.allowed = allowed

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["method"] not in _READING:
            headers = Headers(scope=scope)
            if not is_own_origin(headers.get("origin"), headers.get("host"), self.allowed):
                return await problem("foreign_origin")(scope, receive, send)
        return await self.app(scope, receive, send)


class BodyLimit:
    """Reads the whole body before the application starts, or refuses it as soon as it is too large."""

    def __init__(self, app: ASGIApp, max_bytes: int) -> None:
        self.app = app
        self.max_bytes = max_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] in _READING:
            return await self.app(scope, receive, send)
        declared = Headers(scope=scope).get("content-length", "0")
        if declared.isdecimal() and int(declared) > self.max_bytes:
            return await problem("too_large")(scope, receive, send)
        body = b""
        while True:
            message = await receive()
            if message["type"] == "http.disconnect":
                return None
            body += message.get("body", b"")
            if len(body) > self.max_bytes:
                return await problem("too_large")(scope, receive, send)
            if not message.get("more_body", False):
                break
        is_read = False

        async def receive_body() -> Message:
            nonlocal is_read
            if is_read:
                return await receive()
            is_read = True
            return {"type": "http.request", "body": body, "more_body": False}

        return await self.app(scope, receive_body, send)
