"""Rounds of the engine alone, played by policies. What they come to is told by a digest of all records."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

from app.bots.policies import Policy
from app.engine import legal_actions, view_for
from app.engine.actions import Action
from app.engine.events import Event
from app.engine.record import Record
from app.engine.round import begin_round, play
from app.engine.state import CLOCK, SEATS, OutcomeKind, Phase, Seat, State
from app.engine.views import RoundView
from app.rules.ruleset import RuleSet

SEED_BYTES = 32
_ACTORS = (*SEATS, CLOCK)


@dataclass(frozen=True, slots=True)
class Played:
    """A finished round: its end, its record and all that happened."""

    state: State
    record: Record
    events: tuple[Event, ...]


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
    draft = begin_round(rules, seed)
    seat: Seat = draft.turn
    played: list[tuple[Seat, Action]] = []

    def see() -> RoundView:
        return view_for(draft.freeze(), seat)

    while draft.phase is not Phase.ENDED:
        seat = draft.turn
        options = legal_actions(draft, seat)
        if not options:
            seat, options = next((actor, able) for actor in _ACTORS if (able := legal_actions(draft, actor)))
        action = policies[seat](see, options) if len(options) > 1 else options[0]
        played.append((seat, action))
        play(draft, seat, action)
    actions = tuple([(actor, action.code) for actor, action in played])
    record = Record(rules.id, rules.version, seed, None, actions=actions)
    return Played(draft.freeze(), record, tuple(draft.events))


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
