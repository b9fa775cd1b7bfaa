"""Who sits where, and who sits down nowhere. Source: PROTOCOL §2, RULES §9."""

from __future__ import annotations

from app.rooms.errors import Barred, InOtherRoom
from app.rooms.model import RoomState


class Seating:
    """A player sits in one room at a time; his place is taken before anything is awaited.

    Only a fault can leave him in two: the one he came to first counts, and once he has left it the other.
    """

    def __init__(self) -> None:
        self._rooms_of: dict[str, list[str]] = {}  # by player; where he sits, or is about to
        self._doubtful: dict[str, set[str]] = {}  # by room: who may sit there, or may not
        self._barred: set[str] = set()

    def room_of(self, user_id: str) -> str | None:
        return next(iter(self._rooms_of.get(user_id, ())), None)

    def require_free(self, user_id: str) -> None:
        """Check that the player may sit down somewhere.

        Raises:
            Barred: he may not.
            InOtherRoom: he sits already.
        """
        if self.is_barred(user_id):
            raise Barred
        room_id = self.room_of(user_id)
        if room_id is not None:
            raise InOtherRoom(room_id)

    # --- coming and going ---------------------------------------------------------------------------------

    def take(self, user_id: str, room_id: str) -> None:
        """He sits there, or is about to."""
        rooms = self._rooms_of.setdefault(user_id, [])
        if room_id not in rooms:
            rooms.append(room_id)

    def give_up(self, user_id: str, room_id: str) -> None:
        """He does not sit there, or no longer."""
        rooms = self._rooms_of.get(user_id, [])
        if room_id in rooms:
            rooms.remove(room_id)
        if not rooms:
            self._rooms_of.pop(user_id, None)

    def doubt(self, user_id: str, room_id: str) -> None:
        """His place is kept until :meth:`end_doubt` tells whether the room has seated him."""
        self._doubtful.setdefault(room_id, set()).add(user_id)

    def end_doubt(self, room: RoomState) -> None:
        """This is how the room stands."""
        for user_id in self._doubtful.pop(room.id, ()):
            if user_id not in _seated(room):
                self.give_up(user_id, room.id)

    def follow(self, before: RoomState, after: RoomState) -> None:
        """A change of a room: who has come or left."""
        seated = _seated(after)
        for user_id in seated:
            self.take(user_id, after.id)
        for user_id in _seated(before) - seated:
            self.give_up(user_id, after.id)

    # --- the barred ---------------------------------------------------------------------------------------

    def bar(self, user_id: str) -> None:
        """He sits down nowhere from now on; :meth:`barred_at` tells where he sits already."""
        self._barred.add(user_id)

    def unbar(self, user_id: str) -> None:
        self._barred.discard(user_id)

    def is_barred(self, user_id: str) -> bool:
        return user_id in self._barred

    def barred_at(self, room: RoomState) -> list[str]:
        """Who is barred and sits there, and is not to go anyway as soon as the round is over."""
        return [
            sitting.player.id
            for sitting in room.seats
            if sitting is not None and sitting.player.id in self._barred and not sitting.expelled
        ]


def _seated(room: RoomState) -> set[str]:
    """The players at the table; who sat at one that is closed is free."""
    return set() if room.is_closed else {room.at(seat).player.id for seat in room.people}
