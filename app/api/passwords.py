"""Passwords: which may be used, and how they are kept. Source: PROTOCOL §2.7.

Length decides, as NIST SP 800-63B has it: no rules about signs, but the few that everybody tries first are
refused. They are kept as argon2id hashes with the parameters the library recommends at the time; an older
hash is made anew when its owner signs in.
"""

from __future__ import annotations

import asyncio
import unicodedata
from base64 import b64encode
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from app.api.errors import Refused
from app.api.look_alikes import look_alike_key
from app.economy.users import Name

T = TypeVar("T")

MIN_LENGTH, MAX_LENGTH = 8, 128  # characters after NFKC
COMMON = frozenset((Path(__file__).parent / "data" / "common_passwords.txt").read_text("utf-8").split())


@dataclass(frozen=True, slots=True)
class Verdict:
    """``better_hash`` takes the stored one's place when that was made with other parameters."""

    is_right: bool
    better_hash: str | None = None


def usable(password: str, name: Name) -> str:
    """The password in the form that is hashed.

    Raises:
        Refused: ``weak_password``, ``why`` being ``short``, ``long``, ``common`` or ``name``.
    """
    password = normalised(password)
    if len(password) < MIN_LENGTH:
        raise Refused("weak_password", why="short")
    if len(password) > MAX_LENGTH:
        raise Refused("weak_password", why="long")
    if password.casefold() in COMMON:
        raise Refused("weak_password", why="common")
    if look_alike_key(password) == name.key:
        raise Refused("weak_password", why="name")
    return password


def normalised(password: str) -> str:
    """The same text whatever keyboard it was typed on."""
    return unicodedata.normalize("NFKC", password)


class Passwords:
    """Hashing beside the event loop, ``at_once`` at a time: each takes 64 MiB and a tenth of a second."""

    def __init__(self, at_once: int, waiting: int = 64) -> None:
        self._room = at_once + waiting
        self._under_way = 0
        self._hasher = PasswordHasher()
        self._threads = ThreadPoolExecutor(at_once, "erma-password")
        self._nobody = _hash_of_nobody(self._hasher)

    def require_room(self) -> None:
        """Not to be waited for by everybody at once.

        Raises:
            Refused: ``unavailable``, too many wait already.
        """
        if self._under_way >= self._room:
            raise Refused("unavailable")

    async def hash(self, password: str) -> str:
        """Raises:
        Refused: as :meth:`require_room`.
        """
        return await self._beside(lambda: self._hasher.hash(password))

    async def check(self, password: str, password_hash: str | None) -> Verdict:
        """Whether it is the password of this hash. None is nobody's hash, and takes as long to be wrong.

        Raises:
            Refused: as :meth:`require_room`.
        """
        return await self._beside(lambda: self._check(normalised(password), password_hash or self._nobody))

    async def _beside(self, work: Callable[[], T]) -> T:
        self.require_room()
        self._under_way += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, work)
        finally:
            self._under_way -= 1

    def _check(self, password: str, password_hash: str) -> Verdict:
        try:
            self._hasher.verify(password_hash, password)
        except (VerificationError, InvalidHashError):
            return Verdict(is_right=False)
        is_old = self._hasher.check_needs_rehash(password_hash)
        return Verdict(is_right=True, better_hash=self._hasher.hash(password) if is_old else None)

    def close(self) -> None:
        self._threads.shutdown(wait=False)


def _hash_of_nobody(hasher: PasswordHasher) -> str:
    """A hash by the same parameters that no password has."""
    salt, digest = (
        b64encode(bytes(length)).decode().rstrip("=") for length in (hasher.salt_len, hasher.hash_len)
    )
    costs = f"m={hasher.memory_cost},t={hasher.time_cost},p={hasher.parallelism}"
    return f"$argon2id$v=19${costs}${salt}${digest}"
