"""Rounds of the engine alone, played by policies. What they come to is told by a digest of all records."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

from app.bots.policies import Policy
from app.engine import apply, legal_actions, start_round, view_for
from app.engine.actions import Action
from app.engine.record import Record
from app.engine.state import CLOCK, SEATS, OutcomeKind, Phase, Seat, State
from app.engine.views import RoundView
from app.rules.ruleset import RuleSet

SEED_BYTES = 32
_ACTORS = (*SEATS, CLOCK)


@dataclass(frozen=True, slots=True)
class Played:
    """A finished round: its end and its record."""

    state: State
    record: Record


@dataclass(slots=True)
class Tally:
    """What a number of rounds came to; ``digest`` is over all records in order."""

    rounds: int = 0
    decisions: int = 0
    wins: int = 0
    draws: int = 0
    total_fan: int = 0
    digest: str = ""

    @property
    def mean_fan(self) -> float:
        """Of the rounds won."""
        return self.total_fan / self.wins if self.wins else 0.0


def play_round(rules: RuleSet, seed: bytes, policies: Sequence[Policy]) -> Played:
    """One round to its end; ``policies`` go by seat."""
    state, _ = start_round(rules, seed)
    seat: Seat = state.turn
    played: list[tuple[Seat, Action]] = []

    def see() -> RoundView:
        return view_for(state, seat)

    while state.phase is not Phase.ENDED:
        seat = state.turn
        options = legal_actions(state, seat)
        if not options:
            seat, options = next((actor, able) for actor in _ACTORS if (able := legal_actions(state, actor)))
        action = policies[seat](see, options) if len(options) > 1 else options[0]
        played.append((seat, action))
        state, _ = apply(state, seat, action)
    actions = tuple([(actor, action.code) for actor, action in played])
    return Played(state, Record(rules.id, rules.version, seed, None, actions=actions))


def play_rounds(rules: RuleSet, rounds: int, rng: Random, policies: Sequence[Policy]) -> Iterator[Played]:
    """That many rounds, their seeds drawn from ``rng``."""
    for _ in range(rounds):
        yield play_round(rules, rng.randbytes(SEED_BYTES), policies)


def tally(played: Iterator[Played]) -> Tally:
    """Count rounds as they come; none is kept."""
    result = Tally()
    digest = hashlib.sha256()
    for each in played:
        outcome = each.state.outcome
        assert outcome is not None
        result.rounds += 1
        result.decisions += len(each.record.actions)
        if outcome.kind is OutcomeKind.WON:
            assert outcome.score is not None
            result.wins += 1
            result.total_fan += outcome.score.total
        else:
            result.draws += 1
        line = " ".join(f"{seat}{code}" for seat, code in each.record.actions)
        digest.update(f"{each.record.seed.hex()} {line}\n".encode())
    result.digest = digest.hexdigest()
    return result
