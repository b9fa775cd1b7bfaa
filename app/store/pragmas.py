"""How a connection to SQLite is set up, whoever opens it."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from typing import Any

from app.store.steps import BUSY_MS

PREPARED = 1_024  # statements a connection keeps prepared

PRAGMAS = {
    "busy_timeout": str(BUSY_MS),  # first, so that the others wait for locks too
    "journal_mode": "WAL",
    "synchronous": "FULL",
    "wal_autocheckpoint": "0",  # app/store/checkpoints.py does it
    "cache_size": "-65536",
    "temp_store": "MEMORY",  # what undoes a statement half-way, above all
    "foreign_keys": "ON",
    "secure_delete": "ON",  # what is deleted is overwritten: salts of days, names of who has left
}
OPTIONS: dict[str, Any] = {
    "isolation_level": None,  # the driver begins nothing by itself
    "cached_statements": PREPARED,
}


def set_up(connection: sqlite3.Connection, pragmas: Mapping[str, str] = PRAGMAS) -> None:
    for name, value in pragmas.items():
        connection.execute(f"PRAGMA {name}={value}")
