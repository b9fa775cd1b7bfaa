"""The OpenAPI document, served at ``/openapi.json``: what FastAPI derives, with our own errors in it."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI

from app.api.errors import Problem


def install_openapi(app: FastAPI) -> None:
    derive = app.openapi

    def openapi() -> dict[str, Any]:
        if app.openapi_schema is None:
            document = derive()
            schemas = document.setdefault("components", {}).setdefault("schemas", {})
            schemas["Problem"] = Problem.model_json_schema()
            _drop_framework_errors(document)
        return derive()

    app.openapi = openapi  # type: ignore[method-assign]  # the way the framework asks for it


def _drop_framework_errors(document: dict[str, Any]) -> None:
    """FastAPI documents a 422 of its own wherever there is a parameter; no route answers it."""
    for operations in document["paths"].values():
        for operation in operations.values():
            if "HTTPValidationError" in str(operation["responses"].get("422")):
                del operation["responses"]["422"]
    for name in ("HTTPValidationError", "ValidationError"):
        document["components"]["schemas"].pop(name, None)
