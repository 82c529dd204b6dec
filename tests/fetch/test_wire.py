"""What leaves us, byte by byte, as an origin receives it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from limpet.fetch.policy.resolver import GuardedResolver
from limpet.fetch.wire import Wire

ANSWER = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"


class Origin:
    """Keeps every byte it is sent, and the connections it came by."""

    def __init__(self) -> None:
        self.heard: list[bytes] = []
        self.connections = 0
        self.url = ""

    async def talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        while heard := await reader.read(65_536):
            self.heard.append(heard)
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n" if heard[:4] == b"HEAD" else ANSWER)
        writer.close()


@pytest.fixture
async def origin() -> AsyncIterator[Origin]:
    origin = Origin()
    server = await asyncio.start_server(origin.talk, "127.0.0.1", 0)
    origin.url = f"http://shop.localhost:{server.sockets[0].getsockname()[1]}"
    yield origin
    server.close()


@pytest.fixture
async def wire() -> AsyncIterator[Wire]:
    wire = Wire(GuardedResolver(private_hosts=["shop.localhost"]))
    yield wire
    await wire.close()


async def test_a_request_says_what_it_was_given_and_frames_its_body_itself(wire, origin) -> None:
    given = {"User-Agent": "limpet", "host": "elsewhere.example", "content-length": "99"}

    reply = await wire.ask("POST", f"{origin.url}/a?b=c", given, b"d=e")
    await reply.content.read()
    reply.release()

    host = origin.url.removeprefix("http://").encode()
    head, _, body = origin.heard[0].partition(b"\r\n\r\n")
    expected = [b"POST /a?b=c HTTP/1.1", b"Host: " + host, b"User-Agent: limpet", b"Content-Length: 3"]
    assert head.split(b"\r\n") == expected
    assert body == b"d=e"


async def test_a_connection_serves_again_once_its_answer_was_read(wire, origin) -> None:
    for method in ("GET", "HEAD", "GET"):
        reply = await wire.ask(method, f"{origin.url}/", {}, None)
        assert (reply.status, reply.content_length) == (200, 2)
        await reply.content.read()
        reply.release()

    assert origin.connections == 1
    assert len(origin.heard) == 3


@pytest.mark.parametrize(
    ("method", "path", "headers"),
    [
        ("GET", "/a", {"Cookie": "a\r\nX-Smuggled: b"}),
        ("GET", "/a", {"Bad name": "b"}),
        ("GET", "/a", {"": "b"}),
        ("GET", "/a HTTP/1.1\r\nX-Smuggled: b", {}),
        ("GET", "/a b", {}),
        ("GET /x HTTP/1.1\r\n", "/a", {}),
    ],
)
async def test_what_would_be_another_line_or_another_request_is_not_sent(
    wire, origin, method: str, path: str, headers: dict[str, str]
) -> None:
    with pytest.raises(ValueError, match="one line"):
        await wire.ask(method, origin.url + path, headers, None)

    assert origin.connections == 0
