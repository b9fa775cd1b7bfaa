"""Random positions, more telling than those of play: hands near a win, kongs, declared hands and walls.

Tiles are conserved as far as legality can see: no more than four of a kind, flowers apart.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random

from app.engine import apply, start_round
from app.engine.actions import ActionKind
from app.engine.melds import Meld, MeldKind
from app.engine.state import (
    DiscardedTile,
    DrawnFrom,
    Hand,
    LastTile,
    Phase,
    Ready,
    RoundOptions,
    State,
)
from app.rules.ruleset import RuleSet, load_ruleset
from app.rules.tiles import FLOWERS, WINDS, to_counts
from tests.brute_legal import live_waits
from tests.play import choices
from tests.random_wins import random_hand

RandomHand = tuple[list[list[int]], list[tuple[str, list[int]]]]
Built = tuple[list[int], list[Meld]]  # concealed tiles of a won hand, melds

WEIGHTS = {
    ActionKind.WIN: 0.2,
    ActionKind.DISCARD_READY: 3.0,
    ActionKind.READY: 5.0,
    ActionKind.CONCEALED_KONG: 6.0,
    ActionKind.ADDED_KONG: 6.0,
    ActionKind.EXPOSED_KONG: 6.0,
    ActionKind.PUNG: 3.0,
    ActionKind.CLOSE: 0.3,
}


def played(ruleset: str, random: Random) -> Iterator[State]:
    """The states of a round whose players like to claim, to make kongs and to declare."""
    options = RoundOptions.of(load_ruleset(ruleset))
    options = RoundOptions(options.open_hand, options.double, random.choice((0, 0, 2, 8)))
    state, _ = start_round(load_ruleset(ruleset), random.randbytes(32), options=options)
    while True:
        yield state
        if state.is_over:
            return
        able = choices(state)
        weights = [WEIGHTS.get(action.kind, 1.0) for _, action in able]
        ((seat, action),) = random.choices(able, weights)
        state, _ = apply(state, seat, action)


def built(ruleset: str, random: Random) -> State:
    """A position put together: the acting seat nearly wins, or does; everything else is as it may be."""
    while True:
        position = _Position(load_ruleset(ruleset), random)
        if position.take_hands():
            return position.pause() if position.phase is Phase.OPENING_PAUSE else position.in_play()


class _Position:
    """A position as it is put together. ``pool`` holds the tiles that lie nowhere yet."""

    def __init__(self, rules: RuleSet, random: Random) -> None:
        self.rules, self.random = rules, random
        self.pool = Counter(dict.fromkeys(range(16), 4))
        self.seat, self.dealer = random.randrange(2), random.randrange(2)
        self.phase = random.choice((Phase.TURN, Phase.TURN, Phase.CLAIM, Phase.OPENING_PAUSE))
        self.is_fresh = self.phase is Phase.OPENING_PAUSE or random.random() < 0.3
        if self.is_fresh and self.phase is Phase.CLAIM:  # the first discard is the dealer's
            self.dealer = 1 - self.seat
        self.mine: Built = ([], [])
        self.other: Built = ([], [])
        self.robbed = -1  # a tile the other waits for and I have a pung and the fourth of

    def take_hands(self) -> bool:
        """Two won hands out of the pool, if it has them; sometimes mine can be robbed of a kong."""
        other = self._take(random_hand(self.random))
        if other is None:
            return False
        blocks, laid = random_hand(self.random)
        single = [tile for tile in set(other[0]) if other[0].count(tile) == 1 and self.pool[tile] == 3]
        if single and len(laid) < 3 and self.phase is Phase.TURN and not self.is_fresh:
            self.robbed = self.random.choice(single)
            laid = [*laid, ("pung", [self.robbed] * 3)]
            blocks = blocks[1:]
        mine = self._take((blocks, laid))
        if mine is None:
            return False
        self.mine, self.other = mine, other
        return True

    def _take(self, hand: RandomHand) -> Built | None:
        blocks, laid = hand
        if self.is_fresh:  # nothing has been laid yet
            blocks, laid = [*blocks, *(tiles[:3] for _, tiles in laid)], []
        concealed = [tile for tiles in blocks for tile in tiles]
        needed = Counter([*concealed, *(tile for _, tiles in laid for tile in tiles)])
        if len(concealed) != 14 - 3 * len(laid) or not needed <= self.pool:
            return None
        self.pool -= needed
        return concealed, [Meld(MeldKind(kind), tiles[0]) for kind, tiles in laid]

    def pause(self) -> State:
        """The pause before the first turn; ``seat`` deals."""
        self._lose(self.other[0])
        state, _ = start_round(self.rules, self.random.randbytes(32), self.seat)
        return state._replace(
            options=RoundOptions(False, self.rules.double_multiplier > 1, 0),
            phase=Phase.OPENING_PAUSE,
            pile=state.wall[27:],
            tail=len(state.wall) - 27,
            turn=self.seat,
            hands=self._by_seat(
                Hand(to_counts(self.mine[0]), self.mine[0][-1]), Hand(to_counts(self.other[0]))
            ),
        )

    def in_play(self) -> State:
        """A turn of ``seat``, or its reaction to a discard."""
        self._lose(self.other[0], self.robbed)
        if self.robbed >= 0:
            self._exchange(self.mine[0], len(self.mine[0]) - 1, self.robbed)
        else:
            self._spoil(self.mine[0])
            self._spoil(self.other[0])
        given = self._given() if self.phase is Phase.CLAIM else -1
        drawn, source = self._drawn()
        rest = list(self.pool.elements())
        self.random.shuffle(rest)
        rivers = self._rivers(rest, given)
        flowers = self.random.sample(FLOWERS, 8) if self.rules.flowers else []
        shown = [flowers[: self.random.randrange(4)], flowers[4 : 4 + self.random.randrange(4)]]
        mine = Hand(to_counts(self.mine[0]), drawn, tuple(self.mine[1]), tuple(shown[0]), tuple(rivers[0]))
        other = Hand(to_counts(self.other[0]), -1, tuple(self.other[1]), tuple(shown[1]), tuple(rivers[1]))
        left = self.random.choice((0, 0, 1, 2, len(rest)))
        return State(
            rules=self.rules,
            options=RoundOptions(False, False, self.random.choice((0, 0, 0, 1, 6, 12, 32))),
            dealer=self.dealer,
            prevalent=self.random.choice(WINDS),
            wall=(),
            dice=(1, 1),
            phase=self.phase,
            pile=tuple(rest),
            head=max(0, len(rest) - left),
            tail=len(rest),
            turn=self.seat,
            hands=self._by_seat(self._declared(mine), self._declared(other)),
            drawn_from=source,
            last=LastTile(1 - self.seat, given) if self.phase is Phase.CLAIM else None,
            calls=len(self.mine[1]) + len(self.other[1]),
            discards=len(rivers[0]) + len(rivers[1]),
        )

    def _by_seat(self, mine: Hand, other: Hand) -> tuple[Hand, Hand]:
        return (mine, other) if self.seat == 0 else (other, mine)

    def _lose(self, concealed: list[int], tile: int = -1) -> int:
        """A tile of a hand, or this one, goes back to the pool; a discarded one then goes into the river."""
        tile = tile if tile >= 0 else self.random.choice(concealed)
        concealed.remove(tile)
        self.pool[tile] += 1
        return tile

    def _exchange(self, concealed: list[int], place: int, tile: int) -> None:
        self.pool[concealed[place]] += 1
        self.pool[tile] -= 1
        concealed[place] = tile

    def _spoil(self, concealed: list[int]) -> None:
        """Now and then a tile or two of the hand are others."""
        for _ in range(self.random.choice((0, 0, 0, 1, 2))):
            tile = self.random.choice(list(self.pool.elements()))
            self._exchange(concealed, self.random.randrange(len(concealed)), tile)

    def _given(self) -> int:
        """The other's discard: a tile that I lack, or the fourth of three that I hold."""
        lost = self._lose(self.mine[0])
        fourths = [tile for tile in set(self.mine[0]) if self.mine[0].count(tile) == 3 and self.pool[tile]]
        return self.random.choice(fourths) if fourths and self.random.random() < 0.5 else lost

    def _drawn(self) -> tuple[int, DrawnFrom]:
        if self.phase is Phase.CLAIM:
            return -1, DrawnFrom.WALL
        is_claimer = any(meld.kind in (MeldKind.CHOW, MeldKind.PUNG) for meld in self.mine[1])
        if is_claimer and self.random.random() < 0.1:
            return -1, DrawnFrom.CLAIM
        source = self.random.choice((DrawnFrom.WALL, DrawnFrom.WALL, DrawnFrom.KONG, DrawnFrom.FLOWER))
        return self.mine[0][-1] if self.robbed >= 0 else self.random.choice(self.mine[0]), source

    def _rivers(self, rest: list[int], given: int) -> list[list[DiscardedTile]]:
        """Mine and the other's: some of ``rest``; at the start nothing, or the dealer's first discard."""
        rivers: list[list[DiscardedTile]] = [[], []]
        if not self.is_fresh:
            for _ in range(self.random.randrange(2, min(20, len(rest) - 1))):  # one alone is the dealer's
                rivers[self.random.randrange(2)].append(DiscardedTile(rest.pop(), False))
        elif self.phase is Phase.TURN and self.seat != self.dealer:
            rivers[1].append(DiscardedTile(rest.pop(), False))
        if given >= 0:
            if given in rest:
                rest.remove(given)
            rivers[1].append(DiscardedTile(given, False))
        return rivers

    def _declared(self, hand: Hand) -> Hand:
        """The hand, sometimes declared ready if it waits once the drawn tile is gone."""
        is_settled = hand.drawn >= 0 or sum(hand.counts) % 3 == 1
        thrown = hand.drawn if hand.drawn >= 0 else None
        if self.random.random() < 0.5 or not is_settled or not live_waits(hand, thrown):
            return hand
        return hand._replace(ready=self.random.choice((Ready.READY, Ready.HEAVENLY)))
