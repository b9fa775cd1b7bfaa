"""Between rounds and through them: propose, start, play, settle. Source: RULES §2, §9–§12; PROTOCOL §4.

Here the game and the money meet: the engine says who won how much, the economy says what that costs.
"""

from __future__ import annotations

from app.engine import shuffle as fair
from app.engine.state import SEATS
from app.rooms.model import Option
from app.rooms.transition import Transition

CONFIRM_OPTION = Option("ok", {"kind": "confirm"})
NO_ENTROPY_HEX = fair.NO_ENTROPY.hex()


# --- before a round ----------------------------------------------------------------------------------------


def seek_round(step: Transition) -> None:
    """Both seats taken: check purses, publish a commitment and ask both. Otherwise wait."""
    for seat, player in zip(SEATS, step.fresh_players(), strict=True):
        step.update_seat(seat, player=player)
