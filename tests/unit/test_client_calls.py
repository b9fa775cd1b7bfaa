"""A client's HTTP calls to a server that may go away at any byte."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from app.client.load import Api

BODY = b'{"user":{"id":"ann"},"token":"t"}'
WHOLE = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: %d\r\n\r\n" % len(BODY) + BODY


@contextmanager
def answering(answer: bytes) -> Iterator[str]:
    """A server that says this much to whoever asks first, and is gone."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            connection, _ = server.accept()
            with connection:
                asked = b""
                while not asked.endswith(b"}"):  # else what is unread makes the end a reset
                    more = connection.recv(65_536)
                    assert more
                    asked += more
                connection.sendall(answer)

        thread = threading.Thread(target=serve)
        thread.start()
        yield f"http://127.0.0.1:{server.getsockname()[1]}"
        thread.join()


def test_a_whole_answer_is_taken() -> None:
    with answering(WHOLE) as url:
        assert Api(url, "ann").user_id == "ann"


@pytest.mark.parametrize("said", range(len(WHOLE)))
def test_a_server_that_goes_in_the_middle_of_an_answer_is_gone(said: int) -> None:
    with answering(WHOLE[:said]) as url, pytest.raises(OSError):  # noqa: PT011 - whatever its kind
        Api(url, "ann")
