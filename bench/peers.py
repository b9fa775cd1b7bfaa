"""The public packages the benchmarks measure against; installed by hand, see README.md."""

from __future__ import annotations

from importlib import import_module
from typing import Any

DISTRIBUTIONS = {"MahjongGB": "PyMahjongGB", "mahjong": "mahjong", "rlcard": "rlcard"}


def peer(module: str) -> Any:
    """The peer's module.

    Raises:
        SystemExit: it is not installed.
    """
    try:
        return import_module(module)
    except ImportError:
        name = DISTRIBUTIONS[module.partition(".")[0]]
        raise SystemExit(f"{name} is missing: pip install {name} (see bench/README.md)") from None
