"""What can be wrong with a request to score. Source: PROTOCOL §1.1."""

from __future__ import annotations

from enum import StrEnum


class ErrorCode(StrEnum):
    """Stable codes; the message beside one is for people and may change."""

    BAD_JSON = "bad_json"
    BAD_REQUEST = "bad_request"  # a field is missing or has the wrong JSON type
    UNKNOWN_RULESET = "unknown_ruleset"
    BAD_TILE = "bad_tile"
    BAD_MELD = "bad_meld"
    BAD_FLOWERS = "bad_flowers"
    TOO_MANY_COPIES = "too_many_copies"
    WRONG_COUNT = "wrong_count"
    FLAG_CONFLICT = "flag_conflict"
    NOT_WINNING = "not_winning"


class ScoringError(ValueError):
    """A hand or a request that cannot be scored, and why."""

    def __init__(self, code: ErrorCode, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


class NotWinning(ScoringError):
    """The tiles make no winning shape. Source: RULES §6."""

    def __init__(self, message: str = "these tiles do not win") -> None:
        super().__init__(ErrorCode.NOT_WINNING, message)
