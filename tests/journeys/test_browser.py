"""The browser on the one way to the network, judged by an origin that keeps every byte it was sent."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import dataclass, field

import pytest

from limpet.fetch import Trail

pytestmark = pytest.mark.browser
SCRIPT = b"document.documentElement.dataset.agent = navigator.userAgent;"
PAGE = b"<!doctype html><title>a shop</title><script src=/ask.js></script>"
TAG = b'"v1"'


@dataclass
class Origin:
    """A shop of one page and one script that must be asked about each time."""

    port: int = 0
    heads: list[str] = field(default_factory=list)
    statuses: list[tuple[str, int]] = field(default_factory=list)

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(asyncio.IncompleteReadError, ConnectionError):
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
                self.heads.append(head)
                writer.write(self._answer(head.split(" ", 2)[1], head))
                await writer.drain()
        writer.close()

    def _answer(self, path: str, head: str) -> bytes:
        status, kind, body = 200, b"text/html", PAGE
        if path == "/robots.txt":
            kind, body = b"text/plain", b"User-agent: *\nDisallow:\n"
        elif path == "/ask.js":
            kind, body = b"text/javascript", SCRIPT
            if TAG.decode() in head:
                status, body = 304, b""
        self.statuses.append((path, status))
        lines = [b"HTTP/1.1 %d OK" % status, b"Content-Type: " + kind, b"Content-Length: %d" % len(body)]
        lines += [b"ETag: " + TAG, b"Cache-Control: no-cache"] if path == "/ask.js" else []
        return b"\r\n".join([*lines, b"", body])


@pytest.fixture
async def origin() -> AsyncIterator[Origin]:
    origin = Origin()
    server = await asyncio.start_server(origin.answer, "127.0.0.1", 0)
    origin.port = server.sockets[0].getsockname()[1]
    yield origin
    server.close()


async def test_scripts_are_told_the_agent_the_site_is_told_and_may_be_unchanged(
    shore, origin: Origin, chromium: str
) -> None:
    shore.write_config(shore.source([], extra='fetcher = "browser"'))
    url = f"http://shop.tidepool.localhost:{origin.port}/"

    async with shore.open(chromium=chromium, user_agent="Limpet/9 (+mailto:us@example.org)") as house:
        source = house.catalogue.get("shop")
        site, trail = house.sites.get(source.site), Trail()
        pages = [await house.desk.way(source, site, trail).get(url) for _ in range(2)]
        breaker = await house.client._sender.gates.breakers.state("site:shop.tidepool.localhost")

    agents = {re.search(r"(?im)^user-agent: ([^\r]*)", head)[1] for head in origin.heads}
    assert agents == {"Limpet/9 (+mailto:us@example.org)"}
    assert all(b'data-agent="Limpet/9 (+mailto:us@example.org)"' in page.body for page in pages)
    assert ("/ask.js", 304) in origin.statuses
    assert (breaker.total_failures, breaker.state) == (0, "closed")
    assert {note.outcome.value for note in trail.requests} == {"ok", "not_modified"}
    assert not trail.is_sending
    for head in origin.heads:
        names = re.findall(r"(?m)^([\w-]+):", head.lower())
        assert len(names) == len(set(names)), head
