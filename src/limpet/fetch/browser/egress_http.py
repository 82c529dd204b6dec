"""One connection of Chromium's, spoken with h11: read a request, have it forwarded, hand back the answer."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol
from urllib.parse import urldefrag, urlsplit

import h11

from limpet.fetch.browser.answer import Answer
from limpet.fetch.browser.egress_headers import headers_to_forward, headers_to_return

# Cookies of a chatty site pass; a request line without end does not.
_LONGEST_HEAD = 256 * 1024
_DEFAULT_PORTS = {"http": 80, "https": 443}
_MAY_CARRY_NO_BODY = (204, 304)


class Channel(Protocol):
    """Bytes to and from Chromium."""

    async def receive(self) -> bytes: ...
    async def send(self, data: bytes) -> None: ...


@dataclass(frozen=True, slots=True)
class Asked:
    """One request as Chromium made it."""

    method: str
    url: str
    headers: dict[str, str]
    body: bytes
    wants_websocket: bool = False
    is_too_large: bool = False


class HungUp(Exception):
    """Chromium closed the connection while its request was on the way."""


class Conversation:
    """The requests of one connection, in order. Inside a tunnel, `origin` says whom they are for."""

    def __init__(self, channel: Channel, *, origin: str | None = None, max_body: Callable[[], int]) -> None:
        self._channel = channel
        self._origin = origin
        self._max_body = max_body
        self._http = h11.Connection(h11.SERVER, max_incomplete_event_size=_LONGEST_HEAD)
        self._listening: asyncio.Task[bytes] | None = None

    async def next_request(self) -> Asked | None:
        """Return the next request, or None once Chromium is done with this connection."""
        if self._http.our_state is h11.DONE and self._http.their_state is h11.DONE:
            self._http.start_next_cycle()
        if self._http.our_state is h11.MUST_CLOSE:
            return None
        head = await self._next_event()
        return await self._complete(head) if isinstance(head, h11.Request) else None

    async def open_tunnel(self) -> bytes:
        """Agree to a CONNECT and return the first bytes spoken inside it."""
        await self._channel.send(
            self._http.send(h11.Response(status_code=200, headers=[], reason=b"OK")) or b""
        )
        early, _ = self._http.trailing_data
        return early or await self._receive()

    async def reply(self, answer: Answer, *, to: Asked) -> None:
        """Hand the answer back to Chromium."""
        without_body = to.method == "HEAD" or answer.status in _MAY_CARRY_NO_BODY
        body = b"" if without_body else answer.body
        headers = [*headers_to_return(answer)]
        if not without_body:
            headers.append((b"content-length", str(len(body)).encode()))
        head = h11.Response(
            status_code=answer.status, headers=headers, reason=answer.reason.encode("latin-1", "replace")
        )
        parts = [head, h11.Data(data=body), h11.EndOfMessage()] if body else [head, h11.EndOfMessage()]
        await self._channel.send(b"".join(self._http.send(part) or b"" for part in parts))

    async def unless_hung_up(self, answering: asyncio.Task[Answer]) -> Answer:
        """Return the answer, or raise HungUp and call the request back when Chromium no longer wants it."""
        listening = self._listen()
        await asyncio.wait({answering, listening}, return_when=asyncio.FIRST_COMPLETED)
        if not answering.done() and not listening.result():
            answering.cancel()
            raise HungUp
        return await answering

    def close(self) -> None:
        if self._listening:
            self._listening.cancel()

    async def _complete(self, head: h11.Request) -> Asked:
        method, url = head.method.decode("ascii"), self._address(head)
        upgrade = next((value for name, value in head.headers if name == b"upgrade"), b"")
        body, is_too_large = await self._body() if method != "CONNECT" else (b"", False)
        return Asked(
            method,
            url,
            headers_to_forward(head.headers),
            body,
            wants_websocket=upgrade.lower() == b"websocket",
            is_too_large=is_too_large,
        )

    async def _body(self) -> tuple[bytes, bool]:
        """Read the body; one that is over the cap is read to its end, so that a refusal can be heard."""
        parts: list[bytes] = []
        size = 0
        while isinstance(event := await self._next_event(), h11.Data):
            size += len(event.data)
            if size <= self._max_body():
                parts.append(bytes(event.data))
        return b"".join(parts), size > self._max_body()

    async def _next_event(self) -> object:
        while True:
            event = self._http.next_event()
            if event is not h11.NEED_DATA:
                return event
            self._http.receive_data(await self._receive())

    def _address(self, head: h11.Request) -> str:
        target = head.target.decode("latin-1")
        if self._origin is not None and target.startswith("/"):
            target = self._origin + target
        return target if head.method == b"CONNECT" else without_default_port(urldefrag(target).url)

    def _listen(self) -> asyncio.Task[bytes]:
        """Keep exactly one read open: what it brings belongs to whoever reads next."""
        if self._listening is None:
            self._listening = asyncio.create_task(self._channel.receive())
        return self._listening

    async def _receive(self) -> bytes:
        data = await self._listen()
        self._listening = None
        return data


class AfterFirstBytes:
    """A channel whose first bytes were already read."""

    def __init__(self, below: Channel, first_bytes: bytes) -> None:
        self._first_bytes = first_bytes
        self._below = below

    async def send(self, data: bytes) -> None:
        await self._below.send(data)

    async def receive(self) -> bytes:
        first, self._first_bytes = self._first_bytes, b""
        return first or await self._below.receive()


def without_default_port(url: str) -> str:
    """Return the address as Chromium names it: without the port its scheme implies."""
    parts = urlsplit(url)
    host, _, port = parts.netloc.rpartition(":")
    if host and port.isdigit() and int(port) == _DEFAULT_PORTS.get(parts.scheme):
        return parts._replace(netloc=host).geturl()
    return url
