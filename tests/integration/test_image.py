"""What the container would run, run without one: the same files, user, environment and commands.

Dockerfile and docker-compose.yml are read, not repeated. As root the commands run as the image's user, who
may read what is there and write below ``var`` alone; elsewhere they run as whoever runs the tests.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.request import Request, urlopen

import pytest

from app.chaos.server import free_port
from app.settings import Settings

ROOT = Path(__file__).parents[2]
DOCKERFILE = (ROOT / "Dockerfile").read_text("utf-8").replace("\\\n", " ")
COMPOSE = (ROOT / "docker-compose.yml").read_text("utf-8")
STAGE = DOCKERFILE[DOCKERFILE.rindex("\nFROM ") :]
HOME = "/erma"
READY_TRIES = 300
SECRET = re.compile(r"secret|password|token|api_?key", re.IGNORECASE)


def instructions(name: str) -> list[str]:
    """The arguments of every such instruction of the last stage."""
    return re.findall(rf"^\s*{name}\s+(.*)$", STAGE, re.MULTILINE)


def listed(arguments: str) -> list[str]:
    """The JSON form of a command."""
    command: list[str] = json.loads(arguments[arguments.index("[") :])
    return command


class Image:
    """The image's files below ``root``; ``var`` belongs to its user."""

    def __init__(self, root: Path) -> None:
        self.home = root / HOME[1:]
        self.home.mkdir(parents=True)
        for copied in instructions("COPY"):
            if not copied.startswith("--from"):
                self._copy(*copied.split())
        (self.home / ".venv").symlink_to(sys.prefix)
        (self.home / "var").mkdir()
        self.port = free_port()
        self.user = self._user()
        if self.user is not None:
            os.chown(self.home / "var", self.user, self.user)

    def _copy(self, source: str, target: str) -> None:
        if (ROOT / source).is_dir():
            ignored = shutil.ignore_patterns("__pycache__")
            shutil.copytree(ROOT / source, self.home / target, ignore=ignored)
        else:
            shutil.copy(ROOT / source, self.home / target)

    def _user(self) -> int | None:
        if os.geteuid() != 0:
            return None
        if not shutil.which("setpriv"):
            pytest.skip("as root this needs setpriv")
        (name,) = instructions("USER")
        made = re.search(rf"useradd .*--uid (\d+).* {name}\b", STAGE)
        assert made is not None, "the image's user is made by the image"
        return int(made[1])

    @property
    def environment(self) -> dict[str, str]:
        """What the image sets, and no more; its paths are those of this copy, its port a free one."""
        given = dict(pair.split("=", 1) for line in instructions("ENV") for pair in line.split())
        here = {name: value.replace(HOME, str(self.home)) for name, value in given.items()}
        return here | {"ERMA_PORT": str(self.port), "PATH": "/usr/bin:/bin"}

    def start(self, command: list[str]) -> subprocess.Popen[bytes]:
        return subprocess.Popen(self._as_user(command), cwd=self.home, env=self.environment)

    def run(self, command: list[str]) -> int:
        return subprocess.run(
            self._as_user(command), cwd=self.home, env=self.environment, check=False, capture_output=True
        ).returncode

    def _as_user(self, command: list[str]) -> list[str]:
        """No privilege but that of reading, for the interpreter may lie in root's home."""
        if self.user is None:
            return command
        reading = ["--inh-caps=-all,+dac_read_search", "--ambient-caps=-all,+dac_read_search"]
        ids = [f"--reuid={self.user}", f"--regid={self.user}", "--clear-groups"]
        return ["setpriv", *ids, *reading, "--bounding-set=-all,+dac_read_search", "--no-new-privs", *command]

    @property
    def health_check(self) -> list[str]:
        (check,) = [listed(line) for line in instructions(r"HEALTHCHECK.*CMD")]
        return [part.replace(":8000/", f":{self.port}/") for part in check]


@contextmanager
def started(image: Image) -> Iterator[subprocess.Popen[bytes]]:
    (command,) = [listed(line) for line in instructions("CMD") if line.startswith("[")][-1:]
    server = image.start(command)
    try:
        yield server
    finally:
        server.kill()
        server.wait()


@pytest.fixture
def image() -> Iterator[Image]:
    """In a folder that is open to its user, as tmp_path is not."""
    with tempfile.TemporaryDirectory(prefix="erma-image-") as name:
        Path(name).chmod(0o755)
        yield Image(Path(name))


def test_the_image_serves_is_healthy_and_ends(image: Image) -> None:
    assert image.run(image.health_check) != 0  # nothing answers yet
    with started(image) as server:
        for _ in range(READY_TRIES):
            if image.run(image.health_check) == 0:
                break
            assert server.poll() is None
            time.sleep(0.1)
        assert image.run(image.health_check) == 0
        url = f"http://127.0.0.1:{image.port}/api/guest"
        body = json.dumps({"name": "聽雨"}).encode()
        with urlopen(Request(url, body, {"content-type": "application/json"})) as answer:
            assert json.load(answer)["user"]["name"] == "聽雨"
        if image.user is not None:
            status = Path(f"/proc/{server.pid}/status").read_text("utf-8")
            assert re.search(r"^Uid:\s+(\d+)", status, re.MULTILINE)[1] == str(image.user)  # type: ignore[index]  # it matches
            assert image.run(["/usr/bin/touch", "app/here"]) != 0  # only var is writable
        server.send_signal(signal.SIGTERM)
        assert server.wait(5) in (0, -signal.SIGTERM)
    assert image.run([".venv/bin/python", "-m", "app", "audit"]) == 0
    kept = {
        path.name for path in image.home.rglob("*") if path.is_file() and path.stat().st_uid == image.user
    }
    assert image.user is None or kept <= {"erma.sqlite3", "erma.sqlite3-wal", "erma.sqlite3-shm"}


def test_nothing_secret_has_a_default() -> None:
    """Neither the image, nor the composition, nor the program comes with a secret anybody could know."""
    assert not [line for line in instructions("ENV") if SECRET.search(line)]
    assert not [line for line in COMPOSE.splitlines() if SECRET.search(line)]
    assert not [
        name for name, field in Settings.model_fields.items() if SECRET.search(name) and field.default
    ]


def test_the_composition_gives_the_container_little() -> None:
    for line in ("read_only: true", "cap_drop: [ALL]", 'security_opt: ["no-new-privileges:true"]'):
        assert line in COMPOSE
    grace = re.search(r"stop_grace_period: (\d+)s", COMPOSE)
    assert grace is not None
    assert int(grace[1]) > 5  # longer than the server takes to end
