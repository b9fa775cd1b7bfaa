"""The fan scorer: what a won hand is worth, whether tiles win and what they wait on.

``packed`` and ``codes`` make numbers of tiles and of sets, ``parts`` cuts the one into the other, ``laid``
sums up melds; ``shapes`` and ``discards`` know wins and waits; ``forms`` and ``readings`` are what predicates
read, ``form_fans``, ``chow_fans`` and ``win_fans`` hold one per fan; ``counting`` and ``fan_table`` apply a
rule set's way of counting, ``scorer`` keeps the best reading; ``memo`` remembers, ``validation`` and ``wire``
guard the door.
Source: RULES §6, §7.
"""

from app.engine.scoring.context import Opening, WinContext
from app.engine.scoring.discards import ready_discards
from app.engine.scoring.errors import ErrorCode, NotWinning, ScoringError
from app.engine.scoring.result import CountedFan, Score
from app.engine.scoring.scorer import score
from app.engine.scoring.shapes import is_winning, shape_waits, waits, wins_on
from app.engine.scoring.validation import validate_win

__all__ = [
    "CountedFan",
    "ErrorCode",
    "NotWinning",
    "Opening",
    "Score",
    "ScoringError",
    "WinContext",
    "is_winning",
    "ready_discards",
    "score",
    "shape_waits",
    "validate_win",
    "waits",
    "wins_on",
]
