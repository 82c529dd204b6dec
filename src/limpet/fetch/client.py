"""The one way to the network: every request of the platform is made here, and redirects start again from the top."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, Protocol

from msgspec import Struct

from limpet.clock import Clock
from limpet.errors import (
    AddressForbidden,
    BadAddress,
    BadResponse,
    BrowserLaunchFailed,
    FetchError,
    TooManyRedirects,
)
from limpet.fetch.ask import Ask
from limpet.fetch.classify import REDIRECTS
from limpet.fetch.exchange import Exchange, Sender
from limpet.fetch.filing import FileStore, Sink
from limpet.fetch.gates import Gates
from limpet.fetch.http import Answer, HttpTransport
from limpet.fetch.page import Page
from limpet.fetch.policy.robots_keeper import RobotsAnswer
from limpet.fetch.screenshots import keep_screenshot
from limpet.fetch.trail import Reception, Trail
from limpet.source import Source
from limpet.target.address import join, parse_address

if TYPE_CHECKING:
    from limpet.fetch.browser.errand import Errand


class Client:
    """Page, redirect hop, robots.txt, index, signed URL, retry, browser sub-request: all of them come by here."""

    def __init__(
        self,
        gates: Gates,
        transport: HttpTransport,
        *,
        clock: Clock,
        user_agent: str,
        requests_at_once: int = 512,
    ) -> None:
        wire = asyncio.Semaphore(requests_at_once)
        self._sender = Sender(gates, transport, clock, user_agent, wire)
        self._transport = transport

    async def fetch(self, source: Source, url: str, *, trail: Trail, ask: Ask | None = None) -> Page:
        """Return the page, or raise the FetchError that says why there is none."""
        ask, asked_for = ask or Ask(), url
        redirects: list[str] = []
        while True:
            exchange = await self._exchange(source, url, ask, trail)
            answer = exchange.answer
            if exchange.problem is not None or answer is None:
                # An error that holds the frame that holds it would keep its page until the next gc.
                try:
                    raise _with_evidence(exchange, asked_for, url)
                finally:
                    del exchange, answer
            if answer.status not in REDIRECTS:
                return _page(exchange, answer, asked_for, url, tuple(redirects))
            if len(redirects) >= source.max_redirects:
                raise TooManyRedirects(f"More than {source.max_redirects} redirects, the last from {url}.")
            url, ask = _next_hop(url, ask, answer)
            redirects.append(url)

    async def forward(self, source: Source, url: str, *, ask: Ask, trail: Trail) -> Answer:
        """Return one hop's answer as it is, whatever its status; refusals and failures are raised."""
        exchange = await self._exchange(source, url, ask, trail)
        if exchange.answer is None:
            try:
                raise _with_evidence(exchange, url, url)
            finally:
                del exchange
        return exchange.answer

    async def close(self) -> None:
        """Close every connection."""
        await self._transport.close()

    async def _exchange(self, source: Source, url: str, ask: Ask, trail: Trail) -> Exchange:
        async def fetch_robots(source: Source, robots_url: str) -> RobotsAnswer:
            return await self._fetch_robots(source, robots_url, trail)

        return await self._sender.exchange(source, url, ask=ask, trail=trail, fetch_robots=fetch_robots)

    async def _fetch_robots(self, source: Source, url: str, trail: Trail) -> RobotsAnswer:
        try:
            page = await self.fetch(source, url, trail=trail, ask=Ask(kind="robots"))
        except FetchError as error:
            return RobotsAnswer(status=error.status, body=b"", error=error.code)
        return RobotsAnswer(status=page.status, body=page.body, error=None)


class Rendered(Protocol):
    """A page as a browser shows it, and what its scripts were told meanwhile."""

    @property
    def page(self) -> Page: ...

    @property
    def captured(self) -> Sequence[Any]: ...


class Renderer(Protocol):
    """Shows pages as a browser does."""

    async def render(
        self,
        source: Source,
        url: str,
        *,
        trail: Trail,
        wait_for: str | None = None,
        capture: Sequence[str] = (),
    ) -> Rendered:
        """Return the rendered page, or raise a FetchError with its code."""
        ...

    async def run_errand(self, source: Source, errand: Errand, *, trail: Trail) -> Page:
        """Return the page as the errand left it, or raise a FetchError with its code and evidence."""
        ...


class Way(Struct, frozen=True):
    """The client as a site's route sees it: bound to one source and one trail."""

    client: Client
    source: Source
    trail: Trail
    browser: Callable[[], Renderer] | None = None  # brought when a route first asks for it
    files: FileStore | None = None

    async def get(self, url: str, **request: Any) -> Page:
        """Return the page, or raise a FetchError with its code."""
        return await self.client.fetch(self.source, url, trail=self.trail, ask=Ask(**request))

    async def post_form(self, url: str, fields: Mapping[str, str], **request: Any) -> Page:
        """Return the answer to a form post, or raise a FetchError with its code."""
        ask = Ask(**request).with_form(fields)
        return await self.client.fetch(self.source, url, trail=self.trail, ask=ask)

    async def pour(self, url: str, sink: Sink, **request: Any) -> Page:
        """Let a good answer's body run into the sink; the page returned holds its beginning."""
        return await self.client.fetch(self.source, url, trail=self.trail, ask=Ask(**request, sink=sink))

    def receiving(self) -> AbstractContextManager[Reception]:
        """Hold off a stop from the first byte of a file until it is kept, so that none is fetched twice."""
        return self.trail.receiving()

    async def render(self, url: str, **request: Any) -> Rendered:
        """Return the page as a browser shows it, or raise a FetchError with its code."""
        return await self._renderer.render(self.source, url, trail=self.trail, **request)

    async def run_errand(self, errand: Errand) -> Page:
        """Return the page as the errand left it, or raise a FetchError; how it looked then is kept as a file."""
        try:
            return await self._renderer.run_errand(self.source, errand, trail=self.trail)
        except FetchError as problem:
            await asyncio.to_thread(keep_screenshot, problem, self.store, key=errand.name)
            raise

    @property
    def _renderer(self) -> Renderer:
        if self.browser is None:
            raise BrowserLaunchFailed(
                "No browser is at hand here.", fix="`limpet doctor` says what is missing."
            )
        return self.browser()

    @property
    def plain(self) -> Way:
        """This way is the plain one."""
        return self

    @property
    def store(self) -> FileStore:
        """Where files are kept."""
        if self.files is None:
            raise RuntimeError("this way was built without a place for files")
        return self.files


def _next_hop(url: str, ask: Ask, answer: Answer) -> tuple[str, Ask]:
    location = answer.headers.get("location")
    if not location:
        raise BadResponse(f"HTTP {answer.status} without a Location.", status=answer.status)
    try:
        target = join(url, location)
    except BadAddress as exc:
        raise AddressForbidden(f"A redirect leads away from the web: {exc}", fix=exc.fix) from exc
    same_origin = parse_address(url).origin == parse_address(target).origin
    return target, ask.after_redirect(answer.status, same_origin=same_origin)


def _with_evidence(exchange: Exchange, asked_for: str, url: str) -> FetchError:
    problem = exchange.problem or BadResponse("The origin gave no answer.")
    if exchange.answer is not None:
        problem.page = _page(exchange, exchange.answer, asked_for, url, ())
    return problem


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
