"""One winning hand for each fan, to show what it looks like."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def load_examples() -> Mapping[str, Mapping[str, Any]]:
    """By fan id, a request to score (PROTOCOL §1.1) without its rule set. Unreachable fans have none."""
    return tomllib.loads(files(__package__).joinpath("data", "examples.toml").read_text("utf-8"))
