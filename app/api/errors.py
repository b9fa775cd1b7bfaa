"""Every refusal over HTTP: a code, its status, and its RFC 9457 body. Source: PROTOCOL §2.

``detail`` is for programmers; what a player reads is the page's own text for ``code``. Nothing a client
sent is ever repeated.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from http import HTTPStatus
from typing import Any

from fastapi import APIRouter, FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel, ConfigDict
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.routing import BaseRoute, Match
from starlette.types import Scope

from app.api.headers import SECURITY_HEADERS
from app.economy.users import HasLeft
from app.rooms.errors import InOtherRoom, InsufficientCoins, RoomError

PROBLEMS: dict[str, tuple[int, str]] = {
    "bad_request": (400, "The request cannot be read"),
    "unauthorized": (401, "Sign in first"),
    "forbidden": (403, "Not allowed"),
    "csrf": (403, "The CSRF header is missing or wrong"),
    "foreign_origin": (403, "Calls from other sites are refused"),
    "bad_credentials": (403, "Name or password is wrong"),
    "not_seated": (403, "You do not sit in this room"),
    "not_found": (404, "There is nothing here"),
    "no_such_ruleset": (404, "There is no such rule set"),
    "no_such_tier": (404, "There is no such tier"),
    "no_such_room": (404, "There is no such room"),
    "no_such_invite": (404, "There is no such invite"),
    "no_such_round": (404, "There is no such finished round"),
    "no_such_player": (404, "There is no such player"),
    "method_not_allowed": (405, "The method is not allowed here"),
    "room_full": (409, "The room is full"),
    "in_other_room": (409, "You sit in another room"),
    "insufficient_coins": (409, "Your coins are outside the entry limits"),
    "tier_closed": (409, "The tier is closed"),
    "in_round": (409, "Not while your round is running"),
    "relief_not_needed": (409, "You hold enough coins"),
    "relief_used_up": (409, "No more relief today"),
    "daily_taken": (409, "Today's coins have been taken"),
    "name_taken": (409, "Somebody else has this name, or one that looks like it"),
    "name_reserved": (409, "This name is the house's own"),
    "already_registered": (409, "You are registered already"),
    "not_registered": (409, "Guests must register first"),
    "renamed_lately": (409, "Not yet again"),
    "seated": (409, "Leave the table first"),
    "conflict": (409, "Somebody has changed it since"),
    "tier_exists": (409, "There is a tier of this id"),
    "no_round": (409, "No round is running"),
    "last_owner": (409, "Somebody must stay owner"),
    "too_large": (413, "The body is too large"),
    "invalid": (422, "The request is not valid"),
    "cannot_score": (422, "The hand cannot be scored"),
    "weak_password": (422, "This password is not to be used"),
    "locked_out": (429, "Too many failed attempts"),
    "rate_limited": (429, "Too often"),
    "internal": (500, "The server failed"),
    "paused": (503, "The server takes no new rounds just now"),
    "unavailable": (503, "The server is not ready"),
}
_BY_STATUS = {
    400: "bad_request",
    401: "unauthorized",
    403: "forbidden",
    404: "not_found",
    413: "too_large",
    422: "invalid",
}
ACTING = ("bad_request", "unauthorized", "csrf", "foreign_origin", "too_large", "invalid")  # any POST
MEDIA_TYPE = "application/problem+json"


class Problem(BaseModel):
    """RFC 9457 problem details; ``code`` is stable. Some codes bring further members."""

    model_config = ConfigDict(extra="allow")

    type: str
    title: str
    status: int
    detail: str
    code: str


class Refused(Exception):
    """Ends a request with the problem of this code; ``more`` are further members of its body."""

    def __init__(self, code: str, detail: str = "", **more: Any) -> None:
        super().__init__(code)
        self.code = code
        self.detail = detail
        self.more = more


def problem(code: str, detail: str = "", headers: Mapping[str, str] | None = None, **more: Any) -> Response:
    """The response of a problem."""
    status, title = PROBLEMS[code]
    body = Problem(
        type=f"urn:erma:problem:{code}", title=title, status=status, detail=detail or title, code=code, **more
    )
    extra = {"www-authenticate": "Bearer"} if code == "unauthorized" else {}
    return JSONResponse(body.model_dump(), status, {**(headers or {}), **extra}, MEDIA_TYPE)


def answers(*codes: str) -> dict[int | str, dict[str, Any]]:
    """The ``responses`` of a route that can refuse with these codes, for the OpenAPI document."""
    by_status: dict[int | str, list[str]] = {}
    for code in codes:
        by_status.setdefault(PROBLEMS[code][0], []).append(code)
    schema = {"schema": {"$ref": "#/components/schemas/Problem"}}
    return {
        status: {"description": " · ".join(names), "content": {MEDIA_TYPE: schema}}
        for status, names in by_status.items()
    }


def install_error_handlers(app: FastAPI, routers: Iterable[APIRouter]) -> None:
    routes = [route for router in routers for route in router.routes]

    async def http_exception(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        if error.status_code == HTTPStatus.METHOD_NOT_ALLOWED:
            allowed = _methods(routes, request.scope)
            return problem("method_not_allowed", headers={"allow": allowed} if allowed else error.headers)
        return _http_problem(error)

    app.add_exception_handler(Refused, _refused)
    app.add_exception_handler(HasLeft, _has_left)
    app.add_exception_handler(RoomError, _room_error)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, http_exception)
    app.add_exception_handler(Exception, _fault)


async def _refused(_: Request, error: Exception) -> Response:
    assert isinstance(error, Refused)
    return problem(error.code, error.detail, **error.more)


async def _has_left(_: Request, error: Exception) -> Response:
    """His sessions have ended meanwhile."""
    return problem("unauthorized")


async def _room_error(_: Request, error: Exception) -> Response:
    match error:
        case InOtherRoom(room_id=room_id):
            return problem(error.code, room_id=room_id)
        case InsufficientCoins(short=short):
            return problem(error.code, short=short)
        case RoomError(code=code) if code in PROBLEMS:
            return problem(code)
    return problem("internal")


async def _invalid(_: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    faults = [
        {"where": _where(fault["loc"], fault["type"]), "what": fault["type"]} for fault in error.errors()
    ]
    return problem("invalid", faults=faults)


def _where(location: Sequence[str | int], kind: str) -> list[str]:
    """The place of a fault by our own names: an unknown field's name is the client's."""
    return [str(part) for part in (location[:-1] if kind == "extra_forbidden" else location)]


def _http_problem(error: HTTPException) -> Response:
    code = _BY_STATUS.get(error.status_code)
    if code is not None:
        return problem(code, headers=error.headers)
    title = HTTPStatus(error.status_code).phrase
    body = Problem(type="about:blank", title=title, status=error.status_code, detail=title, code="http")
    return JSONResponse(body.model_dump(), error.status_code, error.headers, MEDIA_TYPE)


def _methods(routes: Iterable[BaseRoute], scope: Scope) -> str:
    """All that is answered at this address: each route by itself knows only its own."""
    here = (route for route in routes if route.matches(scope)[0] is not Match.NONE)
    return ", ".join(sorted({method for route in here for method in getattr(route, "methods", None) or ()}))


async def _fault(_: Request, error: Exception) -> Response:
    """A fault of ours; answered outside the middleware, so it brings its own headers."""
    return problem("internal", headers=SECURITY_HEADERS)
