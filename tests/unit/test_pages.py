"""Pages and files, and how long a browser may keep them."""

from __future__ import annotations

from pathlib import Path

import pytest
from httpx import ASGITransport, AsyncClient
from starlette.applications import Starlette

from app.api.pages import REVALIDATE, WEEK, page_routes


@pytest.fixture
def static(tmp_path: Path) -> Path:
    (tmp_path / "secret.txt").write_text("secret")
    static = tmp_path / "static"
    (static / "js").mkdir(parents=True)
    (static / "fonts").mkdir()
    (static / "index.html").write_text("lobby")
    (static / "js" / "main.js").write_text("export {}")
    (static / "fonts" / "display.woff2").write_bytes(b"font")
    return static


async def test_pages_are_asked_for_again_and_fonts_kept(static: Path) -> None:
    transport = ASGITransport(Starlette(routes=page_routes(static)))
    async with AsyncClient(transport=transport, base_url="http://erma.example") as client:
        for path, cached in [
            ("/", REVALIDATE),
            ("/static/js/main.js", REVALIDATE),
            ("/static/fonts/display.woff2", WEEK),
        ]:
            answer = await client.get(path)
            assert (answer.status_code, answer.headers["cache-control"]) == (200, cached)
            again = await client.get(path, headers={"If-None-Match": answer.headers["etag"]})
            assert again.status_code == (200 if path == "/" else 304)
        assert (await client.get("/room/01J")).status_code == 404  # the page itself is missing here
        for path in ("/static/..%2fsecret.txt", "/static/%2e%2e/secret.txt", "/static//etc/passwd"):
            assert (await client.get(path)).status_code == 404
