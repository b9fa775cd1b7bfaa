"""Policies: from what a seat sees and may do to what it does."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import TypeAlias

from app.bots.basic import basic
from app.engine.actions import Action
from app.engine.views import RoundView

# The view comes as a function, so that a policy that does not look costs nothing to ask.
See: TypeAlias = Callable[[], RoundView]
Policy: TypeAlias = Callable[[See, Sequence[Action]], Action]


def random_policy(rng: Random) -> Policy:
    """Any legal action, all equally likely."""

    def choose(see: See, options: Sequence[Action]) -> Action:
        return options[int(rng.random() * len(options))]

    return choose


def basic_policy(rng: Random) -> Policy:
    """The quickest way to a win; it needs no chance."""

    def choose(see: See, options: Sequence[Action]) -> Action:
        return basic(see(), options)

    return choose


POLICIES: dict[str, Callable[[Random], Policy]] = {"random": random_policy, "basic": basic_policy}
