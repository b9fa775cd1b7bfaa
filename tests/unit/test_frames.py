"""Frames on their way out: who sees the same gets the same bytes. Source: PROTOCOL §3.4."""

from __future__ import annotations

import json

from app.rooms.frames import EventFrames
from app.rooms.ports import EventRecord

ANN, BEN, NOBODY, BOTH = (True, False), (False, True), (False, False), (True, True)
DRAWN = EventRecord(7, 1_000, "r", "drawn", {"seat": 0, "tile": "5m", "wall": 30, "replacement": False})
DISCARDED = EventRecord(8, 1_100, "r", "discarded", {"seat": 0, "tile": "5m", "from_draw": True})


def test_readers_who_see_the_same_share_a_frame() -> None:
    drawn = EventFrames(DRAWN)
    assert drawn.seen_by(ANN) is drawn.seen_by(BOTH)
    assert drawn.seen_by(BEN) is drawn.seen_by(BEN)


def test_what_is_kept_for_one_reader_is_never_sent_to_another() -> None:
    drawn = EventFrames(DRAWN)
    tiles = {sees: json.loads(drawn.seen_by(sees))["d"]["tile"] for sees in (ANN, BEN, NOBODY, BOTH, ANN)}
    assert tiles == {ANN: "5m", BEN: None, NOBODY: None, BOTH: "5m"}


def test_an_event_that_hides_nothing_is_one_frame_for_all() -> None:
    frames = EventFrames(DISCARDED)
    assert len({id(frames.seen_by(sees)) for sees in (ANN, BEN, NOBODY, BOTH)}) == 1
