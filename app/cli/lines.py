"""JSON lines in, JSON lines out.

Every line gets exactly one line in answer, in order: one that is blank, no JSON or not UTF-8 gets an error.
Nothing but the end of the input stops the conversation. Source: PROTOCOL §1.1.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator
from typing import Any, NoReturn, Protocol, cast

_CHUNK_BYTES = 1 << 16


class Source(Protocol):
    """A binary stream; ``read1`` gives what is there and waits only if nothing is."""

    def read1(self, size: int, /) -> bytes: ...


class Target(Protocol):
    def write(self, data: bytes, /) -> int: ...

    def flush(self) -> None: ...


def answer_lines(
    answer: Callable[[object], dict[str, Any]],
    source: Source | None = None,
    target: Target | None = None,
) -> int:
    """Pass each line's value to ``answer`` and write what it returns; stdin and stdout unless given.

    Whatever has arrived is answered and flushed before more is waited for: fast for a file, prompt for a
    person.

    Returns:
        The exit status: 0, also when the reader at the other end has gone.
    """
    arrivals = _arrivals(source or cast(Source, sys.stdin.buffer))
    written = target or cast(Target, sys.stdout.buffer)
    try:
        for lines in arrivals:
            written.write(b"".join(_encoded(_answer_line(line, answer)) for line in lines))
            written.flush()
    except BrokenPipeError:
        if target is None:
            _discard_stdout()
    return 0


def _discard_stdout() -> None:
    """Let what is left unwritten go nowhere, or the interpreter fails over it while it exits."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)


def _arrivals(source: Source) -> Iterator[list[bytes]]:
    """Lines in batches as they arrive; a last line needs no end."""
    unfinished = b""
    while chunk := source.read1(_CHUNK_BYTES):
        *lines, unfinished = (unfinished + chunk).split(b"\n")
        yield lines
    if unfinished:
        yield [unfinished]


def _answer_line(line: bytes, answer: Callable[[object], dict[str, Any]]) -> dict[str, Any]:
    try:
        request = json.loads(line.decode("utf-8"), parse_constant=_no_constant)
    except (ValueError, RecursionError):  # not UTF-8, not JSON, or nested beyond reason
        return {"error": {"code": "bad_json", "message": "a line is one JSON value in UTF-8"}}
    return answer(request)


def _no_constant(name: str) -> NoReturn:
    raise ValueError(name)  # NaN and Infinity are Python's, not JSON's


def _encoded(answer: dict[str, Any]) -> bytes:
    # A lone surrogate from the request may be quoted in a message: written back as its JSON escape.
    return json.dumps(answer, ensure_ascii=False).encode("utf-8", "backslashreplace") + b"\n"
