"""A room's one timer, for whatever happens next by itself."""

from __future__ import annotations

from collections.abc import Callable

from app.rooms.ports import Clock, Timer


class Alarm:
    """Calls ``ring`` when the time it is set for has come, and never before the end of a silence.

    It may ring too early, for nothing: a timer that is to go off later than it was meant to stays as it is,
    for to replace it at every step costs more. Whoever is rung sets it again.
    """

    def __init__(self, clock: Clock, ring: Callable[[], None]) -> None:
        self._clock = clock
        self._ring = ring
        self._timer: Timer | None = None
        self._goes_off_ms = 0  # while there is a timer
        self._silent_until_ms = 0

    def silence(self, until_ms: int) -> None:
        """From the next time it is set it does not ring before this."""
        self._silent_until_ms = until_ms

    def set_for(self, due_ms: int | None) -> None:
        """Ring at ``due_ms`` at the latest, silence apart; None: not at all."""
        if self._timer is not None:
            if due_ms is not None and self._silent_until_ms <= self._goes_off_ms <= due_ms:
                return
            self._timer.cancel()
            self._timer = None
        if due_ms is not None:
            self._goes_off_ms = max(due_ms, self._silent_until_ms)
            self._timer = self._clock.call_at(self._goes_off_ms, self._go_off)

    def end(self) -> None:
        """It rings no more, and holds on to nobody: a room that has ended frees itself."""
        self.set_for(None)
        self._ring = _nobody

    def _go_off(self) -> None:
        self._timer = None
        self._ring()


def _nobody() -> None:
    pass
