"""A peer that reads nothing does not keep its socket. Source: PROTOCOL §3.9."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, cast

import pytest
import uvicorn
from uvicorn.server import ServerState

from app.api.bounded import BoundedSocket


class Timer:
    def __init__(self, callback: Callable[[], None]) -> None:
        self.callback = callback
        self.is_cancelled = False

    def cancel(self) -> None:
        self.is_cancelled = True


class Loop:
    """Keeps what is to be done later, and does it when told."""

    def __init__(self) -> None:
        self.timers: list[Timer] = []

    def call_later(self, seconds: float, callback: Callable[[], None]) -> Timer:
        self.timers.append(Timer(callback))
        return self.timers[-1]

    def let_time_pass(self) -> None:
        for timer in self.timers:
            if not timer.is_cancelled:
                timer.callback()


class Transport:
    """A transport whose buffer is never written out: closing waits for ever."""

    def __init__(self) -> None:
        self.is_aborted = False

    def abort(self) -> None:
        self.is_aborted = True

    def is_closing(self) -> bool:
        return False

    def write(self, data: bytes) -> None: ...

    def close(self) -> None: ...

    def get_extra_info(self, name: str) -> None: ...


async def application(scope: Any, receive: Any, send: Any) -> None: ...


@pytest.fixture
def loop() -> Loop:
    return Loop()


@pytest.fixture
def socket(loop: Loop) -> BoundedSocket:
    config = uvicorn.Config(application, log_config=None)
    config.load()
    socket = BoundedSocket(
        config,
        ServerState(),
        {},
        cast(asyncio.AbstractEventLoop, loop),
        frames_per_second=1,
        frames_burst=1,
    )
    socket.connection_made(cast(asyncio.Transport, Transport()))
    return socket


def is_dropped(socket: BoundedSocket) -> bool:
    return cast(Transport, socket.transport).is_aborted


def test_who_takes_nothing_is_dropped(socket: BoundedSocket, loop: Loop) -> None:
    socket.pause_writing()
    assert not is_dropped(socket)
    loop.let_time_pass()
    assert is_dropped(socket)


def test_who_reads_again_in_time_stays(socket: BoundedSocket, loop: Loop) -> None:
    socket.pause_writing()
    socket.resume_writing()
    loop.let_time_pass()
    assert not is_dropped(socket)


async def test_who_does_not_take_the_last_word_is_dropped(socket: BoundedSocket, loop: Loop) -> None:
    task = asyncio.create_task(application(None, None, None))
    await task
    socket.on_task_complete(task)
    loop.let_time_pass()
    assert is_dropped(socket)


def test_who_answers_no_ping_is_dropped(socket: BoundedSocket) -> None:
    socket.keepalive_timeout()
    assert is_dropped(socket)
