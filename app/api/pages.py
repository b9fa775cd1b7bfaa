"""The pages and their files. They ask again each time whether a file has changed; fonts stay for a week."""

from __future__ import annotations

import os
from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

COLUMN_PAGE = "page.html"  # everything but lobby and table; the script sees by the address which it is
PAGES = {
    "/": "index.html",
    "/room/{room_id}": "room.html",
    "/leaderboard": COLUMN_PAGE,
    "/rules": COLUMN_PAGE,
    "/players/{player_id}": COLUMN_PAGE,
    "/replay/{round_id}": COLUMN_PAGE,
    "/operator": COLUMN_PAGE,
}
REVALIDATE = "no-cache"
WEEK = "public, max-age=604800"


class Files(StaticFiles):
    async def check_config(self) -> None:
        """A missing directory is a missing file: 404, not a fault."""

    def file_response(
        self,
        full_path: str | os.PathLike[str],
        stat_result: os.stat_result,
        scope: Scope,
        status_code: int = 200,
    ) -> Response:
        response = super().file_response(full_path, stat_result, scope, status_code)
        is_font = Path(full_path).suffix in {".woff2", ".ttf"}
        response.headers["cache-control"] = WEEK if is_font else REVALIDATE
        return response


def page_routes(static: Path) -> list[BaseRoute]:
    routes: list[BaseRoute] = [_page(address, static / name) for address, name in PAGES.items()]
    return [*routes, Mount("/static", Files(directory=static, check_dir=False), name="static")]


def _page(address: str, file: Path) -> Route:
    def page(_: Request) -> Response:
        if not file.is_file():
            raise HTTPException(404)
        return FileResponse(file, headers={"cache-control": REVALIDATE})

    return Route(address, page)
