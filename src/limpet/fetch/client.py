"""The one way to the network: gates, request, classification, redirects that start again from the top."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from limpet.clock import Clock
from limpet.errors import (
    AddressForbidden,
    BadAddress,
    BadResponse,
    ConnectionFailed,
    FetchError,
    FetchTimeout,
    GateRefused,
    ServerFault,
    TooManyRedirects,
)
from limpet.fetch.ask import Ask, headers_for
from limpet.fetch.classify import REDIRECTS, objection
from limpet.fetch.gates import Gates, Passage
from limpet.fetch.http import Answer, HttpRequest, HttpTransport, Limits
from limpet.fetch.outcome import FetchOutcome
from limpet.fetch.page import Page
from limpet.fetch.policy.robots_keeper import RobotsAnswer
from limpet.fetch.trail import RequestNote, Trail
from limpet.source import Source
from limpet.target.address import join, parse_address

# Only these say that the site itself is in trouble; a 404 or a ban does not.
_SITE_TROUBLE = (FetchTimeout, ConnectionFailed, BadResponse, ServerFault)
_ROBOTS_BYTES = 512 * 1024


@dataclass(frozen=True, slots=True)
class Exchange:
    """One request that left, and what came back: an answer, an error, or both."""

    passage: Passage
    started_at: datetime
    elapsed_ms: float
    answer: Answer | None
    problem: FetchError | None


class Client:
    """Every request of the platform - page, redirect hop, robots.txt, index, signed URL, retry, browser
    sub-request - is made by this class and by nobody else."""

    def __init__(self, gates: Gates, transport: HttpTransport, *, clock: Clock, user_agent: str) -> None:
        self._gates = gates
        self._transport = transport
        self._clock = clock
        self._user_agent = user_agent

    async def fetch(self, source: Source, url: str, *, trail: Trail, ask: Ask | None = None) -> Page:
        """Return the page, or raise the FetchError that says why there is none."""
        ask, asked_for, redirects = ask or Ask(), url, []
        while True:
            exchange = await self._exchange(source, url, ask, trail)
            if exchange.problem is not None:
                self._raise_with_evidence(exchange, asked_for, url)
            answer = exchange.answer
            assert answer is not None
            if answer.status not in REDIRECTS:
                return _page(exchange, answer, asked_for, url, tuple(redirects))
            if len(redirects) >= source.max_redirects:
                raise TooManyRedirects(f"More than {source.max_redirects} redirects, the last to {url}.")
            url, ask = self._next_hop(url, ask, answer)
            redirects.append(url)

    async def forward(self, source: Source, url: str, *, ask: Ask, trail: Trail) -> Answer:
        """Return one hop's answer as it is, for the browser's own traffic; refusals and failures are raised."""
        exchange = await self._exchange(source, url, ask, trail, judge_status=False)
        if exchange.answer is None:
            assert exchange.problem is not None
            raise exchange.problem
        return exchange.answer

    async def _exchange(
        self, source: Source, url: str, ask: Ask, trail: Trail, *, judge_status: bool = True
    ) -> Exchange:
        try:
            passage = await self._gates.pass_through(
                source,
                url,
                trail=trail,
                is_robots=ask.kind == "robots",
                fetch_robots=self._robots_fetcher(trail),
            )
        except GateRefused as refusal:
            trail.requests.append(self._refusal_note(source, url, ask, refusal))
            raise
        trail.is_sending = True
        try:
            exchange = await self._send(source, ask, passage)
        finally:
            trail.is_sending = False
        await self._tell_breaker(exchange)
        trail.requests.append(_note(source, url, ask, exchange))
        if trail.verbose:
            _decide_sent(trail, url, exchange)
        return exchange

    async def _send(self, source: Source, ask: Ask, passage: Passage) -> Exchange:
        started_at, start = self._clock.now(), time.perf_counter()
        answer: Answer | None = None
        problem: FetchError | None = None
        try:
            answer = await self._transport.send(
                HttpRequest(ask.method, passage.url, headers_for(source, ask, self._user_agent), ask.data),
                limits=Limits(
                    source.patience_seconds, _ROBOTS_BYTES if ask.kind == "robots" else source.max_bytes
                ),
                on_reached=passage.permit.reached,
            )
            problem = self._objection_to(answer, ask)
            if problem is not None and problem.retry_after is not None:
                # Before the permit is left: nobody may slip through between the answer and the pause.
                await self._gates.budget.pause(passage.domain, problem.retry_after)
        except FetchError as error:
            problem = error
        finally:
            await passage.permit.leave()
        return Exchange(passage, started_at, (time.perf_counter() - start) * 1000, answer, problem)

    def _objection_to(self, answer: Answer, ask: Ask) -> FetchError | None:
        if answer.status in REDIRECTS:
            return None
        return objection(
            answer.status,
            answer.headers,
            answer.body,
            now=self._clock.now() if answer.status >= 300 else None,
            asked_conditionally=bool(ask.validators),
        )

    async def _tell_breaker(self, exchange: Exchange) -> None:
        name = exchange.passage.breaker
        if exchange.problem is None:
            await self._gates.breakers.succeeded(name)
        elif isinstance(exchange.problem, _SITE_TROUBLE):
            await self._gates.breakers.failed(name)
        elif isinstance(exchange.problem, GateRefused) or exchange.problem.retry_after is not None:
            await self._gates.breakers.abandoned(name)
        else:
            await self._gates.breakers.succeeded(name)

    def _next_hop(self, url: str, ask: Ask, answer: Answer) -> tuple[str, Ask]:
        location = answer.headers.get("location")
        if not location:
            raise BadResponse(f"HTTP {answer.status} without a Location.", status=answer.status)
        try:
            target = join(url, location)
        except BadAddress as exc:
            raise AddressForbidden(f"A redirect leads away from the web: {exc}", fix=exc.fix) from exc
        same_origin = parse_address(url).origin == parse_address(target).origin
        return target, ask.after_redirect(answer.status, same_origin=same_origin)

    def _robots_fetcher(self, trail: Trail) -> Any:
        async def fetch_robots(source: Source, url: str) -> RobotsAnswer:
            try:
                page = await self.fetch(source, url, trail=trail, ask=Ask(kind="robots"))
            except FetchError as error:
                return RobotsAnswer(status=error.status, body=b"", error=error.code)
            return RobotsAnswer(status=page.status, body=page.body, error=None)

        return fetch_robots

    def _refusal_note(self, source: Source, url: str, ask: Ask, refusal: GateRefused) -> RequestNote:
        return RequestNote(
            source_id=source.id,
            domain="",
            url=_without_query(url),
            kind=ask.kind,
            started_at=self._clock.now(),
            elapsed_ms=0.0,
            outcome=FetchOutcome(refusal.outcome),
            error_code=refusal.code,
        )

    @staticmethod
    def _raise_with_evidence(exchange: Exchange, asked_for: str, url: str) -> None:
        problem, answer = exchange.problem, exchange.answer
        assert problem is not None
        if answer is not None:
            problem.page = _page(exchange, answer, asked_for, url, ())
        raise problem

    async def close(self) -> None:
        await self._transport.close()


@dataclass(frozen=True, slots=True)
class Way:
    """The client as a site's route sees it: bound to one source and one trail."""

    client: Client
    source: Source
    trail: Trail

    async def get(self, url: str, **request: Any) -> Page:
        """Return the page, or raise a FetchError with its code."""
        return await self.client.fetch(self.source, url, trail=self.trail, ask=Ask(**request))

    async def post_form(self, url: str, fields: Mapping[str, str], **request: Any) -> Page:
        """Return the answer to a form post, or raise a FetchError with its code."""
        return await self.client.fetch(
            self.source, url, trail=self.trail, ask=Ask(**request).with_form(fields)
        )


