"""搶槓: the tile leaves the kong, which reverts to a pung; the win is as by discard. Source: RULES §4."""

from __future__ import annotations

from random import Random

import pytest

from app.engine import apply, legal_actions
from app.engine.actions import PASS, WIN, Action, ActionKind
from app.engine.melds import MeldKind
from app.engine.state import OutcomeKind, Phase, State
from app.rules.ruleset import RULESET_IDS
from tests.positions import built


def robbable(ruleset: str) -> tuple[State, Action]:
    """A position whose added kong the opponent wins on, and that kong."""
    random = Random(f"robbing in {ruleset}")
    while True:
        state = built(ruleset, random)
        for action in legal_actions(state, state.turn):
            if action.kind is ActionKind.ADDED_KONG:
                after, _ = apply(state, state.turn, action)
                if after.phase is Phase.ROB:
                    return state, action


@pytest.mark.parametrize("ruleset", RULESET_IDS)
def test_a_robbed_kong_reverts_to_a_pung(ruleset: str) -> None:
    state, kong = robbable(ruleset)
    maker, robber = state.turn, 1 - state.turn
    asked, _ = apply(state, maker, kong)
    assert legal_actions(asked, robber) == (WIN, PASS)
    assert legal_actions(asked, maker) == ()
    ended, events = apply(asked, robber, WIN)
    assert [event.kind for event in events] == ["kong_robbed", "won"]
    kinds = {meld.tile: meld.kind for meld in ended.hands[maker].melds}
    assert kinds[kong.tile] is MeldKind.PUNG
    assert ended.outcome is not None
    assert ended.outcome.score is not None
    assert (ended.outcome.kind, ended.outcome.seat, ended.outcome.source, ended.outcome.tile) == (
        *(OutcomeKind.WON, robber, maker, kong.tile),
    )
    fans = [fan.id for fan in ended.outcome.score.fans]
    assert "robbing_the_kong" in fans
    assert not {"last_tile", "self_drawn", "out_with_replacement_tile"} & set(fans)


@pytest.mark.parametrize("ruleset", RULESET_IDS)
def test_a_kong_let_go_draws_its_replacement_from_the_tail(ruleset: str) -> None:
    state, kong = robbable(ruleset)
    maker = state.turn
    asked, _ = apply(state, maker, kong)
    after, events = apply(asked, 1 - maker, PASS)
    assert events[0].data()["replacement"] is True
    assert after.tail < state.tail
    assert after.head == state.head
    assert after.calls == state.calls + 1
