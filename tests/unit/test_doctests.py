"""The examples in the docstrings of rules and scoring."""

from __future__ import annotations

import doctest
import importlib

import pytest


@pytest.mark.parametrize(
    "module",
    [
        "app.rules.tiles",
        "app.engine.actions",
        "app.engine.scoring.shapes",
        "app.engine.scoring.scorer",
        "app.engine.scoring.wire",
    ],
)
def test_examples(module: str) -> None:
    result = doctest.testmod(importlib.import_module(module))
    assert result.failed == 0
    assert result.attempted
