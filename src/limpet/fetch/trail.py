"""The trail of one visit: every gate's decision and every request that left, for the ledger and for people."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime

from msgspec import Struct, field

from limpet.fetch.filing import Sink
from limpet.fetch.outcome import FetchOutcome


@dataclass(frozen=True, slots=True)
class GateDecision:
    """One gate's answer about one address."""

    gate: str  # source, address, robots, breaker, rate, send
    allowed: bool
    url: str
    detail: str = ""


class RequestNote(Struct, frozen=True):
    """One request as we sent it; `limpet politeness report` is made of these."""

    source_id: str
    domain: str
    url: str  # without its query when the query may hold a secret
    kind: str  # page, redirect, robots, index, signed, browser
    started_at: datetime
    elapsed_ms: float
    outcome: FetchOutcome
    status: int | None = None
    error_code: str | None = None
    bytes_received: int = 0
    waited_ms: float = 0.0
    robots_verdict: str | None = None  # allowed, disallowed, unavailable, not_asked
    robots_hash: str | None = None
    retry_after_seconds: float | None = None


@dataclass(slots=True)
class Reception:
    """A file on its way in: begun with its first byte, over once it is kept or given up."""

    trail: Trail
    has_begun: bool = False

    def through(self, sink: Sink) -> Sink:
        """Return a sink that passes everything on, and marks the first byte."""
        return _Inlet(self, sink)

    def begin(self) -> None:
        """The first byte is here."""
        if not self.has_begun:
            self.has_begun = True
            self.trail.on_the_wire += 1

    def end(self) -> None:
        """The file is kept, or there is none."""
        if self.has_begun:
            self.has_begun = False
            self.trail.on_the_wire -= 1


@dataclass(frozen=True, slots=True)
class _Inlet:
    reception: Reception
    sink: Sink

    def write(self, chunk: bytes) -> None:
        self.reception.begin()
        self.sink.write(chunk)


class Trail(Struct):
    """Collects what happens on the way; `verbose` also keeps the gates that said yes."""

    verbose: bool = False
    on_the_wire: int = 0  # a rendered page sends several requests at once on one trail
    decisions: list[GateDecision] = field(default_factory=list)
    requests: list[RequestNote] = field(default_factory=list)

    @property
    def is_sending(self) -> bool:
        """Whether a request is on the wire right now: not a moment to be interrupted."""
        return self.on_the_wire > 0

    @contextmanager
    def receiving(self) -> Iterator[Reception]:
        """From the first byte of a file until it is kept, the trail counts as sending: it is not to be cut short."""
        reception = Reception(self)
        try:
            yield reception
        finally:
            reception.end()

    def decide(self, gate: str, url: str, *, allowed: bool, detail: str = "") -> None:
        """Note one gate's answer; a refusal is always kept."""
        if self.verbose or not allowed:
            self.decisions.append(GateDecision(gate, allowed, url, detail))
