"""One request and its answer: through every gate, onto the wire, and judged. Redirects are the client's business."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass
from datetime import datetime

from msgspec import Struct

from limpet.clock import Clock
from limpet.errors import (
    BadResponse,
    BudgetUnavailable,
    ConnectionFailed,
    FetchError,
    FetchTimeout,
    GateRefused,
    ServerFault,
)
from limpet.fetch.ask import Ask, headers_for
from limpet.fetch.classify import REDIRECTS, objection
from limpet.fetch.gates import FetchRobots, Gates, Passage
from limpet.fetch.http import Answer, HttpRequest, HttpTransport, Limits
from limpet.fetch.noting import decide_sent, note_of_exchange, note_of_refusal
from limpet.fetch.trail import Trail
from limpet.source import Source
from limpet.source.source import MEBIBYTE

# Only these say that the site itself is in trouble; a 404 or a ban does not.
_SITE_TROUBLE = (FetchTimeout, ConnectionFailed, BadResponse, ServerFault)
SITE_TROUBLE_CODES = frozenset(error.code for error in _SITE_TROUBLE)
_ROBOTS_BYTES = 4 * MEBIBYTE  # only its first 500 KiB are read, but a larger file must not count as none


class Exchange(Struct, frozen=True):
    """One request that left, and what came back: an answer, an error, or both."""

    passage: Passage
    started_at: datetime
    elapsed_ms: float
    answer: Answer | None
    problem: FetchError | None


@dataclass(frozen=True, slots=True)
class Sender:
    """Hands requests to the network: nothing leaves that did not pass the gates here."""

    gates: Gates
    transport: HttpTransport
    clock: Clock
    user_agent: str
    wire: asyncio.Semaphore  # over all domains: sockets, memory and the reading of answers have an end

    async def exchange(
        self, source: Source, url: str, *, ask: Ask, trail: Trail, fetch_robots: FetchRobots
    ) -> Exchange:
        """Return what came back; raise only when one of our own gates refused."""
        try:
            passage = await self.gates.pass_through(
                source, url, trail=trail, is_robots=ask.kind == "robots", fetch_robots=fetch_robots
            )
        except GateRefused as refusal:
            trail.requests.append(note_of_refusal(source, url, ask, refusal, self.clock.now()))
            raise
        exchange = await self._send_when_there_is_room(source, ask, passage, trail)
        await self._tell_breaker(exchange)
        trail.requests.append(note_of_exchange(source, url, ask, exchange))
        if trail.verbose:
            decide_sent(trail, url, exchange)
        return exchange

    async def _send_when_there_is_room(
        self, source: Source, ask: Ask, passage: Passage, trail: Trail
    ) -> Exchange:
        """Wait for a place on the wire; the domain's own place is already ours, and is given back."""
        try:
            await self.wire.acquire()
        except BaseException:
            await passage.permit.leave()
            await self.gates.breakers.abandoned(passage.breaker)
            raise
        try:
            return await self._send(source, ask, passage, trail)
        finally:
            self.wire.release()

    async def _send(self, source: Source, ask: Ask, passage: Passage, trail: Trail) -> Exchange:
        started_at, start = self.clock.now(), time.perf_counter()
        answer: Answer | None = None
        problem: FetchError | None = None
        elapsed_ms = 0.0
        trail.on_the_wire += 1
        try:
            answer = await self.transport.send(
                HttpRequest(
                    ask.method, passage.url, headers_for(source, ask, self.user_agent), ask.data, ask.sink
                ),
                limits=_limits(source, ask),
                on_reached=passage.permit.reached,
            )
            # Here, not at the end: a pause counts from the answer, not from when we wrote the pause down.
            elapsed_ms = (time.perf_counter() - start) * 1000
            problem = self._objection_to(answer, ask)
            # Before the permit is left: nobody may slip through between the answer and the pause.
            await self._pause_if_asked(passage.domain, problem)
        except FetchError as error:
            # Without its traceback: that would hold this frame, the frame the error, and both the half-read body.
            problem, elapsed_ms = error.with_traceback(None), (time.perf_counter() - start) * 1000
        except BaseException:  # told to stop, or the disk is full: it says nothing about the site
            await self.gates.breakers.abandoned(passage.breaker)
            raise
        finally:
            trail.on_the_wire -= 1
            await passage.permit.leave()
        return Exchange(passage, started_at, elapsed_ms, answer, problem)

    async def _pause_if_asked(self, domain: str, problem: FetchError | None) -> None:
        if problem is None or problem.retry_after is None:
            return
        try:
            await self.gates.budget.pause(domain, problem.retry_after)
        except BudgetUnavailable:
            # The store is gone, so the budget lets nobody through anyway; the origin's answer is what counts.
            return

    def _objection_to(self, answer: Answer, ask: Ask) -> FetchError | None:
        if answer.status in REDIRECTS:
            return None
        return objection(
            answer.status,
            answer.headers,
            answer.body,
            now=self.clock.now() if answer.status >= 300 else None,
            asked_conditionally=ask.is_conditional,
            asked_for_a_part=ask.is_for_a_part,
        )

    async def _tell_breaker(self, exchange: Exchange) -> None:
        breakers, name, problem = self.gates.breakers, exchange.passage.breaker, exchange.problem
        if isinstance(problem, _SITE_TROUBLE):
            await breakers.failed(name)
        elif problem is not None and (isinstance(problem, GateRefused) or problem.retry_after is not None):
            await breakers.abandoned(name)  # it says nothing about how the site fares
        else:
            await breakers.succeeded(name)


def _limits(source: Source, ask: Ask) -> Limits:
    return Limits(source.patience_seconds, _ROBOTS_BYTES if ask.kind == "robots" else source.max_bytes)
