"""People with and without a role, for tests of what operators may."""

from __future__ import annotations

from typing import Any

from httpx import AsyncClient, Response

from app.store.database import Database
from tests.integration.stories import execute
from tests.integration.test_http import Someone

WHY = {"reason": "測試"}


class Operator(Someone):
    """Somebody with a role, who also sends PATCH and headers of his own."""

    async def send(self, method: str, path: str, body: Any, **headers: str) -> Response:
        """``headers`` with ``_`` for ``-``."""
        more = {name.replace("_", "-"): value for name, value in headers.items()}
        return await self.client.request(method, path, json=body, headers=self.headers | more)


async def registered(client: AsyncClient, database: Database, name: str = "阿梅") -> Operator:
    """A player who is no guest."""
    answer = await client.post("/api/guest", json={"name": name})
    client.cookies.clear()
    person = Operator(client, answer.raise_for_status().json())
    await execute(database, f"UPDATE users SET is_guest = false WHERE id = '{person.id}'")
    return person


async def operator(client: AsyncClient, database: Database, role: str = "operator") -> Operator:
    """A registered player with this role, and the role's name."""
    person = await registered(client, database, role)
    await execute(database, f"UPDATE users SET role = '{role}' WHERE id = '{person.id}'")
    return person
