"""What a seat may do: small values with a short text form, the same in records and on the wire.

The text form ("code") of an action is its handle ``o`` in an ``ask`` and its entry in a record:

============= ============== =================================================
code          kind           meaning
============= ============== =================================================
``oh`` ``kc`` open_hand …    answers to the 明牌 offer
``db`` ``nd`` double …       answers to the 加倍 offer
``rd``        ready          天聽 in the pause before the first turn
``d5m``       discard        打 五萬
``r5m``       discard_ready  打 五萬 and declare ready (報聽)
``c3m``       chow           吃, 3m 4m 5m
``p5m``       pung           碰
``k5m``       kong exposed   明槓 of a discard
``q5m``       kong concealed 暗槓
``a5m``       kong added     加槓
``w``         win            胡, by discard, by draw or by robbing a kong
``x``         pass           過
``cl``        close          the clock ends a pause of its own
``ff`` ``vd`` forfeit void   強退; 作廢
============= ============== =================================================

The last three are never offered: time, leaving and the operator end things by themselves.

Source: RULES §3–§5, PROTOCOL §3.2.
"""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

from app.rules.enums import pinned
from app.rules.tiles import PLAYABLE_KINDS, TILE_NAMES, Tile


@pinned
class ActionKind(Enum):
    """Each member's value is its code's prefix."""

    OPEN_HAND = "oh"
    KEEP_CLOSED = "kc"
    DOUBLE = "db"
    NO_DOUBLE = "nd"
    READY = "rd"
    DISCARD = "d"
    DISCARD_READY = "r"
    CHOW = "c"
    PUNG = "p"
    EXPOSED_KONG = "k"
    CONCEALED_KONG = "q"
    ADDED_KONG = "a"
    WIN = "w"
    PASS = "x"
    CLOSE = "cl"
    FORFEIT = "ff"
    VOID = "vd"


class Action(NamedTuple):
    """An action; ``tile`` is -1 where none belongs to it, and the lowest tile of a chow."""

    kind: ActionKind
    tile: Tile = -1

    @property
    def code(self) -> str:
        return _CODES.get(self) or _code(self)


OPEN_HAND = Action(ActionKind.OPEN_HAND)
KEEP_CLOSED = Action(ActionKind.KEEP_CLOSED)
DOUBLE = Action(ActionKind.DOUBLE)
NO_DOUBLE = Action(ActionKind.NO_DOUBLE)
DECLARE_READY = Action(ActionKind.READY)
WIN = Action(ActionKind.WIN)
PASS = Action(ActionKind.PASS)
CLOSE = Action(ActionKind.CLOSE)
FORFEIT = Action(ActionKind.FORFEIT)
VOID = Action(ActionKind.VOID)


def _per_tile(kind: ActionKind) -> tuple[Action, ...]:
    return tuple(Action(kind, tile) for tile in range(PLAYABLE_KINDS))


# One shared value per action: legal_actions builds none.
DISCARD = _per_tile(ActionKind.DISCARD)
DISCARD_READY = _per_tile(ActionKind.DISCARD_READY)
CHOW = _per_tile(ActionKind.CHOW)
PUNG = _per_tile(ActionKind.PUNG)
EXPOSED_KONG = _per_tile(ActionKind.EXPOSED_KONG)
CONCEALED_KONG = _per_tile(ActionKind.CONCEALED_KONG)
ADDED_KONG = _per_tile(ActionKind.ADDED_KONG)


def _code(action: Action) -> str:
    return action.kind.value if action.tile < 0 else action.kind.value + TILE_NAMES[action.tile]


_CODES: dict[Action, str] = {
    action: _code(action)
    for action in (
        *(OPEN_HAND, KEEP_CLOSED, DOUBLE, NO_DOUBLE, DECLARE_READY, WIN, PASS, CLOSE, FORFEIT, VOID),
        *(DISCARD + DISCARD_READY + CHOW + PUNG + EXPOSED_KONG + CONCEALED_KONG + ADDED_KONG),
    )
}
_BY_CODE = {code: action for action, code in _CODES.items()}


def parse_action(code: str) -> Action:
    """The action with this code.

    Raises:
        ValueError: no action has it.

    >>> parse_action("d5m").kind
    <ActionKind.DISCARD: 'd'>
    """
    try:
        return _BY_CODE[code]
    except (KeyError, TypeError):
        raise ValueError(f"no such action: {code!r}") from None
