"""Which sites may speak to this one."""

from __future__ import annotations

from collections.abc import Collection
from urllib.parse import urlsplit


def is_own_origin(origin: str | None, host: str | None, allowed: Collection[str]) -> bool:
    """Programs send no Origin and are allowed; a page must come from this host or from the settings' list.

    >>> is_own_origin("https://erma.example", "erma.example", ())
    True
    >>> is_own_origin("null", "erma.example", ())
    False
    """
    if origin is None or origin in allowed:
        return True
    try:
        parts = urlsplit(origin)
    except ValueError:
        return False
    return parts.scheme in {"http", "https"} and host is not None and parts.netloc.lower() == host.lower()
