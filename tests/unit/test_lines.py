"""JSON lines of ``score`` and ``waits``. Source: PROTOCOL §1, §1.1."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from typing import Any

import pytest

from app.cli.lines import answer_lines
from app.cli.registry import main
from app.engine.scoring.wire import answer_score

HAND = b'{"ruleset":"classic64","hand":"1112345678999m","win_tile":"9m","self_drawn":true}'


class Chunks(io.BytesIO):
    """A stream that gives a few bytes at a time, as pipes do."""

    def read1(self, size: int | None = -1, /) -> bytes:
        return super().read1(3)


def answers(text: bytes, source: type[io.BytesIO] = io.BytesIO) -> list[dict[str, Any]]:
    target = io.BytesIO()
    assert answer_lines(answer_score, source(text), target) == 0
    written = target.getvalue()
    assert not written or written.endswith(b"\n")
    return [json.loads(line) for line in written.splitlines()]


def codes(text: bytes) -> list[str | None]:
    return [answer["error"]["code"] if "error" in answer else None for answer in answers(text)]


@pytest.mark.parametrize("source", [io.BytesIO, Chunks])
def test_a_line_for_a_line(source: type[io.BytesIO]) -> None:
    found = answers(HAND + b"\nnonsense\r\n" + HAND, source)
    assert [answer.get("total") for answer in found] == [107, None, 107]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (b"", []),
        (HAND, [None]),
        (HAND + b"\n", [None]),
        (b"\n", ["bad_json"]),
        (b"  \n" + HAND, ["bad_json", None]),
        (HAND + b"\n\n", [None, "bad_json"]),
        (HAND + b"\n\xff\xfe", [None, "bad_json"]),
        (b"\xff\n" + HAND, ["bad_json", None]),
        (b"{", ["bad_json"]),
        (b"[" * 100_000, ["bad_json"]),
        (b"NaN", ["bad_json"]),
        (b"1" * 10_000, ["bad_json"]),
        (b"null\n1\n[]\n" + HAND, ["bad_request", "bad_request", "bad_request", None]),
        (HAND.replace(b"classic64", b"\\ud800"), ["unknown_ruleset"]),
        (b"\xef\xbb\xbf" + HAND, ["bad_json"]),
        (HAND.decode().encode("utf-16"), ["bad_json"]),
    ],
)
def test_bad_lines_get_error_lines(text: bytes, expected: list[str | None]) -> None:
    assert codes(text) == expected


def test_names_are_written_as_they_are() -> None:
    target = io.BytesIO()
    answer_lines(answer_score, io.BytesIO(HAND), target)
    assert "九蓮寶燈" in target.getvalue().decode("utf-8")


def test_a_reader_that_leaves_is_no_error() -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "app", "score"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdin
        assert process.stdout
        assert process.stderr
        process.stdout.close()
        process.stdin.write(HAND + b"\n")
        process.stdin.close()
        assert process.stderr.read() == b""
    assert process.returncode == 0


def test_a_command_answers_at_once_and_imports_little() -> None:
    """Each line is answered before the next is sent; the server's libraries stay away."""
    code = (
        "import sys; from app.cli.registry import main; status = main(['score']);"
        "print(sorted({'fastapi', 'sqlalchemy', 'pydantic'} & set(sys.modules))); sys.exit(status)"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdin
        assert process.stdout
        for _ in range(2):
            process.stdin.write(HAND + b"\n")
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["total"] == 107
        rest, _ = process.communicate()
        assert rest.strip() == b"[]"
    assert process.returncode == 0


def test_waits_command() -> None:
    line = b'{"ruleset":"classic64","hand":"77789m77z11z"}\n{"ruleset":"classic64","hand":"5m","melds":[]}\n'
    process = subprocess.run(
        [sys.executable, "-m", "app", "waits"], input=line, capture_output=True, check=True
    )
    first, second = (json.loads(answer) for answer in process.stdout.splitlines())
    assert first["error"]["code"] == second["error"]["code"] == "wrong_count"


def test_unknown_commands_are_refused() -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["conjure"])
    assert stopped.value.code == 2
