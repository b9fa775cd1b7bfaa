"""Whoever takes for ever to say what he wants is let go; nobody else notices. Source: docs/SECURITY.md."""

from __future__ import annotations

import asyncio

import httpx
import pytest

from tests.integration.serving import Site, serving

HEAD = b"POST /api/guest HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
SLOW = {
    "nothing": b"",
    "half a line": b"GET /heal",
    "half a header": HEAD,
    "half a body": HEAD + b'Content-Length: 17\r\n\r\n{"name"',
    "a second request that stops": b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\nGET /heal",
}


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.api.bounded_http.REQUEST_SECONDS", 0.3)


async def ends(site: Site, said: bytes) -> bytes:
    """What the server answers before it lets go."""
    host, _, port = site.http.removeprefix("http://").partition(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    writer.write(said)
    try:
        return await asyncio.wait_for(reader.read(), 10)
    except ConnectionResetError:
        return b""
    finally:
        writer.transport.abort()


@pytest.mark.parametrize("what", SLOW)
async def test_a_request_that_never_ends_does(database_url: str, what: str) -> None:
    async with serving(database_url) as site:
        answered = await ends(site, SLOW[what])
        assert answered.count(b"HTTP/1.1 200") == (1 if what.startswith("a second") else 0)


async def test_a_connection_that_is_used_again_is_left_alone(database_url: str) -> None:
    async with serving(database_url) as site, httpx.AsyncClient(base_url=site.http) as http:
        for _ in range(3):
            assert (await http.get("/healthz")).status_code == 200
        async with site.guest("阿梅") as mei:
            room_id, _ = await mei.open_room()
            async with await mei.table(room_id) as table:
                await table.until(lambda: table.view is not None)
                with pytest.raises(TimeoutError):  # a socket outlives the bound of requests
                    await table.until(lambda: False, seconds=0.8)
                await table.send({"m": "ping", "n": 1, "t": 0})
                await table.until(lambda: True)
