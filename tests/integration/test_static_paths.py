"""Only what lies under ``static/`` is served, however a path is written."""

from __future__ import annotations

import asyncio

import pytest

from tests.integration.serving import serving

PATHS = (
    "/static/../pyproject.toml",
    "/static/%2e%2e/pyproject.toml",
    "/static/..%2fpyproject.toml",
    "/static/%2e%2e%2f%2e%2e%2fetc/passwd",
    "/static/js/../../pyproject.toml",
    "/static//etc/passwd",
    "/static/..\\pyproject.toml",
    "/static/%00",
    "/static/js",
    "/../pyproject.toml",
    "/room/../../pyproject.toml",
    "//etc/passwd",
)


@pytest.mark.parametrize("path", PATHS)
async def test_nothing_outside_static_is_served(database_url: str, path: str) -> None:
    """Sent as it is: a client library would tidy the path up first."""
    async with serving(database_url) as site:
        host, _, port = site.http.removeprefix("http://").partition(":")
        reader, writer = await asyncio.open_connection(host, int(port))
        writer.write(f"GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode())
        answer = (await asyncio.wait_for(reader.read(), 10)).decode("utf-8", "replace")
        writer.close()
        status = int(answer.split(" ", 2)[1])
        assert status in (400, 404) or "<!doctype html>" in answer.lower()
        assert "[project]" not in answer
        assert "root:" not in answer
