"""The answers a room has given: exactly one per action id, for ever. Source: PROTOCOL §3.3."""

from __future__ import annotations

from app.rooms import commands as cmd
from app.rooms.connection import Connection
from app.rooms.frames import ack_frame, error_frame
from app.rooms.ports import AnswerRecord, RoomStore

AT_HAND = 256


class Answers:
    """The latest are kept at hand; older ones, and those of an earlier life of the room, lie in the store."""

    def __init__(self, room_id: str, store: RoomStore) -> None:
        self._room_id = room_id
        self._store = store
        self._latest: dict[tuple[str, str], AnswerRecord] = {}

    def keep(self, answer: AnswerRecord) -> None:
        self._latest[answer.user_id, answer.action_id] = answer
        if len(self._latest) > AT_HAND:
            del self._latest[next(iter(self._latest))]

    def repeat(self, connection: Connection, request: cmd.Request) -> bool:
        """Send the answer again if it is at hand."""
        return _send(connection, request, self._latest.get((connection.user_id, request.id)))

    async def find_and_repeat(self, connection: Connection, request: cmd.Request) -> bool:
        """Send the answer again if there ever was one.

        Raises:
            StoreError: that could not be read.
        """
        known = await self._store.answer(self._room_id, connection.user_id, request.id)
        return _send(connection, request, known)


def _send(connection: Connection, request: cmd.Request, known: AnswerRecord | None) -> bool:
    if known is None:
        return False
    if known.digest == request.digest:
        frame = ack_frame(request.id, known.seq, dup=True)
    else:
        frame = error_frame("id_conflict", id=request.id)
    connection.send(frame, is_answer=True)
    return True
