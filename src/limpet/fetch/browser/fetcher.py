"""The browser fetcher: a page as Chromium renders it, under the same terms as a page over plain HTTP."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal
from urllib.parse import urldefrag, urlsplit

from msgspec.structs import replace

from limpet.clock import Clock, SystemClock
from limpet.errors import (
    BadAddress,
    BadResponse,
    BrowserElementNotFound,
    ConnectionFailed,
    FetchError,
    FetchTimeout,
    TooManyRedirects,
)
from limpet.fetch.browser.answer import Answer
from limpet.fetch.browser.egress import REFUSED_HEADER
from limpet.fetch.browser.errand import Desk, Errand
from limpet.fetch.browser.lease import Lease, tells_of_death
from limpet.fetch.browser.patience import Patience
from limpet.fetch.browser.pool import BrowserPool
from limpet.fetch.browser.rendering import rendered_html
from limpet.fetch.browser.storage import StorageWish, stored_in_time
from limpet.fetch.browser.visit import Captured, Visit
from limpet.fetch.classify import objection
from limpet.fetch.page import Page
from limpet.fetch.trail import Trail
from limpet.source import Source

if TYPE_CHECKING:
    from playwright.async_api import Response

WaitUntil = Literal["commit", "domcontentloaded", "load", "networkidle"]
_EVIDENCE_SECONDS = 10.0
_HTML = ("text/html", "application/xhtml+xml", "")


@dataclass(frozen=True, slots=True)
class Rendered:
    """A page as rendered, with what its scripts were told meanwhile and how it looked, when asked for."""

    page: Page
    captured: tuple[Captured, ...] = ()
    screenshot: bytes | None = None
    storage: Mapping[str, str] = field(default_factory=dict)


class BrowserFetcher:
    """Fetches pages that only exist once their scripts ran."""

    def __init__(self, pool: BrowserPool, *, clock: Clock | None = None) -> None:
        self._pool = pool
        self._clock = clock or SystemClock()

    async def get(
        self,
        source: Source,
        url: str,
        *,
        trail: Trail,
        wait_for: str | None = None,
        wait_until: WaitUntil = "load",
    ) -> Page:
        """Return the rendered page, or raise the FetchError that says why there is none."""
        rendered = await self.render(source, url, trail=trail, wait_for=wait_for, wait_until=wait_until)
        return rendered.page

    async def render(
        self,
        source: Source,
        url: str,
        *,
        trail: Trail,
        wait_for: str | None = None,
        wait_until: WaitUntil = "load",
        capture: Sequence[str] = (),
        wait_for_capture: bool = False,
        screenshot: bool = False,
        storage: StorageWish | None = None,
    ) -> Rendered:
        """Return the rendered page and what was captured of its own requests (`capture` are URL globs).

        With `wait_for` (a CSS selector) or `wait_for_capture` the page has until the deadline to show the
        element, or to have asked for something matching every glob. With `storage` the page is left open until
        what it keeps in localStorage is enough, or for as long as that wish allows.
        """
        if urlsplit(url).scheme not in ("http", "https"):
            raise BadAddress(f"a browser is sent to http and https addresses only, not {url[:80]}")
        async with self._pool.page(source, trail, capture=capture) as lease:
            patience = Patience(source, lease.visit)
            started = self._clock.monotonic()
            try:
                async with patience:
                    main = await self._open(lease, url, wait_until=wait_until)
                    await self._wait(lease, patience, wait_for=wait_for, captures=wait_for_capture)
                    kept = await stored_in_time(lease, storage, clock=self._clock) if storage else {}
                    page = await self._read(lease, url, main, started=started)
                    shot = await lease.page.screenshot() if screenshot else None
            except TimeoutError as waited:
                raise _too_late(url, source, patience.waiting_for) from waited
            return Rendered(page, tuple(lease.visit.captured), shot, kept)

    async def run_errand(self, source: Source, errand: Errand, *, trail: Trail) -> Page:
        """Return the page as the errand left it; a FetchError brings the page as it stood and how it looked."""
        async with self._pool.page(source, trail, capture=errand.capture, stays_open=True) as lease:
            desk, started = Desk(lease.page, lease.visit), self._clock.monotonic()
            try:
                async with Patience(source, lease.visit):
                    await self._run(errand, desk, lease)
                    page = await self._as_it_stands(lease, errand.address)
                self._object(page)
                return replace(page, elapsed_ms=(self._clock.monotonic() - started) * 1000)
            except (TimeoutError, FetchError) as trouble:
                problem = _trouble(trouble, errand, desk, source)
                await self._add_evidence(problem, lease, errand.address)
                raise problem from trouble

    async def _run(self, errand: Errand, desk: Desk, lease: Lease) -> None:
        """Run the errand in the page that stands open; in a new one every so often, and when that one fails."""
        if lease.errands % errand.renew_after:
            try:
                await self._in_the_page(errand.run(desk))
            except BrowserElementNotFound:
                lease.visit.captured.clear()
            else:
                return
        await self._open(lease, errand.address, wait_until="load")
        desk.is_new = True
        await self._in_the_page(errand.settle_in(desk))
        await self._in_the_page(errand.run(desk))

    async def _in_the_page(self, step: Awaitable[None]) -> None:
        """Take a step; an element that is gone, covered or replaced under our hands is one error of ours."""
        from playwright.async_api import Error  # noqa: PLC0415 - slow to import, and rarely needed

        try:
            await step
        except Error as fault:
            if tells_of_death(fault):
                raise
            raise BrowserElementNotFound(str(fault).partition("\n")[0]) from fault

    async def _as_it_stands(self, lease: Lease, url: str) -> Page:
        answer = Answer(200, "", (("content-type", "text/html"),), b"")
        body = await rendered_html(lease.session, max_bytes=lease.visit.source.max_bytes)
        final_url = urldefrag(lease.page.url).url
        return self._page(lease.visit, url, answer, final_url=final_url, body=body)

    async def _add_evidence(self, problem: FetchError, lease: Lease, url: str) -> None:
        """Let the error bring the page as it stands and looks; a page past showing is no further error."""
        with contextlib.suppress(Exception):
            async with asyncio.timeout(_EVIDENCE_SECONDS):
                problem.page = await self._as_it_stands(lease, url)
                problem.screenshot = await lease.page.screenshot()

    async def _open(self, lease: Lease, url: str, *, wait_until: WaitUntil) -> Response | None:
        """Go there, or raise what stood in the way: our own refusal, the site's status, the line between."""
        from playwright.async_api import Error  # noqa: PLC0415 - slow to import, and rarely needed

        visit = lease.visit
        try:
            response = await lease.page.goto(url, wait_until=wait_until, timeout=0)
        except Error as fault:
            if tells_of_death(fault):
                raise
            last = visit.last_hop(url)
            _raise_recorded(visit, last)
            if last not in visit.documents:  # else it was a download, or an answer without content
                raise _unreached(url, str(fault)) from fault
            response = None
        if response is not None and REFUSED_HEADER in response.headers:
            _raise_recorded(visit, response.url)
        answer = _main_answer(visit, url, response)
        self._object(self._page(visit, url, answer, final_url=visit.last_hop(url), body=answer.body))
        return response

    async def _wait(self, lease: Lease, patience: Patience, *, wait_for: str | None, captures: bool) -> None:
        if wait_for:
            patience.waiting_for = wait_for
            await lease.page.wait_for_selector(wait_for, state="attached", timeout=0)
            patience.waiting_for = ""
        while captures and not all(map(lease.visit.has_captured, lease.visit.capture)):
            lease.visit.on_capture.clear()
            await lease.visit.on_capture.wait()

    async def _read(self, lease: Lease, url: str, main: Response | None, *, started: float) -> Page:
        """Make the Page of what stands there now; scripts may have gone elsewhere since it was opened."""
        visit, source = lease.visit, lease.visit.source
        here = urldefrag(lease.page.url).url
        _raise_recorded(visit, here)
        answer = visit.documents.get(here) or _main_answer(visit, url, main)
        final_url = here if main is not None else visit.last_hop(url)
        if main is not None and answer.media_type in _HTML:
            body = await rendered_html(lease.session, max_bytes=source.max_bytes)
        else:
            body = answer.body
        page = self._page(visit, url, answer, final_url=final_url, body=body)
        self._object(page)
        return replace(page, elapsed_ms=(self._clock.monotonic() - started) * 1000)

    def _page(self, visit: Visit, url: str, answer: Answer, *, final_url: str, body: bytes) -> Page:
        return Page(
            url=url,
            final_url=final_url,
            status=answer.status,
            headers=_page_headers(answer),
            body=body,
            fetched_at=self._clock.now(),
            fetcher="browser",
            redirects=tuple(visit.hops_from(url)),
        )

    def _object(self, page: Page) -> None:
        """Raise what this answer amounts to when it is no page we may read, with the answer as evidence."""
        if problem := objection(page.status, page.headers, page.body, now=self._clock.now()):
            problem.page = page
            raise problem


