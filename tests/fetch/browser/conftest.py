"""A pretend web behind a real Chromium: an origin on loopback, and a Forward that records every request."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from urllib.parse import urlsplit

import aiohttp
import pytest
import pytest_asyncio
from aiohttp import web

from limpet.errors import AddressForbidden, BrowserLaunchFailed
from limpet.fetch.browser import Answer, BrowserFetcher, BrowserPool, PoolLimits, find_chromium
from limpet.fetch.trail import Trail
from limpet.source import Pace, Source

Served = tuple[int, Mapping[str, str], bytes]


@dataclass
class PretendWeb:
    """Answers by path, whatever the host; `asked` is what reached the one way out, `served` the origin."""

    port: int = 0
    pages: dict[str, Served] = field(default_factory=dict)
    asked: list[tuple[str, str]] = field(default_factory=list)
    asked_headers: dict[str, Mapping[str, str]] = field(default_factory=dict)
    asked_bodies: dict[str, bytes] = field(default_factory=dict)
    served: list[str] = field(default_factory=list)
    faults: dict[str, Exception] = field(default_factory=dict)
    held: dict[str, asyncio.Event] = field(default_factory=dict)
    session: aiohttp.ClientSession | None = None

    def html(self, path: str, body: str) -> None:
        self.pages[path] = (
            200,
            {"Content-Type": "text/html; charset=utf-8"},
            f"<!doctype html>{body}".encode(),
        )

    def script(self, path: str, body: str, **headers: str) -> None:
        self.pages[path] = 200, {"Content-Type": "text/javascript", **headers}, body.encode()

    def redirect(self, path: str, location: str) -> None:
        self.pages[path] = 302, {"Location": location}, b""

    def forget(self) -> None:
        for collection in (
            self.pages,
            self.asked,
            self.asked_headers,
            self.asked_bodies,
            self.served,
            self.faults,
            self.held,
        ):
            collection.clear()  # type: ignore[attr-defined]

    @property
    def urls(self) -> list[str]:
        return [url for _, url in self.asked]

    def hold(self, path: str) -> asyncio.Event:
        """Let an address hang until the event is set."""
        self.held[path] = asyncio.Event()
        return self.held[path]

    async def serve(self, request: web.Request) -> web.Response:
        self.served.append(f"{request.host}{request.path}")
        status, headers, body = self.pages.get(
            request.path, (404, {"Content-Type": "text/plain"}, b"nothing here")
        )
        return web.Response(status=status, headers=headers, body=body)

    async def forward(
        self, source: Source, method: str, url: str, headers: Mapping[str, str], body: bytes, trail: Trail
    ) -> Answer:
        self.asked.append((method, url))
        self.asked_headers[url] = headers
        self.asked_bodies[url] = body
        parts = urlsplit(url)
        if fault := self.faults.get(url):
            raise fault
        if parts.hostname in ("127.0.0.1", "localhost", "::1", "0.0.0.0"):
            raise AddressForbidden(f"{parts.hostname} is not on the public web")
        if hold := self.held.get(parts.path):
            await hold.wait()
        assert self.session is not None
        onward = parts._replace(scheme="http", netloc=f"127.0.0.1:{self.port}").geturl()
        async with self.session.request(
            method, onward, headers={**headers, "Host": parts.netloc}, data=body, allow_redirects=False
        ) as answer:
            return Answer(
                answer.status, answer.reason or "", tuple(answer.headers.items()), await answer.read()
            )


@dataclass
class Canary:
    """A listener that nothing may reach except through the guard."""

    tcp_port: int = 0
    udp_port: int = 0
    connections: int = 0
    datagrams: int = 0


class _CountDatagrams(asyncio.DatagramProtocol):
    def __init__(self, canary: Canary) -> None:
        self._canary = canary

    def datagram_received(self, data: bytes, addr: object) -> None:
        self._canary.datagrams += 1


@pytest.fixture(scope="session")
def chromium() -> Path:
    """A real Chromium; without one the test is skipped loudly, or fails when LIMPET_REQUIRE_BROWSER is 1."""
    try:
        return find_chromium(os.environ.get("LIMPET_CHROMIUM"))
    except BrowserLaunchFailed as missing:
        if os.environ.get("LIMPET_REQUIRE_BROWSER") == "1":
            pytest.fail(str(missing))
        pytest.skip(str(missing))


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def shared_web() -> AsyncIterator[PretendWeb]:
    pretend = PretendWeb()
    app = web.Application()
    app.router.add_route("*", "/{path:.*}", pretend.serve)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    pretend.port = runner.addresses[0][1]
    async with aiohttp.ClientSession(cookie_jar=aiohttp.DummyCookieJar()) as pretend.session:
        yield pretend
    await runner.cleanup()


@pytest_asyncio.fixture(loop_scope="module")
async def pretend_web(shared_web: PretendWeb) -> PretendWeb:
    shared_web.forget()
    return shared_web


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def pool(chromium: Path, shared_web: PretendWeb) -> AsyncIterator[BrowserPool]:
    """One browser for all tests of a module that do it no harm."""
    async with BrowserPool(
        shared_web.forward, executable=chromium, limits=PoolLimits(max_contexts=4)
    ) as pool:
        yield pool


@pytest.fixture
def fetcher(pool: BrowserPool) -> BrowserFetcher:
    return BrowserFetcher(pool)


@pytest.fixture
def source() -> Source:
    """A source in no hurry to give up, with nothing spacing its requests."""
    return Source(
        id="shop",
        app="prices",
        site="shop",
        hosts=("shop.test",),
        patience_seconds=20,
        pace=Pace(requests_per_second=None, min_delay_seconds=0),
    )


@pytest.fixture
def hasty(source: Source) -> Source:
    return replace(source, patience_seconds=1.0)


@pytest.fixture
def trail() -> Trail:
    return Trail()


@pytest_asyncio.fixture(loop_scope="module")
async def canary() -> AsyncIterator[Canary]:
    canary = Canary()

    async def count(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        canary.connections += 1
        writer.close()

    server = await asyncio.start_server(count, "127.0.0.1", 0)
    canary.tcp_port = server.sockets[0].getsockname()[1]
    loop = asyncio.get_running_loop()
    transport, _ = await loop.create_datagram_endpoint(lambda: _CountDatagrams(canary), ("127.0.0.1", 0))
    canary.udp_port = transport.get_extra_info("sockname")[1]
    yield canary
    transport.close()
    server.close()
