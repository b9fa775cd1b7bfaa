"""Answers remembered where they are asked for again and again, several in every score."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

K = TypeVar("K")
V = TypeVar("V")


class Memo(dict[K, V]):
    """What a function answers, by its argument: ``memo[argument]``.

    ``functools.lru_cache`` keeps the order of use, so that to find an answer is to write beside three others;
    here it is a plain look-up, at half the price and less while the processor's caches are cold. In return
    all answers are forgotten at once when there are ``most`` of them.
    """

    __slots__ = ("_answer", "_most")

    def __init__(self, answer: Callable[[K], V], most: int) -> None:
        super().__init__()
        self._answer = answer
        self._most = most

    def __missing__(self, argument: K) -> V:
        if len(self) >= self._most:
            self.clear()
        answer = self[argument] = self._answer(argument)
        return answer
