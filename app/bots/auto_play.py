"""託管: how the server plays for a seat whose player does not. Source: RULES §10.

It takes a win, keeps a ready hand, claims and declares nothing, and otherwise throws what ``basic`` would.
"""

from __future__ import annotations

from collections.abc import Sequence

from app.bots.basic import best_discard
from app.engine.actions import PASS, WIN, Action, ActionKind
from app.engine.views import RoundView


def auto_play(view: RoundView, options: Sequence[Action]) -> Action:
    """The action auto-play chooses; ``view`` is the seat's own, ``options`` its legal actions."""
    for action in (WIN, PASS):
        if action in options:
            return action
    plain = [action for action in options if action.kind is ActionKind.DISCARD]
    return best_discard(view, plain) if plain else options[0]
