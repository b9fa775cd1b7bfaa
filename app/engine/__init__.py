"""The game itself, pure: seed in, states and events out. Standard library alone.

No clock, no I/O, no coin: the room owns time and money, the engine hears only what a seat did.
Its five verbs:

    state, events = start_round(rules, seed, dealer)
    legal_actions(state, seat)                   # the only source of legality
    state, events = apply(state, seat, action)   # frozen in, frozen out
    view_for(state, seat)                        # only what this seat may see
    state = replay(record)                       # same record, same state
"""

from app.engine.legal import legal_actions
from app.engine.record import replay
from app.engine.round import apply, start_round
from app.engine.views import view_for

__all__ = ["apply", "legal_actions", "replay", "start_round", "view_for"]
