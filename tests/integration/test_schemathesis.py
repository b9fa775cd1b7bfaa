"""Every operation of the served OpenAPI meets made-up requests: nothing fails, each answer is documented."""

from __future__ import annotations

import asyncio
import json
import os
import re
import sys
from collections import Counter
from pathlib import Path

import httpx
import pytest

from app.store.database import Database
from tests.integration.serving import serving
from tests.integration.stories import execute

SCHEMATHESIS = Path(sys.executable).with_name("schemathesis")
CHECKS = (
    "not_a_server_error",
    "status_code_conformance",
    "content_type_conformance",
    "response_headers_conformance",
    "response_schema_conformance",
)
ENDING = r"^(POST /api/(logout.*|login|guest|register|me/password)|DELETE /api/me.*)$"  # the caller's session


async def examine(
    database_url: str, folder: Path, role: str | None, phases: str, examples: int
) -> tuple[set[str], Counter[str]]:
    """Send made-up requests as somebody of this role: all operations there are, and what each was sent."""
    report = folder / "report.ndjson"
    async with serving(database_url) as site, site.guest("聽雨") as caller:
        if role is not None:
            database = Database(database_url)
            await execute(database, f"UPDATE users SET role = '{role}' WHERE id = '{caller.user_id}'")
            await database.close()
        async with httpx.AsyncClient(base_url=site.http) as http:
            document = (await http.get("/openapi.json")).json()
        process = await asyncio.create_subprocess_exec(
            *(str(SCHEMATHESIS), "run", f"{site.http}/openapi.json", "--no-color", "--seed", "1"),
            *("--header", f"Authorization: {caller.http.headers['Authorization']}"),
            *("--checks", ",".join(CHECKS), "--phases", phases, "--max-examples", str(examples)),
            *("--exclude-name-regex", ENDING, "--generation-database", "none", "--warnings", "off"),
            *("--report", "ndjson", "--report-ndjson-path", str(report)),
            cwd=folder,
            env=os.environ | {"HYPOTHESIS_STORAGE_DIRECTORY": str(folder)},
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )
        said, _ = await process.communicate()
    assert process.returncode == 0, said.decode()
    sent: Counter[str] = Counter()
    for line in report.read_text("utf-8").splitlines():
        recorder = json.loads(line).get("ScenarioFinished", {}).get("recorder", {})
        sent[recorder.get("label")] += len(recorder.get("cases", {}))
    names = {f"{method.upper()} {path}" for path, methods in document["paths"].items() for method in methods}
    return {name for name in names if not re.match(ENDING, name)}, sent


async def test_made_up_requests(database_url: str, tmp_path: Path) -> None:
    operations, sent = await examine(database_url, tmp_path, "owner", "fuzzing", 3)
    assert len(operations) > 40
    assert all(sent[name] for name in operations)


@pytest.mark.long
@pytest.mark.parametrize("role", [None, "viewer", "owner"])
async def test_very_many_made_up_requests(database_url: str, tmp_path: Path, role: str | None) -> None:
    operations, sent = await examine(database_url, tmp_path, role, "examples,coverage,fuzzing", 50)
    assert all(sent[name] for name in operations)
    assert sent.total() > 1_000
