"""The browser's two ends: out through the client's gates, and in as just another way to a page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from limpet.fetch.ask import Ask
from limpet.fetch.browser.answer import Answer
from limpet.fetch.browser.errand import Errand
from limpet.fetch.browser.fetcher import BrowserFetcher, Rendered
from limpet.fetch.client import Client, Way
from limpet.fetch.page import Page
from limpet.fetch.trail import Trail
from limpet.source import Source

# What we say about ourselves and what we can decode is said by the client, for the browser as for everybody.
_SAID_BY_THE_CLIENT = frozenset({"user-agent", "accept-encoding", "host", "content-length"})
# A rendered page is what its scripts made of it: a 304 would leave them nothing to run.
_NOT_FOR_A_BROWSER = frozenset({"validators"})


@dataclass(frozen=True, slots=True)
class ForwardThroughClient:
    """Sends each of the browser's requests by the one way to the network."""

    client: Client

    async def __call__(  # noqa: PLR0917 - the order is that of a request on the wire
        self, source: Source, method: str, url: str, headers: Mapping[str, str], body: bytes, trail: Trail
    ) -> Answer:
        kept = {name: value for name, value in headers.items() if name.lower() not in _SAID_BY_THE_CLIENT}
        ask = Ask(kind="browser", method=method, headers=kept, data=body or None)
        answer = await self.client.forward(source, url, ask=ask, trail=trail)
        return Answer(answer.status, _reason(answer.status), list(answer.headers.items()), answer.body)


@dataclass(frozen=True, slots=True)
class BrowserWay:
    """The browser as a site's route sees it: bound to one source and one trail."""

    browser: BrowserFetcher
    source: Source
    trail: Trail
    plain: Way  # for forms and files, which no browser is needed for

    async def get(self, url: str, **request: Any) -> Page:
        """Return the rendered page, or raise a FetchError with its code."""
        asked = {name: value for name, value in request.items() if name not in _NOT_FOR_A_BROWSER}
        return await self.browser.get(self.source, url, trail=self.trail, **asked)

    async def run_errand(self, errand: Errand) -> Page:
        """Return the page as the errand left it, or raise a FetchError with its code and evidence."""
        return await self.plain.run_errand(errand)

    async def render(self, url: str, **request: Any) -> Rendered:
        """Return the page with what its scripts were told meanwhile, or raise a FetchError with its code."""
        return await self.browser.render(self.source, url, trail=self.trail, **request)


def _reason(status: int) -> str:
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return ""
