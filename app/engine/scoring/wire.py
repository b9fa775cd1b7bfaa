"""Requests to score as they come in JSON, and their answers. Source: PROTOCOL §1.1.

Whatever comes in, a dict goes out: nothing here raises.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from reprlib import repr as short
from typing import Any, NamedTuple, TypeAlias

from app.engine.melds import Meld, MeldKind
from app.engine.scoring.context import Opening, WinContext
from app.engine.scoring.errors import ErrorCode, ScoringError
from app.engine.scoring.parts import HAND_TILES
from app.engine.scoring.result import Score
from app.engine.scoring.scorer import score
from app.engine.scoring.shapes import waits
from app.engine.scoring.validation import is_possible, validate_tiles, validate_win
from app.rules.ruleset import RuleSet, UnknownRuleSet, load_ruleset
from app.rules.tiles import (
    EAST,
    PLAYABLE_KINDS,
    SOUTH,
    TILE_NAMES,
    Counts,
    Tile,
    TileError,
    is_flower,
    parse_tile,
    parse_tiles,
    to_counts,
)

Answer: TypeAlias = dict[str, Any]

_REQUIRED = object()
_FLAGS = ("ready", "heavenly_ready", "last_wall_tile", "kong_replacement", "robbing_kong", "last_of_kind")


class WinRequest(NamedTuple):
    """A validated request to score."""

    rules: RuleSet
    hand: Counts
    melds: tuple[Meld, ...]
    context: WinContext


def answer_score(request: object) -> Answer:
    """``{"total", "fans"}``, or ``{"error"}``.

    >>> answer_score({"ruleset": "classic64", "hand": "1z", "win_tile": "1z", "self_drawn": False})["error"][
    ...     "code"
    ... ]
    'wrong_count'
    """
    return _answered(lambda: score_body(score(*read_win(request))))


def answer_waits(request: object) -> Answer:
    """``{"waits": ["3m", …]}``, or ``{"error"}``."""
    return _answered(lambda: {"waits": [TILE_NAMES[tile] for tile in waits(*read_hand(request))]})


def score_body(won: Score) -> Answer:
    """A score in its JSON form."""
    return {"total": won.total, "fans": [fan._asdict() for fan in won.fans]}


def error_body(code: ErrorCode, message: str) -> Answer:
    return {"error": {"code": code.value, "message": message}}


def read_win(request: object) -> WinRequest:
    """A request to score, checked in full.

    Raises:
        ScoringError: it cannot be scored.
    """
    fields = _object(request)
    rules = _rules(fields)
    hand, melds = to_counts(_playable(fields, "hand")), _melds(fields)
    context = _context(fields)
    validate_win(rules, hand, melds, context)
    return WinRequest(rules, hand, melds, context)


def read_hand(request: object) -> tuple[Counts, tuple[Meld, ...]]:
    """A request for waits, checked in full: the hand holds 13 tiles less three per meld.

    Raises:
        ScoringError: it has no answer.
    """
    fields = _object(request)
    _rules(fields)
    hand, melds = to_counts(_playable(fields, "hand")), _melds(fields)
    validate_tiles(hand, melds, HAND_TILES - 1)
    return hand, melds


def _answered(answer: Callable[[], Answer]) -> Answer:
    try:
        return answer()
    except ScoringError as error:
        return error_body(error.code, error.message)


def _context(fields: Mapping[str, object]) -> WinContext:
    flags = {name: _flag(fields, name, False) for name in _FLAGS}
    return WinContext(
        win_tile=_tile(fields, "win_tile", _REQUIRED),
        self_drawn=_flag(fields, "self_drawn", _REQUIRED),
        seat_wind=_tile(fields, "seat_wind", TILE_NAMES[SOUTH]),
        prevalent_wind=_tile(fields, "prevalent_wind", TILE_NAMES[EAST]),
        flowers=_tiles(_field(fields, "flowers", ""), "flowers"),
        opening=_opening(fields),
        **flags,
    )


def _object(value: object) -> Mapping[str, object]:
    if not isinstance(value, dict):
        raise ScoringError(ErrorCode.BAD_REQUEST, "a request is a JSON object")
    return value


def _field(fields: Mapping[str, object], name: str, default: object) -> object:
    value = fields.get(name, default)
    if value is _REQUIRED:
        raise ScoringError(ErrorCode.BAD_REQUEST, f"{name} is missing")
    return value


def _flag(fields: Mapping[str, object], name: str, default: object) -> bool:
    value = _field(fields, name, default)
    if not isinstance(value, bool):
        raise ScoringError(ErrorCode.BAD_REQUEST, f"{name} is true or false, not {short(value)}")
    return value


def _text(value: object, name: str) -> str:
    if not isinstance(value, str):
        raise ScoringError(ErrorCode.BAD_REQUEST, f"{name} is a string, not {short(value)}")
    return value


def _rules(fields: Mapping[str, object]) -> RuleSet:
    ruleset_id = _text(_field(fields, "ruleset", _REQUIRED), "ruleset")
    try:
        return load_ruleset(ruleset_id)
    except UnknownRuleSet:
        raise ScoringError(ErrorCode.UNKNOWN_RULESET, f"no rule set {short(ruleset_id)}") from None


def _opening(fields: Mapping[str, object]) -> Opening | None:
    value = _field(fields, "opening", None)
    if value is None:
        return None
    try:
        return Opening(_text(value, "opening"))
    except ValueError:
        raise ScoringError(ErrorCode.BAD_REQUEST, f"no opening {short(value)}") from None


def _tile(fields: Mapping[str, object], name: str, default: object) -> Tile:
    text = _text(_field(fields, name, default), name)
    try:
        return parse_tile(text)
    except TileError:
        raise ScoringError(ErrorCode.BAD_TILE, f"{name}: no tile {short(text)}") from None


def _tiles(value: object, name: str) -> tuple[Tile, ...]:
    text = _text(value, name)
    try:
        return parse_tiles(text)
    except TileError:
        raise ScoringError(ErrorCode.BAD_TILE, f"{name}: no tiles {short(text)}") from None


def _playable(fields: Mapping[str, object], name: str) -> tuple[Tile, ...]:
    tiles = _tiles(_field(fields, name, _REQUIRED), name)
    if any(map(is_flower, tiles)):
        raise ScoringError(ErrorCode.BAD_TILE, f"{name}: a flower stands in no hand")
    return tiles


def _melds(fields: Mapping[str, object]) -> tuple[Meld, ...]:
    value = _field(fields, "melds", [])
    if not isinstance(value, list):
        raise ScoringError(ErrorCode.BAD_REQUEST, f"melds is a list, not {short(value)}")
    return tuple(map(_meld, value))


def _meld(value: object) -> Meld:
    if not isinstance(value, dict):
        raise ScoringError(ErrorCode.BAD_REQUEST, f"a meld is a JSON object, not {short(value)}")
    type_ = _text(_field(value, "type", _REQUIRED), "type of a meld")
    tiles = sorted(_tiles(_field(value, "tiles", _REQUIRED), "tiles of a meld"))
    try:
        kind = MeldKind(type_)
    except ValueError:
        raise ScoringError(ErrorCode.BAD_MELD, f"no meld type {short(type_)}") from None
    if tiles and tiles[-1] < PLAYABLE_KINDS:
        meld = Meld(kind, tiles[0])
        if is_possible(meld) and list(meld.tiles) == tiles:
            return meld
    raise ScoringError(ErrorCode.BAD_MELD, f"no {kind.value} of {short(value['tiles'])}")
