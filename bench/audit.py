"""``audit`` over a million postings against a tenth of them: what it takes, and that memory does not grow.

``--postgres URL`` names a server one may make databases on. Players are granted coins and then pay each
other, with rake and now and then a penalty, so that the ledger holds; the command is run as a process of its
own. The last line is one JSON object: seconds and peak memory, and their ratios to those of the tenth.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import asyncpg
from sqlalchemy import Connection, text

sys.path.insert(0, str(Path(__file__).parents[1]))

from app.economy.ledger import HOUSE_ESCAPES, HOUSE_RAKE, ISSUANCE, purse
from app.store import migrate
from app.store.database import Database
from app.store.standings import ALL

ROOT = Path(__file__).parents[1]
POSTINGS = 1_000_000
POSTINGS_EACH = 100  # for each player
GRANTED, PAID, RAKE, PENALTY = 10_000, 100, 5, 4
NUMBERS = {
    "sqlite": "WITH RECURSIVE n(i) AS (SELECT {first} UNION ALL SELECT i + 1 FROM n WHERE i < {last}) "
    "INSERT INTO {into} SELECT {what} FROM n WHERE {where}",
    "postgresql": "INSERT INTO {into} "
    "SELECT {what} FROM generate_series({first}, {last}) AS n(i) WHERE {where}",
}
PADDED = {"sqlite": "substr('000000000' || ({n}), -9)", "postgresql": "lpad(({n})::text, 9, '0')"}


class Filler:
    """Rows made of numbers ``i`` by the database itself."""

    def __init__(self, connection: Connection, postings: int) -> None:
        self._connection = connection
        self._postings = postings
        self._players = postings // POSTINGS_EACH
        self._dialect = connection.dialect.name

    def fill(self) -> None:
        """The first postings are grants; the others pay from player to player, who all win as often."""
        no = "false" if self._dialect == "postgresql" else "0"
        players, every = (0, self._players - 1), (1, self._postings)
        granted, paid = (1, self._players), (self._players + 1, self._postings)
        player = self._id("U", "i")
        self._make("users", players, id=player, name=player, is_guest=no, points="0", created_ms="0")
        self._make("accounts", players, id=self._purse("i"), balance="0")
        posting = self._id("P", "i")
        self._make("postings", every, id=posting, key=posting, kind="'settlement'", at_ms="i")
        winner = self._purse(f"i % {self._players}")
        loser = self._purse(f"(i + 1 + i / {self._players} % 7) % {self._players}")
        self._enter(granted, winner, GRANTED)
        self._enter(granted, f"'{ISSUANCE}'", -GRANTED)
        self._enter(paid, loser, -PAID)
        self._enter(paid, f"'{HOUSE_RAKE}'", RAKE)
        self._enter(paid, winner, PAID - RAKE, "i % 2 = 0")
        self._enter(paid, winner, PAID - RAKE - PENALTY, "i % 2 = 1")
        self._enter(paid, f"'{HOUSE_ESCAPES}'", PENALTY, "i % 2 = 1")
        self._close()

    def _close(self) -> None:
        """Balances and standings as the entries make them."""
        total = "SELECT COALESCE(SUM(amount), 0) FROM entries WHERE account_id = accounts.id"
        self._connection.execute(text(f"UPDATE accounts SET balance = ({total})"))
        counts = ("wins", "draws", "losses", "escapes", "deserted", "best_fan", "dealt_in")
        self._connection.execute(
            text(
                f"INSERT INTO standings (period, user_id, points, coins, {', '.join(counts)}) "
                f"SELECT '{ALL}', users.id, 0, balance, {', '.join('0' for _ in counts)} "
                f"FROM users JOIN accounts ON accounts.id = '{purse('')}' || users.id"
            )
        )
        self._connection.execute(text("ANALYZE"))

    def _enter(self, numbers: tuple[int, int], account: str, amount: int, where: str = "true") -> None:
        posting = self._id("P", "i")
        self._make("entries", numbers, where, posting_id=posting, account_id=account, amount=str(amount))

    def _make(self, table: str, numbers: tuple[int, int], where: str = "true", **columns: str) -> None:
        first, last = numbers
        into, what = f"{table} ({', '.join(columns)})", ", ".join(columns.values())
        statement = NUMBERS[self._dialect]
        filled = statement.format(first=first, last=last, into=into, what=what, where=where)
        self._connection.execute(text(filled))

    def _id(self, letter: str, number: str) -> str:
        return f"'{letter}' || {PADDED[self._dialect].format(n=number)}"

    def _purse(self, number: str) -> str:
        return f"'{purse('')}' || {self._id('U', number)}"


async def fill(url: str, postings: int) -> None:
    await migrate.upgrade(url)
    database = Database(url)
    try:
        await database.write(lambda connection: Filler(connection, postings).fill())
    finally:
        await database.close()


def audited(url: str) -> tuple[float, float]:
    """Seconds and peak MiB of the command, which finds no fault."""
    started = time.perf_counter()
    command = [sys.executable, "-m", "app", "audit", "--database-url", url]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE)
    assert process.stdout is not None
    report = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    seconds = time.perf_counter() - started
    print(report.decode().strip())
    assert process.returncode == 0
    return seconds, usage.ru_maxrss / 1_024


@contextmanager
def scratch(kind: str, postgres: str) -> Iterator[str]:
    """The URL of a database that is gone afterwards."""
    if kind == "sqlite":
        with tempfile.TemporaryDirectory(prefix="erma-audit-") as folder:
            yield f"sqlite:///{folder}/erma.sqlite3"
        return
    name = f"erma_audit_{os.getpid()}"
    asyncio.run(_in_postgres(postgres, f"CREATE DATABASE {name}"))
    try:
        yield f"{postgres.rsplit('/', 1)[0]}/{name}"
    finally:
        asyncio.run(_in_postgres(postgres, f"DROP DATABASE {name} WITH (FORCE)"))


async def _in_postgres(url: str, command: str) -> None:
    connection = await asyncpg.connect(url)
    try:
        await connection.execute(command)
    finally:
        await connection.close()


def run(postings: int, postgres: str | None) -> dict[str, float]:
    figures: dict[str, float] = {}
    for kind in ["sqlite"] if postgres is None else ["sqlite", "postgresql"]:
        measured = []
        for number in (postings // 10, postings):
            with scratch(kind, postgres or "") as url:
                asyncio.run(fill(url, number))
                seconds, mib = audited(url)
            print(f"{kind}, {number} postings: {seconds:.2f} s, {mib:.0f} MiB")
            measured.append((seconds, mib))
        (less_seconds, less_mib), (seconds, mib) = measured
        figures |= {
            f"{kind}_seconds": round(seconds, 2),
            f"{kind}_mib": round(mib, 1),
            f"{kind}_seconds_vs_tenth": round(seconds / less_seconds, 2),
            f"{kind}_mib_vs_tenth": round(mib / less_mib, 2),
        }
    return figures


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--postings", type=int, default=POSTINGS)
    parser.add_argument("--postgres", help="URL of a server one may make databases on")
    args = parser.parse_args()
    print(json.dumps(run(args.postings, args.postgres)))


if __name__ == "__main__":
    main()
