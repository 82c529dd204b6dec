"""A visit: one lease of one page, on whose account Chromium's requests leave, and what came of each."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from urllib.parse import urldefrag, urljoin

from limpet.errors import FetchError
from limpet.fetch.browser.answer import Answer
from limpet.fetch.trail import Trail
from limpet.source import Source

_DOCUMENT_DESTINATIONS = frozenset({"document", "iframe", "frame"})


@dataclass(frozen=True, slots=True)
class Captured:
    """One answer a page's own script was given, kept because a site asked to see it."""

    method: str
    url: str
    request_headers: Mapping[str, str]
    status: int
    headers: Mapping[str, str]
    body: bytes


@dataclass(slots=True)
class Visit:
    """Collects what the guard sees between the start and the end of one lease."""

    source: Source
    trail: Trail
    capture: Sequence[str] = ()
    captured: list[Captured] = field(default_factory=list)
    documents: dict[str, Answer] = field(default_factory=dict)
    failures: dict[str, FetchError] = field(default_factory=dict)
    fault: Exception | None = None
    forwarded: int = 0
    not_loaded: int = 0
    on_forward: Callable[[], None] | None = None
    on_capture: asyncio.Event = field(default_factory=asyncio.Event)
    _captured_bytes: int = 0
    _hops: dict[str, int] = field(default_factory=dict)
    _onward: dict[str, str] = field(default_factory=dict)
    _running: set[asyncio.Task[Answer]] = field(default_factory=set)

    def started(self, task: asyncio.Task[Answer]) -> None:
        """Take note of a request on its way out, so that it ends with the visit."""
        self.forwarded += 1
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        if self.on_forward:
            self.on_forward()

    def end(self) -> None:
        """Call back every request still waiting: nothing may leave on a finished visit's account."""
        for task in self._running:
            task.cancel()

    def hops_to(self, url: str) -> int:
        """How many redirects led to this address."""
        return self._hops.get(url, 0)

    def hops_from(self, url: str) -> list[str]:
        """Where redirects led from this address, in order; a circle is walked once."""
        hops: list[str] = []
        here = urldefrag(url).url
        while (here := self._onward.get(here, "")) and here not in hops:
            hops.append(here)
        return hops

    def last_hop(self, url: str) -> str:
        """Return where redirects led in the end, or the address itself."""
        return (self.hops_from(url) or [urldefrag(url).url])[-1]

    def answered(self, method: str, url: str, answer: Answer, *, request_headers: Mapping[str, str]) -> None:
        """Remember what a later reader needs: documents, redirects, and what a site wants captured."""
        location = answer.header_map.get("location")
        if location and 300 <= answer.status < 400:
            onward = urldefrag(urljoin(url, location)).url
            self._onward[url] = onward
            self._hops[onward] = self.hops_to(url) + 1
        elif asks_for_document(request_headers):
            self.documents[url] = answer
        self._keep_if_wanted(method, url, answer, request_headers)

    def failed(self, url: str, error: FetchError) -> None:
        """Remember why an address gave nothing; also on the trail, unless the gate that refused did so."""
        self.failures[url] = error
        if not any(decision.url == url and not decision.allowed for decision in self.trail.decisions):
            self.trail.decide("browser", url, allowed=False, detail=f"{error.code}: {error}")

    def has_captured(self, glob: str) -> bool:
        return any(fnmatchcase(kept.url, glob) for kept in self.captured)

    def _keep_if_wanted(
        self, method: str, url: str, answer: Answer, request_headers: Mapping[str, str]
    ) -> None:
        if method == "OPTIONS" or not any(fnmatchcase(url, glob) for glob in self.capture):
            return
        # One visit may capture as much as a page may weigh; a hostile page cannot fill the memory.
        if self._captured_bytes + len(answer.body) > self.source.max_bytes:
            self.trail.decide(
                "browser", url, allowed=False, detail="not captured: over the source's max_bytes"
            )
            return
        self._captured_bytes += len(answer.body)
        self.captured.append(
            Captured(method, url, dict(request_headers), answer.status, answer.header_map, answer.body)
        )
        self.on_capture.set()


def asks_for_document(headers: Mapping[str, str]) -> bool:
    """Whether Chromium asks for a page; over plain http it sends no Sec-Fetch-Dest, so Accept must tell."""
    destination = headers.get("sec-fetch-dest")
    if destination is not None:
        return destination in _DOCUMENT_DESTINATIONS
    return headers.get("accept", "").startswith("text/html")
