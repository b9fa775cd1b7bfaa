"""The files of ``archive``: made durable line by line, and mended where a run was killed at it."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

NAME = "rounds-{}.jsonl"  # with when it was begun, epoch ms
_BLOCK_BYTES = 1 << 16


@contextmanager
def new_file(path: Path) -> Iterator[BinaryIO]:
    """A file that is not there yet; while it is open nobody mends it.

    Raises:
        FileExistsError: it is there.
    """
    with path.open("xb") as file:
        _is_ours(file, wait=True)
        yield file


def make_durable(file: BinaryIO, directory: Path) -> None:
    file.flush()
    os.fsync(file.fileno())
    entry = os.open(directory, os.O_RDONLY)
    os.fsync(entry)
    os.close(entry)


def mend(directory: Path) -> None:
    """Cut off last lines that have no end: they were never durable, so their rounds are where they were."""
    for path in sorted(directory.glob(NAME.format("*"))):
        if _is_torn(path):
            with path.open("r+b") as file:
                if _is_ours(file, wait=False):
                    file.truncate(_end_of_lines(file))
                    make_durable(file, directory)
                    print(f"{path}: a last line without its end is cut off", file=sys.stderr)


def _is_torn(path: Path) -> bool:
    with path.open("rb") as file:
        return _end_of_lines(file) < file.seek(0, os.SEEK_END)


def _end_of_lines(file: BinaryIO) -> int:
    """Behind the last line's end, in bytes from the beginning."""
    end = file.seek(0, os.SEEK_END)
    while end:
        begin = max(0, end - _BLOCK_BYTES)
        file.seek(begin)
        newline = file.read(end - begin).rfind(b"\n")
        if newline >= 0:
            return begin + newline + 1
        end = begin
    return 0


def _is_ours(file: BinaryIO, *, wait: bool) -> bool:
    """Whether no other run of ``archive`` has it open to write; then none has until it is closed."""
    if sys.platform == "win32":
        return True
    import fcntl

    try:
        fcntl.flock(file, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
    except BlockingIOError:
        return False
    return True
