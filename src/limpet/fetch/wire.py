"""One request on one pooled connection: written as the bytes it is, answered through the library's own parser.

The library's session prepares for redirects, cookies, proxies, traces and retries, none of which may happen
here: with it a request cost three times what it costs without. Pool, TLS, the guarded resolver and the reading
of answers stay the library's.
"""

from __future__ import annotations

import asyncio
import re
import ssl
from collections.abc import Mapping
from functools import lru_cache

import aiohttp
from aiohttp.connector import Connection
from aiohttp.streams import StreamReader
from msgspec import Struct
from yarl import URL

from limpet.fetch.frugal import FrugalConnector

_NO_TIMEOUT = aiohttp.ClientTimeout(total=None, sock_connect=None)
_KEEP_ALIVE_SECONDS = 30
_MOST_ORIGINS = 1_024
_WITHOUT_BODY = frozenset({"GET", "HEAD", "OPTIONS", "TRACE"})
# How a body is framed is said by who frames it.
_OURS_TO_SAY = frozenset({"host", "content-length", "transfer-encoding"})
_TOKEN = re.compile(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+")
_BREAKS_A_LINE = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")


class Reply(Struct, frozen=True):
    """The head of an answer, and its body still to come."""

    status: int
    headers: Mapping[str, str]  # looked up without regard to case
    content: StreamReader
    _connection: Connection

    @property
    def content_length(self) -> int | None:
        """The length the origin announces, if it does."""
        stated = self.headers.get("Content-Length")
        return int(stated) if stated is not None else None

    def release(self) -> None:
        """Give the connection back; it is used again when the body was read to its end."""
        self._connection.release()

    def close(self) -> None:
        """End the connection: what is still to come is not wanted."""
        self._connection.close()


class Wire:
    """Connections to every origin, kept open a while."""

    def __init__(self, resolver: aiohttp.abc.AbstractResolver, *, tls: ssl.SSLContext | None = None) -> None:
        self._tls = tls or True
        self._pool = FrugalConnector(
            resolver=resolver,
            limit=0,
            ttl_dns_cache=30,
            keepalive_timeout=_KEEP_ALIVE_SECONDS,
            ssl=self._tls,
        )
        self._dialling: dict[str, aiohttp.ClientRequest] = {}

    async def ask(self, method: str, url: str, headers: Mapping[str, str], body: bytes | None) -> Reply:
        """Send the request and return the head of the answer; raises what sockets and the library raise."""
        path_at = url.index("/", len("https://"))
        origin = url[:path_at]
        question = _head(method, origin, url[path_at:], headers, body) + (body or b"")
        dialling = self._dialling.get(origin) or self._to(origin)
        connection = await self._pool.connect(dialling, [], _NO_TIMEOUT)
        try:
            return await _converse(connection, question, is_head=method == "HEAD")
        except BaseException:
            connection.close()
            raise

    async def close(self) -> None:
        """Close every connection."""
        await self._pool.close()

    def _to(self, origin: str) -> aiohttp.ClientRequest:
        """What the pool must know to dial: the origin alone, the same for every request there."""
        if len(self._dialling) >= _MOST_ORIGINS:
            self._dialling.clear()
        url = URL(f"{origin}/", encoded=True)
        request = aiohttp.ClientRequest("GET", url, loop=asyncio.get_running_loop(), ssl=self._tls)
        self._dialling[origin] = request
        return request


async def _converse(connection: Connection, question: bytes, *, is_head: bool) -> Reply:
    protocol, transport = connection.protocol, connection.transport
    if protocol is None or transport is None or transport.is_closing():
        raise aiohttp.ClientConnectionResetError("Cannot write to closing transport")
    protocol.set_response_params(skip_payload=is_head, read_until_eof=True, auto_decompress=False)
    transport.write(question)
    while True:
        message, content = await protocol.read()
        if not 100 <= message.code < 200 or message.code == 101:
            return Reply(message.code, message.headers, content, connection)


def _head(method: str, origin: str, path: str, headers: Mapping[str, str], body: bytes | None) -> bytes:
    lines = [f"{method} {path} HTTP/1.1", f"Host: {origin.partition('://')[2]}"]
    lines += [_line(name, value) for name, value in headers.items() if name.lower() not in _OURS_TO_SAY]
    if body is not None or method not in _WITHOUT_BODY:
        lines.append(f"Content-Length: {len(body or b'')}")
    for line in lines[:2]:
        if _BREAKS_A_LINE.search(line) or line.count(" ") > 2:
            raise ValueError(f"{line!a} does not fit on one line of a request")
    return "\r\n".join([*lines, "", ""]).encode()


@lru_cache(maxsize=1_024)  # nearly all of them are said at every request
def _line(name: str, value: str) -> str:
    if not _TOKEN.fullmatch(name) or _BREAKS_A_LINE.search(value):
        raise ValueError(f"the header {name!a} does not fit on one line of a request")
    return f"{name}: {value}"
