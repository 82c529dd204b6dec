"""The egress guard: a proxy of our own, on loopback, through which everything Chromium wants must pass.

It ends every connection itself - TLS too - and hands each single request to `Forward`, the one way to the
network. So a redirect hop, a frame, a worker's fetch or a favicon meets the same gates as a page asked for
over plain HTTP; page-level interception would miss redirects and workers. Each browser context has a doorway
(a port) of its own, which says on whose account a request leaves; without a visit behind it, all is refused.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Coroutine
from typing import Any
from urllib.parse import urlsplit

import h11

from limpet.errors import BodyTooLarge, FetchError, FetchTimeout, GateRefused, TooManyRedirects
from limpet.fetch.browser.answer import Answer, Forward
from limpet.fetch.browser.egress_headers import is_decoration
from limpet.fetch.browser.egress_http import AfterFirstBytes, Asked, Channel, Conversation, HungUp
from limpet.fetch.browser.egress_tls import PlainChannel, TlsChannel, speaks_tls
from limpet.fetch.browser.visit import Visit

REFUSED_HEADER = "x-limpet-refused"
_NOBODY_MAX_BODY = 64 * 1024


class Doorway:
    """One listening port for one browser context."""

    def __init__(self, forward: Forward) -> None:
        self._forward = forward
        self._server: asyncio.Server | None = None
        self._connections: set[asyncio.Task[None]] = set()
        self.port = 0
        self.visit: Visit | None = None
        self.strays = 0

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    async def open(self) -> None:
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]

    async def close(self) -> None:
        """Stop listening and end every connection."""
        self.leave()
        if self._server:
            self._server.close()
        for task in self._connections:
            task.cancel()
        await asyncio.gather(*self._connections, return_exceptions=True)

    def leave(self) -> None:
        """End the visit: what still waits is called back, what comes later is refused."""
        if self.visit:
            self.visit.end()
        self.visit = None

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._connections.add(task)
        try:
            # Cancelled only by our own close, and nobody waits above: to end quietly is all that is asked.
            with contextlib.suppress(ConnectionError, h11.ProtocolError, HungUp, asyncio.CancelledError):
                await self._converse(PlainChannel(reader, writer), origin=None)
        finally:
            self._connections.discard(task)
            writer.close()

    async def _converse(self, channel: Channel, *, origin: str | None) -> None:
        conversation = Conversation(channel, origin=origin, max_body=self._max_body)
        try:
            while asked := await conversation.next_request():
                if asked.method == "CONNECT":
                    await self._tunnel(conversation, channel, authority=asked.url)
                    return
                await conversation.reply(await self._answer(asked, conversation), to=asked)
        finally:
            conversation.close()

    async def _tunnel(self, conversation: Conversation, channel: Channel, *, authority: str) -> None:
        """Go on inside the tunnel, where https and WebSockets are spoken."""
        first_bytes = await conversation.open_tunnel()
        if speaks_tls(first_bytes) and isinstance(channel, PlainChannel):
            await self._converse(TlsChannel(channel, first_bytes), origin=f"https://{authority}")
        elif first_bytes:
            await self._converse(AfterFirstBytes(channel, first_bytes), origin=f"http://{authority}")

    async def _answer(self, asked: Asked, conversation: Conversation) -> Answer:
        visit = self.visit
        if visit is None:
            self.strays += 1
            return refusal(403, "browser.no_visit", "nobody is visiting")
        if reason := _why_not(asked, visit):
            return reason
        try:
            return await self._send(asked, visit, conversation)
        except FetchError as error:
            visit.failed(asked.url, error)
            return refusal(_status_for(error), error.code, str(error))

    async def _send(self, asked: Asked, visit: Visit, conversation: Conversation) -> Answer:
        going_out: Coroutine[Any, Any, Answer] = self._forward(
            visit.source, asked.method, asked.url, asked.headers, asked.body, visit.trail
        )
        task = asyncio.create_task(going_out)
        visit.started(task)
        try:
            answer = await conversation.unless_hung_up(task)
        except asyncio.CancelledError:
            task.cancel()
            raise
        except (FetchError, HungUp):
            raise
        except Exception as fault:  # a fault of ours must reach whoever holds the lease
            visit.fault = fault
            return refusal(502, "browser.fault", type(fault).__name__)
        visit.answered(asked.method, asked.url, answer, request_headers=asked.headers)
        # 407 would make Chromium believe that we, its proxy, want a password.
        return (
            refusal(502, "browser.proxy_login", "the origin answered 407") if answer.status == 407 else answer
        )

    def _max_body(self) -> int:
        return self.visit.source.max_bytes if self.visit else _NOBODY_MAX_BODY


class EgressGuard:
    """All doorways. `outside` is where Chromium's own traffic, belonging to no context, ends."""

    def __init__(self, forward: Forward) -> None:
        self._forward = forward
        self._doorways: set[Doorway] = set()
        self.outside = Doorway(forward)

    async def open(self) -> None:
        await self.outside.open()
        self._doorways.add(self.outside)

    async def open_doorway(self) -> Doorway:
        doorway = Doorway(self._forward)
        await doorway.open()
        self._doorways.add(doorway)
        return doorway

    async def close_doorway(self, doorway: Doorway) -> None:
        self._doorways.discard(doorway)
        await doorway.close()

    async def close(self) -> None:
        while self._doorways:
            await self._doorways.pop().close()


def refusal(status: int, code: str, detail: str) -> Answer:
    """Return our own answer in the origin's place, told apart by its header."""
    headers = (("content-type", "text/plain; charset=utf-8"), (REFUSED_HEADER, code))
    return Answer(status, "Refused", headers, f"limpet: {code}: {detail}\n".encode())


def _why_not(asked: Asked, visit: Visit) -> Answer | None:
    """Return the guard's own refusal, before any gate is asked."""
    if asked.wants_websocket:
        visit.trail.decide("browser", asked.url, allowed=False, detail="WebSockets are not spoken")
        return refusal(501, "browser.websocket", "WebSockets are not spoken")
    if not visit.source.load_images and is_decoration(asked.url, asked.headers):
        visit.not_loaded += 1
        return refusal(403, "browser.not_loaded", "images, fonts and styles are not loaded")
    if error := _own_error(asked, visit):
        visit.failed(asked.url, error)
        return refusal(_status_for(error), error.code, str(error))
    return None


def _own_error(asked: Asked, visit: Visit) -> FetchError | None:
    if urlsplit(asked.url).scheme not in ("http", "https"):
        return GateRefused(f"only http and https are spoken, not {asked.url[:40]}")
    if asked.is_too_large:
        return BodyTooLarge(f"the page wanted to send more than {visit.source.max_bytes} bytes")
    if visit.hops_to(asked.url) > visit.source.max_redirects:
        return TooManyRedirects(f"more than {visit.source.max_redirects} redirects led to {asked.url}")
    return None


def _status_for(error: FetchError) -> int:
    if isinstance(error, GateRefused):
        return 403
    return 504 if isinstance(error, FetchTimeout) else 502