def _main_answer(visit: Visit, url: str, response: Response | None) -> Answer:
    """Return the origin's own answer for the document; a service worker's is all Chromium knows of it."""
    for address in (response.url if response else "", visit.last_hop(url)):
        if answer := visit.documents.get(urldefrag(address).url):
            return answer
    if response is None:
        raise BadResponse(f"{url} gave no document")
    return Answer(response.status, response.status_text, tuple(response.headers.items()), b"")


def _page_headers(answer: Answer) -> dict[str, str]:
    """Return the origin's headers; rendered HTML is UTF-8 whatever the origin's bytes were."""
    headers = answer.header_map
    if answer.media_type in _HTML:
        headers["content-type"] = f"{answer.media_type or 'text/html'}; charset=utf-8"
    for framing in ("content-encoding", "content-length", "transfer-encoding"):
        headers.pop(framing, None)
    return headers


def _raise_recorded(visit: Visit, url: str) -> None:
    """Raise what the guard recorded about an address: a fault of ours, a gate's refusal, a failed request."""
    if visit.fault is not None:
        raise visit.fault
    if error := visit.failures.get(urldefrag(url).url):
        raise error


def _unreached(url: str, message: str) -> FetchError:
    first_line = message.partition("\n")[0]
    if "ERR_TOO_MANY_REDIRECTS" in message:
        return TooManyRedirects(f"{url}: {first_line}")
    return ConnectionFailed(f"{url}: {first_line}")


def _trouble(trouble: TimeoutError | FetchError, errand: Errand, desk: Desk, source: Source) -> FetchError:
    """Say what went wrong; what a page that stood open failed to do may be tried again in a new one."""
    if isinstance(trouble, FetchError):
        return trouble
    if not desk.is_new:
        return FetchTimeout(f"{errand.address}, open from earlier, gave no {desk.waiting_for or 'sign'}")
    return _too_late(errand.address, source, desk.waiting_for)


def _too_late(url: str, source: Source, waiting_for: str) -> FetchError:
    if waiting_for:
        return BrowserElementNotFound(f"{url} showed no {waiting_for} within {source.patience_seconds:g} s")
    return FetchTimeout(f"{url} took longer than {source.patience_seconds:g} s")
