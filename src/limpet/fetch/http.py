"""HTTP over sockets: one request under one deadline and two size caps. No policy lives here."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Awaitable, Callable, Mapping
from http import HTTPStatus
from typing import Any

import aiohttp
from aiohttp.http_exceptions import HttpProcessingError
from msgspec import Struct

from limpet.errors import (
    AddressForbidden,
    BadResponse,
    BodyTooLarge,
    ConnectionFailed,
    FetchError,
    FetchTimeout,
)
from limpet.fetch.decode import Decoder, decoder_for
from limpet.fetch.filing import Sink
from limpet.fetch.wire import Reply, Wire

_MANY_PIECES = 1_000
_BEGINNING_BYTES = 16 * 1024  # enough to tell a challenge page, or to show what came


OnReached = Callable[[], Awaitable[None]]


class HttpRequest(Struct, frozen=True):
    """One request, ready to be sent."""

    method: str
    url: str
    headers: Mapping[str, str]
    data: bytes | None = None
    sink: Sink | None = None  # where the body of a good answer is poured


class Answer(Struct, frozen=True):
    """What the origin said, decoded and complete; of a body that was poured away, its beginning."""

    status: int
    headers: Mapping[str, str]  # looked up without regard to case
    body: bytes
    poured_bytes: int = 0

    @property
    def size(self) -> int:
        """How large the whole body is."""
        return self.poured_bytes or len(self.body)


class Limits(Struct, frozen=True):
    """How long and how large one request may get."""

    patience_seconds: float
    max_bytes: int


class HttpTransport:
    """A pool of connections. Redirects, cookies and decoding are never left to the library."""

    def __init__(self, resolver: aiohttp.abc.AbstractResolver, *, tls: ssl.SSLContext | None = None) -> None:
        self._resolver = resolver
        self._tls = tls
        self._wire: Wire | None = None  # opened by the first request, inside the loop that sends it

    async def send(self, request: HttpRequest, *, limits: Limits, on_reached: OnReached) -> Answer:
        """Return the whole answer, or raise a FetchError once patience or a cap is spent.

        `on_reached` is awaited when the head of the answer is there: the origin has surely logged the request.
        """
        try:
            async with asyncio.timeout(limits.patience_seconds):
                return await self._exchange(request, limits, on_reached)
        except TimeoutError as exc:
            raise FetchTimeout(f"No complete answer within {limits.patience_seconds:g} s.") from exc
        except (aiohttp.ClientError, HttpProcessingError, OSError, ValueError) as exc:
            raise _coded(exc) from exc

    async def _exchange(self, request: HttpRequest, limits: Limits, on_reached: OnReached) -> Answer:
        wire = self._wire = self._wire or Wire(self._resolver, tls=self._tls)
        reply = await wire.ask(request.method, request.url, request.headers, request.data)
        try:
            await on_reached()
            if request.sink is not None and reply.status == HTTPStatus.OK:
                body, poured = await _pour(reply, limits.max_bytes, request.sink)
            else:
                body, poured = await _read(reply, limits.max_bytes), 0
        except BaseException:
            reply.close()  # the rest of the body is not wanted: never drain it for reuse
            raise
        reply.release()
        return Answer(reply.status, reply.headers, body, poured)

    async def close(self) -> None:
        if self._wire is not None:
            await self._wire.close()
            self._wire = None


async def _read(reply: Reply, most: int) -> bytes:
    length = _refuse_announced(reply, most)
    decoder = decoder_for(reply.headers.get("Content-Encoding", ""), most)
    if decoder is None and length is not None:
        return await reply.content.read()  # exactly `length` bytes: bounded by what was just checked
    return await _read_in_pieces(reply, decoder, most)


def _refuse_announced(reply: Reply, most: int) -> int | None:
    """Return the length the origin announces, if any; raise when it is over the cap before a byte is read."""
    length = reply.content_length
    if length is not None and length > most:
        raise BodyTooLarge(f"The origin announces {length:,} bytes; the cap is {most:,}.")
    return length


async def _pour(reply: Reply, most: int, sink: Sink) -> tuple[bytes, int]:
    """Hand the body on as it comes, and return its beginning and its size; the caps hold as for any other."""
    _refuse_announced(reply, most)
    decoder = decoder_for(reply.headers.get("Content-Encoding", ""), most)
    beginning, received, poured = b"", 0, 0
    async for piece in reply.content.iter_any():
        received += len(piece)
        if received > most:
            raise BodyTooLarge(f"The body passes the cap of {most:,} bytes.")
        plain = decoder.feed(piece) if decoder else piece
        sink.write(plain)
        poured += len(plain)
        beginning += plain[: _BEGINNING_BYTES - len(beginning)]
    if decoder and received:
        decoder.finish()
    return beginning, poured


async def _read_in_pieces(reply: Reply, decoder: Decoder | None, most: int) -> bytes:
    # Kept apart until the end: one buffer that grows and moves leaves more holes than it is large.
    received, plain = 0, list[bytes]()
    async for piece in reply.content.iter_any():
        received += len(piece)
        if received > most:
            raise BodyTooLarge(f"The body passes the cap of {most:,} bytes.")
        plain.append(decoder.feed(piece) if decoder else piece)
        if len(plain) > _MANY_PIECES:  # a body that comes byte by byte must not become a list of bytes
            plain = [b"".join(plain)]
    if decoder and received:
        decoder.finish()
    return b"".join(plain)


def _coded(exc: Exception) -> FetchError:
    forbidden = _forbidden_behind(exc)
    if forbidden is not None:
        return AddressForbidden(str(forbidden), fix=forbidden.fix)
    if isinstance(exc, aiohttp.ServerDisconnectedError | aiohttp.ClientPayloadError | HttpProcessingError):
        return BadResponse(f"The answer is broken: {_brief(exc)}.")
    if isinstance(exc, ValueError) and not isinstance(exc, OSError):
        return BadResponse(f"The answer is not HTTP: {_brief(exc)}.")
    return ConnectionFailed(f"The connection failed: {_brief(exc)}.")


def _forbidden_behind(exc: BaseException) -> AddressForbidden | None:
    """The resolver's refusal travels inside the library's own errors; find it wherever it was wrapped."""
    seen: set[int] = set()
    queue: list[Any] = [exc]
    while queue:
        link = queue.pop()
        if isinstance(link, AddressForbidden):
            return link
        if isinstance(link, BaseException) and id(link) not in seen:
            seen.add(id(link))
            queue += [link.__cause__, link.__context__, getattr(link, "os_error", None), *link.args]
    return None


def _brief(exc: Exception) -> str:
    said = exc.message if isinstance(exc, HttpProcessingError) else str(exc)
    text = said.strip().splitlines()
    return (text[0] if text else type(exc).__name__)[:200]
