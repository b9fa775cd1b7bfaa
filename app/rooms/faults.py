"""Named points at which the process can be told to die, to prove that nothing is lost there.

``ERMA_FAULT=before_commit:3`` kills the process the third time it reaches that point, as a power cut would:
no handler runs, nothing is flushed. Without it a point is one comparison.

On SQLite the server's process that writes has the points of what is handed over to it: ``mid_settlement`` and
``before_commit``. It takes its server with it; each of the two counts for itself. On PostgreSQL all is handed
over as one message, and within it there are none: a server told to die there sends the parts one after the
other. Source: docs/OPERATIONS.md; docs/adr/0013, 0015.
"""

from __future__ import annotations

import os
import signal

BEFORE_COMMIT = "before_commit"
MID_SETTLEMENT = "mid_settlement"
POINTS = (
    BEFORE_COMMIT,  # everything is written, the transaction still open
    "after_commit",  # committed, and nobody has been told
    MID_SETTLEMENT,  # a round has ended: coins have moved in the open transaction, points have not
    "mid_migration",  # a migration's changes are made and not yet committed
)


class UnknownFault(ValueError):
    """No such point, or no number from 1 on."""


class _Fault:
    """The one point that is armed, and how often it is still passed alive."""

    def __init__(self) -> None:
        self.point: str | None = None
        self.left = 0
        self.victims: tuple[int, ...] = ()  # processes


_armed = _Fault()


def arm(fault: str | None, *, with_parent: bool = False) -> None:
    """Die at ``<point>:<nth>``, ``with_parent`` together with the process that began this one; None disarms.

    Raises:
        UnknownFault: the text is something else.
    """
    point, _, nth = (fault or "").partition(":")
    if fault is not None and (point not in POINTS or not nth.isdecimal() or int(nth) < 1):
        raise UnknownFault(f"{fault!r} is not one of {', '.join(POINTS)} with :<nth>")
    _armed.point = point or None
    _armed.left = int(nth or 0)
    _armed.victims = (os.getppid(), os.getpid()) if with_parent else (os.getpid(),)


def is_armed(point: str) -> bool:
    """Whether the process is to die there."""
    return _armed.point == point


def reach(point: str, *, when: bool = True) -> None:
    """The process stands at ``point``; ``when`` tells whether this time counts."""
    if _armed.point != point or not when:
        return
    _armed.left -= 1
    if _armed.left == 0:
        for process in _armed.victims:
            os.kill(process, signal.SIGKILL)
