"""The fair shuffle as PROTOCOL §4 and its docstring describe it, checked by a second reading of them."""

from __future__ import annotations

import hashlib
import hmac
from collections import Counter

import pytest

from app.engine.shuffle import NO_ENTROPY, commitment, seed_for, shuffle
from app.rules.tiles import full_set

SECRET, NONCE = bytes(range(32)), bytes(range(32, 64))
ENTROPY = (b"\xaa" * 32, b"\x55" * 32)
ROUND_ID = "01JDZ8Q2Y7W3V5T9R1N4M6K8H0"
TILES = full_set(with_flowers=False)
KNOWN_COMMITMENT = "92ab690adc4f5224c55b51a1e1a5f362bd75d6c4047706d1b94208bf4ad55cbd"
KNOWN_SEED = "1f8dca51b6ec40467490a8d9ed8d2c37c36383c2a31e006ca924ed6c934b6a19"
KNOWN_START = (0, (2, 5), (2, 6, 12, 9, 7, 3, 15, 3))


def second_reading(seed: bytes, tiles: tuple[int, ...]) -> tuple[int, tuple[int, int], tuple[int, ...]]:
    """Dealer, dice and wall, from the text alone: the whole stream at once, numbers taken from its front."""
    stream = iter(b"".join(hmac.new(seed, i.to_bytes(8, "big"), hashlib.sha256).digest() for i in range(40)))

    def number(n: int) -> int:
        return next(byte % n for byte in stream if byte < 256 // n * n)

    dealer = number(2)
    dice = (number(6) + 1, number(6) + 1)
    wall = list(tiles)
    for i in reversed(range(1, len(wall))):
        j = number(i + 1)
        wall[i], wall[j] = wall[j], wall[i]
    return dealer, dice, tuple(wall)


@pytest.mark.parametrize("with_flowers", [False, True])
@pytest.mark.parametrize("salt", range(20))
def test_a_second_reading_gives_the_same_round(with_flowers: bool, salt: int) -> None:
    tiles = full_set(with_flowers)
    seed = hashlib.sha256(bytes([salt])).digest()
    dealt = shuffle(seed, tiles)
    assert (dealt.first_dealer, dealt.dice, dealt.wall) == second_reading(seed, tiles)
    assert Counter(dealt.wall) == Counter(tiles)


def test_known_values_never_change() -> None:
    """Version erma-shuffle-1, for ever: stored rounds are proved by it."""
    assert commitment(SECRET, NONCE, ROUND_ID) == KNOWN_COMMITMENT
    assert seed_for(SECRET, ENTROPY, ROUND_ID).hex() == KNOWN_SEED
    dealt = shuffle(seed_for(SECRET, ENTROPY, ROUND_ID), TILES)
    assert (dealt.first_dealer, dealt.dice, dealt.wall[:8]) == KNOWN_START


def test_everything_that_goes_in_changes_what_comes_out() -> None:
    seeds = {
        seed_for(SECRET, ENTROPY, ROUND_ID),
        seed_for(NONCE, ENTROPY, ROUND_ID),
        seed_for(SECRET, (ENTROPY[1], ENTROPY[0]), ROUND_ID),
        seed_for(SECRET, (NO_ENTROPY, ENTROPY[1]), ROUND_ID),
        seed_for(SECRET, (ENTROPY[0], NO_ENTROPY), ROUND_ID),
        seed_for(SECRET, ENTROPY, ROUND_ID[:-1]),
    }
    assert len(seeds) == 6
    commitments = {
        commitment(SECRET, NONCE, ROUND_ID),
        commitment(NONCE, SECRET, ROUND_ID),
        commitment(SECRET, NONCE, ROUND_ID, "erma-shuffle-2"),
        commitment(SECRET, NONCE, ROUND_ID + "0"),
    }
    assert len(commitments) == 4


@pytest.mark.parametrize("entropy", [(b"", b""), (b"\x00" * 31, NO_ENTROPY), (NO_ENTROPY, b"\x00" * 33)])
def test_lengths_are_fixed_so_that_no_two_inputs_run_together(entropy: tuple[bytes, bytes]) -> None:
    with pytest.raises(ValueError, match="32 bytes"):
        seed_for(SECRET, entropy, ROUND_ID)
    with pytest.raises(ValueError, match="32 bytes"):
        seed_for(SECRET[1:], (NO_ENTROPY, NO_ENTROPY), ROUND_ID)


def test_what_is_public_before_the_deal_does_not_give_the_wall() -> None:
    """The derivation keyed by anything published beforehand leads to another wall."""
    wall = shuffle(seed_for(SECRET, ENTROPY, ROUND_ID), TILES).wall
    public = bytes.fromhex(commitment(SECRET, NONCE, ROUND_ID))
    for key in (public, NO_ENTROPY, *ENTROPY, hashlib.sha256(public).digest()):
        assert shuffle(seed_for(key, ENTROPY, ROUND_ID), TILES).wall != wall
        assert shuffle(key, TILES).wall != wall


def chi_square(counts: Counter[int], cells: int, draws: int) -> float:
    expected = draws / cells
    return sum((counts[cell] - expected) ** 2 / expected for cell in range(cells))


def test_every_place_is_as_likely_for_every_tile() -> None:
    """20 000 walls of 16 distinct entries: where each lands, and dice and dealer, within 5 sigma of fair."""
    draws, size = 20_000, 16
    places: list[Counter[int]] = [Counter() for _ in range(size)]
    dice: Counter[int] = Counter()
    dealers: Counter[int] = Counter()
    for number in range(draws):
        seed = hashlib.sha256(b"uniform" + number.to_bytes(4, "big")).digest()
        dealt = shuffle(seed, tuple(range(size)))
        for place, tile in enumerate(dealt.wall):
            places[tile][place] += 1
        dice.update(die - 1 for die in dealt.dice)
        dealers[dealt.first_dealer] += 1
    limit = (size - 1) + 5 * (2 * (size - 1)) ** 0.5
    assert all(chi_square(counts, size, draws) < limit for counts in places)
    assert chi_square(dice, 6, 2 * draws) < 5 + 5 * 10**0.5
    assert chi_square(dealers, 2, draws) < 1 + 5 * 2**0.5
