"""The transport alone, against an origin that writes exactly what the test says."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable

import pytest

from limpet.errors import BadResponse, BodyTooLarge, ConnectionFailed, FetchError
from limpet.fetch.http import Answer, HttpRequest, HttpTransport, Limits
from limpet.fetch.policy.resolver import GuardedResolver

MEBIBYTE = 1024 * 1024
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
Say = Callable[[asyncio.StreamWriter], Awaitable[None]]


class Origin:
    """Answers every request with the same words, and counts how often it was asked."""

    def __init__(self) -> None:
        self.asked = 0
        self.port = 0
        self.says: Say

    async def talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while await reader.readuntil(b"\r\n\r\n"):
                self.asked += 1
                await self.says(writer)
                await writer.drain()
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()


@pytest.fixture
async def origin() -> AsyncIterator[Origin]:
    origin = Origin()
    server = await asyncio.start_server(origin.talk, "127.0.0.1", 0)
    origin.port = server.sockets[0].getsockname()[1]
    yield origin
    server.close()


@pytest.fixture
async def transport() -> AsyncIterator[HttpTransport]:
    transport = HttpTransport(GuardedResolver(private_hosts=["shop.localhost"]))
    yield transport
    await transport.close()


async def ask(transport: HttpTransport, origin: Origin, *, max_bytes: int = 10 * MEBIBYTE) -> Answer:
    async def reached() -> None:
        return None

    request = HttpRequest("GET", f"http://shop.localhost:{origin.port}/", {})
    return await transport.send(request, limits=Limits(20, max_bytes), on_reached=reached)


async def again_and_again(writer: asyncio.StreamWriter, piece: bytes) -> None:
    while True:
        writer.write(piece)
        await writer.drain()


async def test_a_request_that_broke_is_not_sent_again_behind_our_back(transport, origin) -> None:
    async def hang_up(writer: asyncio.StreamWriter) -> None:
        raise ConnectionResetError

    origin.says = hang_up

    with pytest.raises(FetchError) as failure:
        await ask(transport, origin)

    assert isinstance(failure.value, BadResponse | ConnectionFailed)
    assert origin.asked == 1


@pytest.mark.parametrize(
    ("opening", "wrapping"),
    [
        (b"", b"HTTP/1.1 100 Continue\r\n\r\n" * 1000),
        (b"", b"HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\n" * 1000),
        (HEAD + b"Transfer-Encoding: chunked\r\n\r\n", b"1\r\na\r\n" * 10_000),
        (HEAD + b"Transfer-Encoding: chunked\r\n\r\n", (b"4;" + b"x" * 200 + b"\r\nabcd\r\n") * 1000),
    ],
    ids=["interim answers", "early hints", "chunks of one byte", "chunk extensions"],
)
async def test_an_origin_that_sends_wrapping_without_end_is_left(
    transport, origin, opening, wrapping
) -> None:
    async def wrap(writer: asyncio.StreamWriter) -> None:
        writer.write(opening)
        await again_and_again(writer, wrapping)

    origin.says = wrap

    with pytest.raises(BadResponse, match="wrapping"):
        await ask(transport, origin)


async def test_a_large_page_in_chunks_is_read_to_its_end_on_a_connection_used_again(
    transport, origin
) -> None:
    piece = b"%x\r\n" % 50 + b"p" * 50 + b"\r\n"

    async def page(writer: asyncio.StreamWriter) -> None:
        writer.write(HEAD + b"Transfer-Encoding: chunked\r\n\r\n")
        for _ in range(60):
            writer.write(piece * 1000)
            await writer.drain()
        writer.write(b"0\r\n\r\n")

    origin.says = page

    bodies = [(await ask(transport, origin)).body for _ in range(2)]

    assert [len(body) for body in bodies] == [3_000_000, 3_000_000]


@pytest.mark.parametrize("length", [b"", b"Content-Length: 9000000\r\n"])
async def test_a_body_of_many_mebibytes_is_content_not_wrapping(transport, origin, length) -> None:
    async def page(writer: asyncio.StreamWriter) -> None:
        writer.write(HEAD + length + b"\r\n")
        for _ in range(90):
            writer.write(b"p" * 100_000)
            await writer.drain()
        if not length:
            writer.close()

    origin.says = page

    answer = await ask(transport, origin)

    assert len(answer.body) == 9_000_000


async def test_a_body_that_comes_in_many_small_pieces_is_put_together(transport, origin) -> None:
    async def page(writer: asyncio.StreamWriter) -> None:
        writer.write(HEAD + b"\r\n")
        for number in range(3_000):
            writer.write(b"%04d" % number)
            await writer.drain()
            await asyncio.sleep(0)
        writer.close()

    origin.says = page

    answer = await ask(transport, origin)

    assert answer.body == b"".join(b"%04d" % number for number in range(3_000))


async def test_a_body_without_end_stops_at_the_cap(transport, origin) -> None:
    async def page(writer: asyncio.StreamWriter) -> None:
        writer.write(HEAD + b"\r\n")
        await again_and_again(writer, b"p" * 100_000)

    origin.says = page

    with pytest.raises(BodyTooLarge):
        await ask(transport, origin, max_bytes=MEBIBYTE)