def _page(exchange: Exchange, answer: Answer, asked_for: str, url: str, redirects: tuple[str, ...]) -> Page:
    return Page(
        url=asked_for,
        final_url=url,
        status=answer.status,
        headers=answer.headers,
        body=answer.body,
        fetched_at=exchange.started_at,
        elapsed_ms=exchange.elapsed_ms,
        redirects=redirects,
    )


def _note(source: Source, url: str, ask: Ask, exchange: Exchange) -> RequestNote:
    answer, problem, passage = exchange.answer, exchange.problem, exchange.passage
    status = answer.status if answer else None
    return RequestNote(
        source_id=source.id,
        domain=passage.domain,
        url=_without_query(url) if ask.has_secret_query else url,
        kind=ask.kind,
        started_at=exchange.started_at,
        elapsed_ms=exchange.elapsed_ms,
        outcome=_word(problem, status),
        status=status,
        error_code=problem.code if problem else None,
        bytes_received=len(answer.body) if answer else 0,
        waited_ms=passage.permit.waited_seconds * 1000,
        robots_verdict=passage.robots.state,
        robots_hash=passage.robots.sha256,
        retry_after_seconds=problem.retry_after if problem else None,
    )


def _word(problem: FetchError | None, status: int | None) -> FetchOutcome:
    if problem is not None:
        return FetchOutcome(problem.outcome)
    return FetchOutcome.NOT_MODIFIED if status == 304 else FetchOutcome.OK


def _decide_sent(trail: Trail, url: str, exchange: Exchange) -> None:
    problem, answer = exchange.problem, exchange.answer
    size = f"{len(answer.body):,} bytes" if answer else "no answer"
    status = f"HTTP {answer.status}, " if answer else ""
    detail = f"{problem.code}: {problem}" if problem else f"{status}{size}, {exchange.elapsed_ms:.0f} ms"
    trail.decide("send", url, allowed=problem is None, detail=detail)


def _without_query(url: str) -> str:
    return url.partition("?")[0]
