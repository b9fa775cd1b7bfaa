"""What the players were told while the server came and went: the claims that are checked afterwards."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Acked:
    """An answer the server gave: from then on the action may not be lost. ``seq`` as in the ``ack``."""

    user_id: str
    action_id: str
    seq: int


@dataclass
class Journal:
    """``played`` holds acknowledged actions by (round, user), in order; ``open`` what was never answered."""

    acked: list[Acked] = field(default_factory=list)
    played: dict[tuple[str, str], list[str]] = field(default_factory=lambda: defaultdict(list))
    open: dict[tuple[str, str], str] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)

    def fault(self, text: str) -> None:
        self.faults.append(text)
