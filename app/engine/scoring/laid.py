"""What the melds of a hand come to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from app.engine.melds import Meld, MeldKind
from app.engine.scoring.codes import Code, Kinds
from app.engine.scoring.memo import Memo
from app.engine.scoring.packed import PACKED, Packed
from app.engine.scoring.parts import CHOWS, NOTHING, PUNGS
from app.rules.tiles import is_suited


class Lying(NamedTuple):
    """Melds by how they lie; exposed sets count kongs too."""

    exposed_sets: int
    concealed_kongs: int
    melded_kongs: int


@dataclass(frozen=True, slots=True)
class Laid:
    """Melds summed up as the halves of a hand are (:class:`~app.engine.scoring.parts.Half`).

    A kong is packed as three; its fourth tile is only in ``ranks``.
    """

    code: Code
    packed: Packed
    sorts: Kinds
    ranks: int
    lying: Lying


def _laid(melds: tuple[Meld, ...]) -> Laid:
    whole, fourths, concealed, melded = NOTHING, 0, 0, 0
    for kind, tile, _ in melds:
        whole = whole.with_(CHOWS[tile] if kind is MeldKind.CHOW else PUNGS[tile])
        if kind.is_kong:
            fourths += tile + 1 if is_suited(tile) else 0
            concealed += not kind.is_exposed
            melded += kind.is_exposed
    return Laid(
        code=whole.code,
        packed=whole.packed,
        sorts=whole.sorts,
        ranks=whole.ranks + fourths,
        lying=Lying(len(melds) - concealed, concealed, melded),
    )


def _meld_tiles(meld: Meld) -> Packed:
    return sum([PACKED[tile] for tile in meld.tiles])


laid: Memo[tuple[Meld, ...], Laid] = Memo(_laid, 1 << 14)
"""The melds summed up."""

meld_tiles: Memo[Meld, Packed] = Memo(_meld_tiles, 1 << 12)
"""All tiles of one meld, of a kong all four."""
