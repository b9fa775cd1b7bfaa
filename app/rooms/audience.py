"""Who is connected to a room, and what each of them is sent. Source: PROTOCOL §3.1, §3.7–§3.9."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from app.engine.state import Seat
from app.engine.views import WATCHER
from app.rooms.connection import CloseCode, Connection
from app.rooms.frames import PROTOCOL, EventFrames, ask_frame, encode
from app.rooms.gallery import Gallery
from app.rooms.model import RoomState
from app.rooms.ports import EventRecord
from app.rooms.view import room_view

EVENTS_AT_HAND = 2_048  # no round has so many; presence alone can go on for ever


@dataclass(frozen=True, slots=True)
class Resume:
    """What a returning client has: all events of ``round`` up to ``seq``."""

    round: str
    seq: int


class Audience:
    """The connections of one room. ``log`` holds the events of the current round, for who returns."""

    def __init__(self, room: RoomState, log: Sequence[EventRecord]) -> None:
        self._connections: list[Connection] = []
        self._numbers = 0
        self._log = deque(log, EVENTS_AT_HAND)
        self._gallery = Gallery(room)

    def __contains__(self, connection: Connection) -> bool:
        return connection in self._connections

    def readers_of(self, seat: Seat) -> list[Connection]:
        return [connection for connection in self._connections if connection.reader == seat]

    def lag_ms(self, seat: Seat) -> int:
        """How long the way to the seat's client and back takes; 0 while unknown."""
        return max([c.lag_ms() for c in self._connections if c.reader == seat], default=0)

    # --- coming and going ---------------------------------------------------------------------------------

    def welcome(self, connection: Connection, room: RoomState, now_ms: int) -> None:
        """The first frame of a connection. It replaces older ones of its seat: the newest wins."""
        is_watcher = connection.reader == WATCHER
        if not is_watcher:
            for older in self.readers_of(connection.reader):
                self._connections.remove(older)
                older.close(CloseCode.REPLACED)
        self._numbers += 1
        fields = {
            "user": {"id": connection.user_id, "name": connection.name},
            "room": room.id,
            "seat": None if is_watcher else connection.reader,
            "conn": self._numbers,
            "proto": PROTOCOL,
            "server_ms": now_ms,
            "mode": "watch" if is_watcher else "play",
        }
        connection.send(encode("welcome", fields))

    def admit(self, connection: Connection, room: RoomState, resume: Resume | None) -> None:
        """From now on it gets every event, after those it missed or a snapshot."""
        self._connections.append(connection)
        seen = self._seen_by(connection, room)
        if self._can_resume(seen, resume):
            assert resume is not None
            missed = [EventFrames(event) for event in self._log if resume.seq < event.seq <= seen.seq]
            self._send_events(connection, seen, missed)
            self._send_ask(connection, room)
        else:
            self.snapshot(connection, room)

    def remove(self, connection: Connection) -> bool:
        """Whether it was here; one that was replaced or dropped is gone already."""
        if connection not in self._connections:
            return False
        self._connections.remove(connection)
        return True

    def drop_unseated(self, room: RoomState, events: Sequence[EventRecord]) -> None:
        """Close the connections of seats that were freed: 1000 for who left himself, else 4410."""
        freed = [event.data for event in events if event.kind == "seat_left"]
        reasons = {data["seat"]: data["reason"] for data in freed}
        for connection in list(self._connections):
            if connection.reader in reasons and room.seat_of(connection.user_id) is None:
                by_himself = reasons[connection.reader] in ("left", "escaped")
                self._connections.remove(connection)
                connection.close(CloseCode.END if by_himself else CloseCode.REMOVED)

    def shut_out(self, user_id: str) -> None:
        """Close all connections of a user; their sockets tell when they are gone."""
        for connection in self._connections:
            if connection.user_id == user_id:
                connection.close(CloseCode.REMOVED)

    @property
    def shown(self) -> RoomState:
        """The room as watchers have it."""
        return self._gallery.room

    def close(self, code: CloseCode) -> None:
        for connection in self._connections:
            connection.close(code)
        self._connections.clear()

    # --- what they are sent -------------------------------------------------------------------------------

    def publish(self, room: RoomState, events: Sequence[EventRecord]) -> None:
        """What has just become durable: events to everybody, then new questions to whom they concern."""
        for event in events:
            if event.kind == "round_started":
                self._log.clear()
            self._log.append(event)
        shown = [EventFrames(event) for event in self._gallery.follow(room, events)]
        new = [EventFrames(event) for event in events]
        for connection in self._connections:
            if connection.reader == WATCHER:
                self._send_events(connection, self._gallery.room, shown)
            else:
                self._send_events(connection, room, new)
        for connection in self._connections:
            self._send_ask(connection, room)

    def catch_up(self, room: RoomState, missed: Sequence[EventRecord]) -> None:
        """The room has moved on without its readers: all of them begin anew from the whole view."""
        self._log.extend(missed)
        self._gallery.jump_to(room)
        for connection in list(self._connections):
            if connection.reader != WATCHER and room.seat_of(connection.user_id) != connection.reader:
                self._connections.remove(connection)
                connection.close(CloseCode.REMOVED)
            else:
                self.snapshot(connection, room)

    def snapshot(self, connection: Connection, room: RoomState) -> None:
        """The whole view, then the open question again."""
        connection.caught_up()
        seen = self._seen_by(connection, room)
        snap = {
            "seq": seen.seq,
            "round": None if seen.play is None else seen.play.record.id,
            "view": room_view(seen, connection.reader),
        }
        connection.send(encode("snap", snap))
        connection.asked_dp = 0
        self._send_ask(connection, room)

    def say(self, seat: Seat, words: Mapping[str, str]) -> None:
        """``words`` is a phrase of the list or a text, under its name."""
        frame = encode("said", {"seat": seat, **words})
        for connection in self._connections:
            connection.send(frame)

    def _seen_by(self, connection: Connection, room: RoomState) -> RoomState:
        """The room as this reader has it: watchers are some events behind."""
        return self._gallery.room if connection.reader == WATCHER else room

    def _can_resume(self, room: RoomState, resume: Resume | None) -> bool:
        if resume is None or room.play is None or resume.round != room.play.record.id or not self._log:
            return False
        return self._log[0].seq <= resume.seq <= room.seq

    def _send_events(self, connection: Connection, room: RoomState, events: Sequence[EventFrames]) -> None:
        """The choke point: every event on its way to a socket is redacted for its reader here."""
        sees = (False, False) if room.play is None else room.play.state.sees[connection.reader]
        for event in events:
            connection.send(event.seen_by(sees))

    def _send_ask(self, connection: Connection, room: RoomState) -> None:
        if connection.reader == WATCHER or connection.is_lagging:
            return
        sitting = room.seats[connection.reader]
        decision = None if sitting is None else sitting.decision
        if decision is not None and decision.dp > connection.asked_dp:
            connection.asked_dp = decision.dp
            connection.send(ask_frame(connection.reader, decision))
