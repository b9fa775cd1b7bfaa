"""The fair shuffle, version ``erma-shuffle-1``. Source: PROTOCOL §4.

Before a round the server draws ``secret`` and ``nonce`` (32 random bytes each) and publishes their
*commitment*. Each player adds 32 bytes of *entropy*. Everything random in the round then comes from one
stream, in this order: first dealer (one of 2), two dice (one of 6 each), the wall (Fisher–Yates).

    key      = HMAC-SHA-256(secret, entropy of seat 0 ‖ entropy of seat 1 ‖ UTF-8 of round id)
    block i  = HMAC-SHA-256(key, i as 8 bytes, big-endian), i = 0, 1, 2 …
    stream   = block 0 ‖ block 1 ‖ …, read byte by byte

A number below n (n ≤ 256) takes the next byte b that is less than n·⌊256/n⌋ and is b mod n: bytes at or above
that bound are skipped, so no number is likelier than another. The wall starts as all tiles sorted by kind;
for i from the last index down to 1, entry i swaps with the entry whose number is drawn below i + 1.

Neither side can steer the result: the server commits before it sees the players' bytes, the players give
theirs before they see the secret.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, count

from app.rules.tiles import Tile

SHUFFLE_VERSION = "erma-shuffle-1"
SECRET_BYTES = 32
NO_ENTROPY = bytes(SECRET_BYTES)  # what a seat that gives none counts as


@dataclass(frozen=True, slots=True)
class Shuffle:
    """``wall`` in draw order, ``dice`` as thrown, ``first_dealer`` for the first round of a match."""

    wall: tuple[Tile, ...]
    dice: tuple[int, int]
    first_dealer: int


def commitment(secret: bytes, nonce: bytes, round_id: str, version: str = SHUFFLE_VERSION) -> str:
    """What is published before the deal, lower-case hex."""
    return hashlib.sha256(secret + nonce + f"{version}:{round_id}".encode()).hexdigest()


def seed_for(secret: bytes, entropy: tuple[bytes, bytes], round_id: str) -> bytes:
    """The 32-byte key of a round's stream; ``entropy`` by seat, 32 bytes each.

    Raises:
        ValueError: a part has not 32 bytes. Lengths are fixed so that no two inputs run together.
    """
    if any(len(part) != SECRET_BYTES for part in (secret, *entropy)):
        raise ValueError("secret and entropy are 32 bytes each")
    return hmac.digest(secret, entropy[0] + entropy[1] + round_id.encode(), "sha256")


def shuffle(seed: bytes, tiles: tuple[Tile, ...]) -> Shuffle:
    """Everything random in a round; ``tiles`` sorted by kind."""
    wall = list(tiles)
    places = range(len(wall) - 1, 0, -1)
    first_dealer, one, other, *partners = _numbers(seed, (2, 6, 6, *[place + 1 for place in places]))
    for place, partner in zip(places, partners, strict=True):
        wall[place], wall[partner] = wall[partner], wall[place]
    return Shuffle(tuple(wall), (one + 1, other + 1), first_dealer)


def _numbers(seed: bytes, bounds: Iterable[int]) -> Iterator[int]:
    """For each bound, 0 < bound ≤ 256, a uniform number below it."""
    stream = chain.from_iterable(hmac.digest(seed, block.to_bytes(8, "big"), "sha256") for block in count())
    for bound in bounds:
        end = 256 - 256 % bound
        byte = next(stream)
        while byte >= end:
            byte = next(stream)
        yield byte % bound
