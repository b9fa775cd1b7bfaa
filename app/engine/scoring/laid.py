"""What the melds of a hand come to."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from app.engine.melds import Meld, MeldKind
from app.engine.scoring.codes import PACKED, Code, Kinds, Packed
from app.engine.scoring.parts import CHOWS, NOTHING, PUNGS
from app.rules.tiles import is_suited


class Lying(NamedTuple):
    """Melds by how they lie; exposed sets count kongs too."""

    exposed_sets: int
    concealed_kongs: int
    melded_kongs: int


@dataclass(slots=True, eq=False)
class Laid:
    """Melds summed up as the halves of a hand are (:class:`~app.engine.scoring.parts.Half`).

    ``packed`` counts a kong as three, ``tiles`` and ``ranks`` with all four.
    """

    code: Code
    packed: Packed
    sorts: Kinds
    ranks: int
    tiles: Packed
    lying: Lying


@lru_cache(maxsize=1 << 14)
def laid(melds: tuple[Meld, ...]) -> Laid:
    """The melds summed up."""
    whole, fourths, fourth_ranks, concealed, melded = NOTHING, 0, 0, 0, 0
    for kind, tile, _ in melds:
        whole = whole.with_(CHOWS[tile] if kind is MeldKind.CHOW else PUNGS[tile])
        if kind.is_kong:
            fourths += PACKED[tile]
            fourth_ranks += tile + 1 if is_suited(tile) else 0
            concealed += not kind.is_exposed
            melded += kind.is_exposed
    return Laid(
        code=whole.code,
        packed=whole.packed,
        sorts=whole.sorts,
        ranks=whole.ranks + fourth_ranks,
        tiles=whole.packed + fourths,
        lying=Lying(len(melds) - concealed, concealed, melded),
    )
