"""The page server: as cheap as a Python server gets, so that what a bench measures is the client.

Prints its port on one line once it listens, then serves until it is told to stop.
"""

from __future__ import annotations

import asyncio
import signal
import socket
from typing import cast

import uvloop
from bench.storefront import Storefront

ROBOTS = b"User-agent: *\nDisallow: /cart/\nDisallow: /checkout/\nDisallow: /my-account/\nAllow: /\n"


def _answer(status: bytes, media_type: bytes, body: bytes) -> bytes:
    return (
        b"HTTP/1.1 %b\r\nServer: tidepool\r\nContent-Type: %b\r\n"
        b"Cache-Control: no-cache\r\nContent-Length: %d\r\n\r\n%b" % (status, media_type, len(body), body)
    )


class PageProtocol(asyncio.Protocol):
    """One keep-alive connection; answers GETs in the order they come."""

    def __init__(self, storefront: Storefront) -> None:
        self._storefront = storefront
        self._unread = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)

    def data_received(self, data: bytes) -> None:
        *requests, self._unread = (self._unread + data).split(b"\r\n\r\n")
        for request in requests:
            self._transport.write(self._respond(request))

    def _respond(self, request: bytes) -> bytes:
        method, _, rest = request.partition(b" ")
        path = rest.partition(b" ")[0]
        if method != b"GET":
            return _answer(b"405 Method Not Allowed", b"text/plain", b"")
        if path.startswith(b"/product/") and path[9:].isdigit():
            return _answer(b"200 OK", b"text/html; charset=UTF-8", self._storefront.page(int(path[9:])))
        if path == b"/robots.txt":
            return _answer(b"200 OK", b"text/plain; charset=utf-8", ROBOTS)
        return _answer(b"404 Not Found", b"text/plain", b"not here\n")


async def serve() -> None:
    """Serve on a free loopback port until SIGTERM."""
    listener = socket.create_server(("127.0.0.1", 0), backlog=512)
    port = listener.getsockname()[1]
    storefront = Storefront(f"http://127.0.0.1:{port}")
    loop = asyncio.get_running_loop()
    stop = asyncio.Event()
    loop.add_signal_handler(signal.SIGTERM, stop.set)
    server = await loop.create_server(lambda: PageProtocol(storefront), sock=listener)
    print(port, flush=True)
    await stop.wait()
    server.close()


if __name__ == "__main__":
    uvloop.run(serve())
