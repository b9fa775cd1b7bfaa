"""The server under test: a process of its own, started as anybody starts it, and ended in every way."""

from __future__ import annotations

import asyncio
import os
import secrets
import signal
import socket
import sys
from contextlib import suppress
from pathlib import Path
from typing import IO

ROOT = Path(__file__).parents[2]
READY_SECONDS = 60.0
WRITER = b"app.store.writer"
PORTS = range(10_000, 32_000)
UNLIMITED = {  # the players are programs: as fast as they are answered, all from one address
    "ERMA_FRAMES_PER_SECOND": "100000",
    "ERMA_FRAMES_BURST": "100000",
    "ERMA_SOCKETS_PER_ADDRESS": "10000",
    "ERMA_SOCKETS_PER_USER": "100",
}


class ServerFailed(Exception):
    """The server did not come up, or did not go."""


def free_port() -> int:
    """One that stays free while its server is dead: none of those the system gives to whoever connects."""
    while True:
        port = secrets.choice(PORTS)
        with socket.socket() as listener, suppress(OSError):
            listener.bind(("127.0.0.1", port))
            return port


class Server:
    """One address; the process behind it comes and goes. Its output goes to ``log``."""

    def __init__(self, database_url: str, log: Path) -> None:
        self.database_url = database_url
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.log = log
        self._process: asyncio.subprocess.Process | None = None

    async def start(self, fault: str | None = None) -> None:
        """Start ``serve``; ``fault`` is where it is to die, as in ``ERMA_FAULT``."""
        self._process = await self._run(["serve", "--port", str(self.port)], fault)

    async def migrate(self, fault: str | None = None) -> int:
        """Run ``migrate`` to its end; the exit status."""
        process = await self._run(["migrate"], fault)
        return await process.wait()

    async def ready(self) -> bool:
        """Until it answers; False if it died before."""
        async with asyncio.timeout(READY_SECONDS):
            while not await self._answers():
                if self.exit_status is not None:
                    return False
                await asyncio.sleep(0.02)
        return True

    async def died(self, seconds: float) -> bool:
        """Whether it ends by itself within ``seconds``."""
        try:
            await asyncio.wait_for(self._running.wait(), seconds)
        except TimeoutError:
            return False
        return True

    async def kill(self) -> None:
        """End it as a power cut would."""
        if self.exit_status is None:
            self._running.send_signal(signal.SIGKILL)
        await self._running.wait()

    async def stop(self, seconds: float) -> None:
        """Ask it to end.

        Raises:
            ServerFailed: it takes longer than ``seconds``, or fails over it.
        """
        self._running.send_signal(signal.SIGTERM)
        if not await self.died(seconds):
            await self.kill()
            raise ServerFailed(f"still there {seconds} s after SIGTERM")
        if self.exit_status not in (0, -signal.SIGTERM):
            raise ServerFailed(f"exit status {self.exit_status} after SIGTERM")

    @property
    def exit_status(self) -> int | None:
        """None as long as it runs; negative when a signal ended it."""
        return self._running.returncode

    def signal(self, number: signal.Signals) -> None:
        self._running.send_signal(number)

    def kill_writer(self) -> bool:
        """End the process that writes to SQLite for it; False if there is none, or none can be found."""
        writers = self.writers()
        for writer in writers:
            with suppress(ProcessLookupError):
                os.kill(writer, signal.SIGKILL)
        return bool(writers)

    def writers(self) -> list[int]:
        """The processes that write for it, by their ids."""
        with suppress(OSError):  # it has died, or the system does not tell
            tasks = Path(f"/proc/{self._running.pid}/task")
            children = [
                child for task in tasks.iterdir() for child in (task / "children").read_text().split()
            ]
            return [int(child) for child in children if WRITER in Path(f"/proc/{child}/cmdline").read_bytes()]
        return []

    @property
    def _running(self) -> asyncio.subprocess.Process:
        assert self._process is not None, "not started"
        return self._process

    async def _run(self, arguments: list[str], fault: str | None) -> asyncio.subprocess.Process:
        environment = {**os.environ, **UNLIMITED, "ERMA_DATABASE_URL": self.database_url}
        environment.pop("ERMA_FAULT", None)
        if fault is not None:
            environment["ERMA_FAULT"] = fault
        with self._open_log() as log:
            return await asyncio.create_subprocess_exec(
                sys.executable, "-m", "app", *arguments, cwd=ROOT, env=environment, stdout=log, stderr=log
            )

    def _open_log(self) -> IO[bytes]:
        return self.log.open("ab")

    async def _answers(self) -> bool:
        try:
            reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        except OSError:
            return False
        try:
            writer.write(b"GET /readyz HTTP/1.0\r\n\r\n")
            return b" 200 " in await reader.readline()
        except OSError:
            return False
        finally:
            writer.close()
            with suppress(OSError):
                await writer.wait_closed()
