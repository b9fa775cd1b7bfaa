"""How often somebody may do something: a token bucket. Source: PROTOCOL §3.10."""

from __future__ import annotations

from collections.abc import Callable


class TokenBucket:
    """``per_second`` tokens flow in, at most ``burst`` wait; ``now`` gives seconds of a steady clock."""

    def __init__(self, per_second: float, burst: int, now: Callable[[], float]) -> None:
        self._per_second = per_second
        self._burst = float(burst)
        self._now = now
        self._tokens = float(burst)
        self._at = now()

    def take(self, tokens: int = 1) -> bool:
        """Take that many tokens; False when there are fewer, and none is taken."""
        now = self._now()
        self._tokens = min(self._burst, self._tokens + (now - self._at) * self._per_second)
        self._at = now
        if self._tokens < tokens:
            return False
        self._tokens -= tokens
        return True
