"""Why a room refuses somebody. The codes are PROTOCOL §3.3's, shared by HTTP and WebSocket."""

from __future__ import annotations


class RoomError(Exception):
    """A refusal that the player is told; nothing has changed."""

    code = "internal"


class NoSuchRoom(RoomError):
    code = "no_such_room"


class RoomFull(RoomError):
    code = "room_full"


class RoomPaused(RoomError):
    """An operator lets no round start here for now."""

    code = "paused"


class InOtherRoom(RoomError):
    """The player sits in ``room_id`` already."""

    code = "in_other_room"

    def __init__(self, room_id: str) -> None:
        super().__init__(room_id)
        self.room_id = room_id


class InsufficientCoins(RoomError):
    """Outside the tier's entry limits; ``short`` coins are missing (0 when there are too many)."""

    code = "insufficient_coins"

    def __init__(self, short: int) -> None:
        super().__init__(str(short))
        self.short = short


class InviteRequired(RoomError):
    """A private room, and the invite is missing or wrong."""

    code = "forbidden"


class Barred(RoomError):
    """The player sits down nowhere."""

    code = "forbidden"


class NotSeated(RoomError):
    code = "not_seated"


class NoRound(RoomError):
    """No round runs that could be voided."""

    code = "no_round"


class RoomChanged(RoomError):
    """An operator has changed the room since it was looked at."""

    code = "conflict"
