"""A PostgreSQL server of a test's own, made for it and thrown away: one that may be stopped under load.

Skips, and says so, where the server's programs are not installed.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from app.chaos.server import free_port

PROGRAMS = sorted(Path("/usr/lib/postgresql").glob("*/bin"))
OWNER = "postgres"  # the server refuses to run as root


def programs() -> Path:
    """The newest server's programs; skips without any."""
    if not PROGRAMS:
        pytest.skip("no PostgreSQL programs under /usr/lib/postgresql")
    return PROGRAMS[-1]


@dataclass(frozen=True)
class PrivatePostgres:
    folder: Path
    port: int

    @property
    def url(self) -> str:
        return f"postgresql://{OWNER}@127.0.0.1:{self.port}/postgres"

    def start(self) -> None:
        options = f"-p {self.port} -c listen_addresses=127.0.0.1 -c unix_socket_directories={self.folder}"
        self._control("start", "-o", options, "-l", str(self.folder / "log"))

    def stop(self, how: str = "fast") -> None:
        """``immediate`` is a crash, ``fast`` an orderly end."""
        self._control("stop", "-m", how)

    def stand_still(self) -> None:
        """Neither answer nor hang up, as at the end of a line that was cut."""
        self._signal(signal.SIGSTOP)

    def go_on(self) -> None:
        self._signal(signal.SIGCONT)

    def _signal(self, number: signal.Signals) -> None:
        head = int((self.folder / "data" / "postmaster.pid").read_text().split()[0])
        for pid in [head, *_children(head)]:
            os.kill(pid, number)

    def _control(self, *arguments: str) -> None:
        run("pg_ctl", "-w", "-D", str(self.folder / "data"), *arguments)


def _children(parent: int) -> list[int]:
    states = {int(path.parent.name): path.read_text() for path in Path("/proc").glob("[0-9]*/stat")}
    return [pid for pid, state in states.items() if int(state.rpartition(")")[2].split()[1]) == parent]


def run(program: str, *arguments: str) -> None:
    """Run one of the server's programs as its owner."""
    owner = OWNER if os.geteuid() == 0 else None
    command = [str(programs() / program), *arguments]
    subprocess.run(command, check=True, user=owner, cwd="/", stdout=subprocess.DEVNULL)


@contextmanager
def private_postgres() -> Iterator[PrivatePostgres]:
    """A running server with a folder of its own."""
    programs()
    with tempfile.TemporaryDirectory(prefix="erma-postgres-") as name:
        if os.geteuid() == 0:
            shutil.chown(name, OWNER)
        data = f"{name}/data"
        run("initdb", "-D", data, "-U", OWNER, "--auth", "trust", "--no-sync", "-E", "UTF8", "--locale", "C")
        server = PrivatePostgres(Path(name), free_port())
        server.start()
        try:
            yield server
        finally:
            server.stop("immediate")
