"""Everything a stranger can send to a socket: a documented answer or close code, and nothing has changed.

Source: PROTOCOL §3, §3.3, §3.8, §3.10, §3.11.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Any

import pytest
from websockets import frames
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus
from websockets.typing import Origin, Subprotocol

from app.client.table import TableClient
from tests.integration.serving import Guest, Site, serving

ERMA = [Subprotocol("erma.v1")]


@dataclass
class Seated:
    """Two guests at a private table; nobody is connected yet."""

    site: Site
    mei: Guest
    rain: Guest
    room_id: str
    invite: str | None

    @property
    def url(self) -> str:
        return f"{self.site.ws}/ws/rooms/{self.room_id}"


@pytest.fixture
async def seated(database_url: str) -> AsyncIterator[Seated]:
    async with AsyncExitStack() as stack:
        site = await stack.enter_async_context(serving(database_url))
        mei = await stack.enter_async_context(site.guest("阿梅"))
        rain = await stack.enter_async_context(site.guest("聽雨"))
        room_id, invite = await mei.open_room()
        await rain.join(room_id, invite)
        yield Seated(site, mei, rain, room_id, invite)


async def close_code(url: str, *frames: str, protocols: Sequence[Subprotocol] = ERMA) -> int:
    """Connect, send, and wait until the server closes."""
    async with connect(url, subprotocols=protocols, compression=None) as socket:
        for frame in frames:
            await socket.send(frame)
        await socket.wait_closed()
        assert socket.close_code is not None
        return socket.close_code


def hello(ticket: str) -> str:
    return json.dumps({"m": "hello", "ticket": ticket})


# --- at the door -------------------------------------------------------------------------------------------


async def test_a_foreign_origin_is_refused_before_accept(seated: Seated) -> None:
    with pytest.raises(InvalidStatus) as refused:
        async with connect(seated.url, subprotocols=ERMA, origin=Origin("https://evil.example")):
            pass
    assert refused.value.response.status_code == 403


async def test_the_own_origin_is_let_in(seated: Seated) -> None:
    table = await seated.mei.table(seated.room_id, origin=seated.site.http)
    async with table:
        await table.until(lambda: table.view is not None)


async def test_another_protocol(seated: Seated) -> None:
    assert await close_code(seated.url, protocols=[Subprotocol("erma.v0")]) == 4426


async def test_a_ticket_works_once(seated: Seated) -> None:
    ticket = await seated.mei.ticket(seated.room_id)
    async with TableClient(seated.url, ticket) as table:
        await table.until(lambda: table.view is not None)
        assert await close_code(seated.url, hello(ticket)) == 4401


@pytest.mark.parametrize("ticket", ["", "x", "0" * 128])
async def test_a_ticket_nobody_was_given(seated: Seated, ticket: str) -> None:
    assert await close_code(seated.url, hello(ticket)) == 4401


async def test_a_ticket_for_another_room(seated: Seated) -> None:
    ticket = await seated.mei.ticket(seated.room_id)
    assert await close_code(f"{seated.site.ws}/ws/rooms/another", hello(ticket)) == 4401


async def test_a_room_that_ended_between_ticket_and_hello(seated: Seated) -> None:
    ticket = await seated.mei.ticket(seated.room_id)
    for guest in (seated.rain, seated.mei):
        table = await guest.table(seated.room_id)
        async with table:
            await table.until(lambda table=table: table.view is not None)  # type: ignore[misc]  # on purpose
            assert (await table.request({"m": "leave"}))["m"] == "ack"
    assert await close_code(seated.url, hello(ticket)) == 4404


async def test_who_left_the_seat_is_not_let_in_again(seated: Seated) -> None:
    ticket = await seated.mei.ticket(seated.room_id)
    table = await seated.mei.table(seated.room_id)
    async with table:
        await table.until(lambda: table.view is not None)
        await table.request({"m": "leave"})
    assert await close_code(seated.url, hello(ticket)) == 4403


async def test_no_ticket_for_somebody_elses_table(seated: Seated) -> None:
    async with seated.site.guest("路人") as stranger:
        answer = await stranger.http.post(
            "/api/ws-tickets", json={"room_id": seated.room_id, "purpose": "play"}
        )
        assert answer.status_code == 403
        assert answer.json()["code"] == "not_seated"


async def test_a_taken_seat(seated: Seated) -> None:
    async with seated.site.guest("路人") as stranger:
        path = f"/api/rooms/{seated.room_id}/join"
        answer = await stranger.http.post(path, json={"invite": seated.invite})
        assert (answer.status_code, answer.json()["code"]) == (409, "room_full")
        uninvited = await stranger.http.post(path, json={"invite": "WRONGONE"})
        assert uninvited.status_code == 403


async def test_a_socket_that_says_nothing(database_url: str) -> None:
    async with serving(database_url, hello_seconds=0.05) as site:
        assert await close_code(f"{site.ws}/ws/rooms/any") == 4401


@pytest.mark.parametrize(
    "first",
    [
        "",
        "nonsense",
        "[]",
        '{"m":"act","id":"1","dp":1,"o":"ok"}',
        '{"m":"hello"}',
        '{"m":"hello","ticket":7}',
    ],
)
async def test_a_first_frame_that_is_no_hello(seated: Seated, first: str) -> None:
    assert await close_code(seated.url, first) == 4400


async def test_too_many_sockets(seated: Seated) -> None:
    async with AsyncExitStack() as stack:
        for _ in range(32):
            await stack.enter_async_context(connect(seated.url, subprotocols=ERMA, compression=None))
        with pytest.raises(InvalidStatus) as refused:
            async with connect(seated.url, subprotocols=ERMA):
                pass
        assert refused.value.response.status_code == 429


async def test_an_ipv6_network_is_one_address(database_url: str) -> None:
    """Whoever has a /64 has as many addresses as he likes, and the sockets of one."""

    def knock(host: str) -> connect:
        headers = {"X-Forwarded-For": host}
        return connect(url, subprotocols=ERMA, compression=None, additional_headers=headers)

    async with serving(database_url, trusted_proxies=["127.0.0.1"]) as site, AsyncExitStack() as stack:
        url = f"{site.ws}/ws/rooms/none"
        for number in range(32):
            await stack.enter_async_context(knock(f"2001:db8::{number:x}"))
        with pytest.raises(InvalidStatus) as refused:
            await stack.enter_async_context(knock("2001:db8::ffff"))
        assert refused.value.response.status_code == 429
        await stack.enter_async_context(knock("2001:db8:0:1::1"))


# --- inside ------------------------------------------------------------------------------------------------

BAD_FRAMES: list[tuple[str | bytes, str]] = [
    ("nonsense", "bad_frame"),
    ("[1,2]", "bad_frame"),
    ('"text"', "bad_frame"),
    ("null", "bad_frame"),
    ("", "bad_frame"),
    ("[" * 2_000, "bad_frame"),
    ('{"a":' * 600 + "1" + "}" * 600, "bad_schema"),
    (b"\x00\xff", "bad_frame"),
    (b'{"m":"sync"}', "bad_frame"),
    ("{}", "bad_schema"),
    ('{"m":"unknown"}', "bad_schema"),
    ('{"m":7}', "bad_schema"),
    ('{"m":"act"}', "bad_schema"),
    ('{"m":"act","id":"1","dp":1,"o":"ok","tile":"5m"}', "bad_schema"),
    ('{"m":"act","id":1,"dp":1,"o":"ok"}', "bad_schema"),
    ('{"m":"act","id":"","dp":1,"o":"ok"}', "bad_schema"),
    ('{"m":"act","id":"1","dp":"1","o":"ok"}', "bad_schema"),
    ('{"m":"act","id":"1","dp":1.5,"o":"ok"}', "bad_schema"),
    ('{"m":"act","id":"1","dp":-1,"o":"ok"}', "bad_schema"),
    ('{"m":"act","id":"1","dp":1e400,"o":"ok"}', "bad_frame"),
    ('{"m":"act","id":"1","dp":true,"o":"ok"}', "bad_schema"),
    ('{"m":"act","id":"1","dp":1,"o":["ok"]}', "bad_schema"),
    ('{"m":"act","id":"1","dp":1,"o":"ok","entropy":"zz"}', "bad_schema"),
    ('{"m":"act","id":"1","dp":1,"o":"ok","entropy":"' + "AB" * 32 + '"}', "bad_schema"),
    ('{"m":"auto","id":"1","on":1}', "bad_schema"),
    ('{"m":"leave","id":"1","force":"yes"}', "bad_schema"),
    ('{"m":"say","phrase":"<script>"}', "bad_schema"),
    ('{"m":"hello","ticket":"again"}', "bad_schema"),
    ('{"m":"ping","n":1,"t":"now"}', "bad_schema"),
    ('{"m":"ping","n":1,"t":true}', "bad_schema"),
    ('{"m":"ping","n":1,"t":18446744073709551616}', "bad_schema"),
    ('{"m":"ping","n":1,"t":-9007199254740993}', "bad_schema"),
    ('{"m":"ping","n":1,"t":' + "9" * 4_000 + "}", "bad_schema"),
    ('{"m":"ping","n":1,"t":1e300}', "bad_schema"),
    ('{"m":"ping","n":9007199254740993,"t":0}', "bad_schema"),
    ('{"m":"act","id":"\\u0000","dp":1,"o":"ok"}', "bad_schema"),
    ('{"m":"act","id":"a\\nb","dp":1,"o":"ok"}', "bad_schema"),
    ('{"m":"act","id":"ab\\n","dp":1,"o":"ok"}', "bad_schema"),
    ('{"m":"act","id":"\\ud800","dp":1,"o":"ok"}', "bad_frame"),
]


@pytest.fixture
async def table(seated: Seated) -> AsyncIterator[TableClient]:
    table = await seated.mei.table(seated.room_id)
    async with table:
        await table.until(lambda: table.question is not None)
        yield table


async def error_after(table: TableClient, frame: str | bytes) -> dict[str, Any]:
    await table.socket.send(frame)
    while True:
        answer = await table.receive()
        if answer["m"] == "err":
            return answer


async def test_every_malformed_frame_gets_its_answer_and_the_game_goes_on(table: TableClient) -> None:
    view, seq = table.view, table.seq
    for frame, code in BAD_FRAMES:
        assert (await error_after(table, frame))["code"] == code, frame
        await table.send({"m": "ping", "n": 1, "t": 0})  # a good frame: five bad ones in a row would close
        await table.until(lambda: True)
    await table.send({"m": "sync"})
    while (await table.receive())["m"] != "snap":
        pass
    assert (table.view, table.seq) == (view, seq)


async def test_five_bad_frames_in_a_row_close(table: TableClient) -> None:
    for _ in range(5):
        await table.socket.send("nonsense")
    assert await table.until_closed() == 4400


async def test_an_oversized_frame_closes(table: TableClient) -> None:
    await table.socket.send(json.dumps({"m": "ping", "n": 1, "t": 0, "pad": "x" * 5_000}))
    assert await table.until_closed() == 1009


async def test_a_flood_is_slowed_then_closed(table: TableClient) -> None:
    for number in range(200):
        await table.send({"m": "ping", "n": number, "t": 0})
    assert (await error_after(table, ""))["code"] == "rate_limited"
    assert await table.until_closed() == 4429


async def test_frames_of_every_kind_have_a_bound(seated: Seated) -> None:
    for opcode in (frames.Opcode.PING, frames.Opcode.PONG, frames.Opcode.CONT, frames.Opcode.TEXT):
        async with handshake(seated) as (reader, writer):
            await reader.readuntil(b"\r\n\r\n")  # it is a WebSocket now
            if opcode is frames.Opcode.CONT:
                writer.write(wire(frames.Opcode.TEXT, b"", is_last=False))
            writer.write(wire(opcode, b"", is_last=opcode is not frames.Opcode.CONT) * 20_000)
            assert await is_closed(reader), opcode


async def test_a_handshake_that_cannot_be_read_is_not_left_standing(seated: Seated) -> None:
    for headers in ("X: " + "a" * 20_000, "\r\n".join(["X: a"] * 300), "Content-Length: 5"):
        async with handshake(seated, headers) as (reader, _):
            assert await is_closed(reader), headers[:20]


async def test_a_text_that_is_none_ends_the_socket_and_fills_no_log(
    seated: Seated, caplog: pytest.LogCaptureFixture
) -> None:
    texts = {
        b"": wire(frames.Opcode.TEXT, b'{"m":"ping","n":"\xff"}', is_last=True),
        b"in two": wire(frames.Opcode.TEXT, b"\xe4\xba", is_last=False)
        + wire(frames.Opcode.CONT, b"\xe4", is_last=True),
    }
    for name, text in texts.items():
        async with handshake(seated) as (reader, writer):
            await reader.readuntil(b"\r\n\r\n")
            writer.write(text)
            closed = await asyncio.wait_for(reader.read(), 4)
            assert (1007).to_bytes(2, "big") in closed, name
    assert [record for record in caplog.records if record.exc_info] == []


@asynccontextmanager
async def handshake(
    seated: Seated, headers: str = "X: a"
) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    """A socket whose every byte is the test's own, with the request for an upgrade sent."""
    host, _, port = seated.site.http.removeprefix("http://").partition(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    lines = (
        f"GET /ws/rooms/{seated.room_id} HTTP/1.1",
        f"Host: {host}:{port}",
        "Upgrade: websocket",
        "Connection: Upgrade",
        "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
        "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Protocol: erma.v1",
        headers,
    )
    writer.write(("\r\n".join(lines) + "\r\n\r\n").encode())
    try:
        yield reader, writer
    finally:
        writer.transport.abort()
        with suppress(OSError):
            await writer.wait_closed()


def wire(opcode: frames.Opcode, data: bytes, *, is_last: bool) -> bytes:
    return frames.Frame(opcode, data, fin=is_last).serialize(mask=True)


async def is_closed(reader: asyncio.StreamReader) -> bool:
    """Whether the server ends it, politely or not."""
    with suppress(ConnectionResetError):
        await asyncio.wait_for(reader.read(), 4)
    return True


async def test_a_second_window_takes_the_seat_over(seated: Seated, table: TableClient) -> None:
    newer = await seated.mei.table(seated.room_id)
    async with newer:
        await newer.until(lambda: newer.question is not None)
        assert await table.until_closed() == 4409
        assert newer.question is not None
        assert table.question is not None
        assert newer.question["dp"] == table.question["dp"]


async def test_acts_that_answer_nothing_open(table: TableClient) -> None:
    view, seq = table.view, table.seq
    question = table.question
    assert question is not None
    dp = question["dp"]
    for frame, code in (
        ({"m": "act", "dp": dp + 1, "o": "ok"}, "not_your_decision"),
        ({"m": "act", "dp": 0, "o": "ok"}, "not_your_decision"),
        ({"m": "act", "dp": dp, "o": "d1m"}, "option_unknown"),
        ({"m": "act", "dp": dp, "o": ""}, "option_unknown"),
    ):
        assert (await table.request(frame))["code"] == code
    assert (table.view, table.seq) == (view, seq)
    assert (await table.act("ok", action_id="same"))["m"] == "ack"
    again = await table.request({"m": "act", "dp": dp, "o": "ok"}, "same")
    assert (again["m"], again["dup"]) == ("ack", True)
    other = await table.request({"m": "act", "dp": dp, "o": "no"}, "same")
    assert other["code"] == "id_conflict"
    late = await table.request({"m": "act", "dp": dp, "o": "ok"}, "new")
    assert late["code"] == "stale"
