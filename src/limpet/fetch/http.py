"""HTTP over sockets: one request under one deadline and two size caps. No policy lives here."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

import aiohttp
from yarl import URL

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
from limpet.fetch.frugal import FrugalConnector

_NO_TIMEOUT = aiohttp.ClientTimeout(total=None, sock_connect=None)
_KEEP_ALIVE_SECONDS = 30
_MANY_PIECES = 1_000
_BEGINNING_BYTES = 16 * 1024  # enough to tell a challenge page, or to show what came


OnReached = Callable[[], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class HttpRequest:
    """One request, ready to be sent."""

    method: str
    url: str
    headers: Mapping[str, str]
    data: bytes | None = None
    sink: Sink | None = None  # where the body of a good answer is poured


@dataclass(frozen=True, slots=True)
class Answer:
    """What the origin said, decoded and complete; of a body that was poured away, its beginning."""

    status: int
    headers: Mapping[str, str]  # looked up without regard to case
    body: bytes
    poured_bytes: int = 0

    @property
    def size(self) -> int:
        """How large the whole body is."""
        return self.poured_bytes or len(self.body)


@dataclass(frozen=True, slots=True)
class Limits:
    """How long and how large one request may get."""

    patience_seconds: float
    max_bytes: int


class HttpTransport:
    """A pool of connections. Redirects, cookies and decoding are never left to the library."""

    def __init__(self, resolver: aiohttp.abc.AbstractResolver, *, tls: ssl.SSLContext | None = None) -> None:
        self._resolver = resolver
        self._tls = tls
        self._session: aiohttp.ClientSession | None = None

    async def send(self, request: HttpRequest, *, limits: Limits, on_reached: OnReached) -> Answer:
        """Return the whole answer, or raise a FetchError once patience or a cap is spent.

        `on_reached` is awaited when the head of the answer is there: the origin has surely logged the request.
        """
        try:
            async with asyncio.timeout(limits.patience_seconds):
                return await self._exchange(request, limits, on_reached)
        except TimeoutError as exc:
            raise FetchTimeout(f"No complete answer within {limits.patience_seconds:g} s.") from exc
        except (aiohttp.ClientError, OSError, ValueError) as exc:
            raise _coded(exc) from exc

    async def _exchange(self, request: HttpRequest, limits: Limits, on_reached: OnReached) -> Answer:
        session = self._session or self._open()
        response = await session.request(
            request.method,
            URL(request.url, encoded=True),
            headers=request.headers,
            data=request.data,
            allow_redirects=False,
        )
        try:
            await on_reached()
            if request.sink is not None and response.status == HTTPStatus.OK:
                body, poured = await _pour(response, limits.max_bytes, request.sink)
            else:
                body, poured = await _read(response, limits.max_bytes), 0
        except BaseException:
            response.close()  # the rest of the body is not wanted: never drain it for reuse
            raise
        response.release()
        return Answer(response.status, response.headers, body, poured)

    def _open(self) -> aiohttp.ClientSession:
        connector = FrugalConnector(
            resolver=self._resolver,
            limit=0,
            ttl_dns_cache=30,
            keepalive_timeout=_KEEP_ALIVE_SECONDS,
            ssl=self._tls or True,
        )
        self._session = aiohttp.ClientSession(
            connector=connector,
            cookie_jar=aiohttp.DummyCookieJar(),
            timeout=_NO_TIMEOUT,
            auto_decompress=False,
            trust_env=False,
        )
        # The library would send a request again by itself when a connection breaks: past every gate of ours.
        self._session._retry_connection = False
        return self._session

    async def close(self) -> None:
        if self._session is not None:
            await self._session.close()
            self._session = None


async def _read(response: aiohttp.ClientResponse, most: int) -> bytes:
    length = _refuse_announced(response, most)
    decoder = decoder_for(response.headers.get("Content-Encoding", ""), most)
    if decoder is None and length is not None:
        return await response.read()  # exactly `length` bytes: bounded by what was just checked
    return await _read_in_pieces(response, decoder, most)


def _refuse_announced(response: aiohttp.ClientResponse, most: int) -> int | None:
    """Return the length the origin announces, if any; raise when it is over the cap before a byte is read."""
    length = response.content_length
    if length is not None and length > most:
        raise BodyTooLarge(f"The origin announces {length:,} bytes; the cap is {most:,}.")
    return length


async def _pour(response: aiohttp.ClientResponse, most: int, sink: Sink) -> tuple[bytes, int]:
    """Hand the body on as it comes, and return its beginning and its size; the caps hold as for any other."""
    _refuse_announced(response, most)
    decoder = decoder_for(response.headers.get("Content-Encoding", ""), most)
    beginning, received, poured = b"", 0, 0
    async for piece in response.content.iter_any():
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


async def _read_in_pieces(response: aiohttp.ClientResponse, decoder: Decoder | None, most: int) -> bytes:
    # Kept apart until the end: one buffer that grows and moves leaves more holes than it is large.
    received, plain = 0, list[bytes]()
    async for piece in response.content.iter_any():
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
    if isinstance(
        exc, aiohttp.ServerDisconnectedError | aiohttp.ClientPayloadError | aiohttp.ClientResponseError
    ):
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
    text = str(exc).strip().splitlines()
    return (text[0] if text else type(exc).__name__)[:200]
