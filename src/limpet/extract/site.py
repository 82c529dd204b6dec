"""A site: how to reach a page of a source and how to read it, under an id and a version."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, Protocol

from limpet.extract.extraction import Extraction, Unreadable
from limpet.fetch.client import Rendered
from limpet.fetch.filing import FileStore, Sink
from limpet.fetch.page import Page
from limpet.fetch.trail import Reception
from limpet.source import Source
from limpet.target import Target


class PageModel(Protocol):
    """Reads one kind of page. Deterministic: the same bytes always give the same answer."""

    def read(self, page: Page, target: Target) -> Extraction[Any] | Unreadable:
        """Return the record the page states, or why there is none."""
        ...


class Getter(Protocol):
    """The way to the network as a route sees it: already bound to its source and its trail."""

    async def get(self, url: str, **request: Any) -> Page:
        """Return the page, or raise a FetchError with its code."""
        ...

    @property
    def plain(self) -> PlainWay:
        """The same way without a browser, for routes with steps of their own."""
        ...


class PlainWay(Getter, Protocol):
    """Every step a route may take: forms, files, and a browser for what only scripts can show."""

    async def post_form(self, url: str, fields: Mapping[str, str], **request: Any) -> Page:
        """Return the answer to a form post, or raise a FetchError with its code."""
        ...

    async def pour(self, url: str, sink: Sink, **request: Any) -> Page:
        """Let a good answer's body run into the sink; the page returned holds its beginning."""
        ...

    def receiving(self) -> AbstractContextManager[Reception]:
        """Hold off a stop from the first byte of a file until it is kept, so that none is fetched twice."""
        ...

    async def render(self, url: str, **request: Any) -> Rendered:
        """Return the page as a browser shows it, or raise a FetchError with its code."""
        ...

    @property
    def store(self) -> FileStore:
        """Where files are kept."""
        ...


# A site's steps to its page; most sites have none and are simply asked for their address.
Route = Callable[[Getter, Source, Target], Awaitable[Page]]


async def straight(way: Getter, source: Source, target: Target) -> Page:
    """The route of a site without detours: ask for the address, conditionally when we have seen it before."""
    return await way.get(target.url, validators=target.validators)


@dataclass(frozen=True, slots=True)
class Site:
    """Route, page model and version of one adapter. Raise the version whenever the reading changes."""

    id: str
    version: str
    app: str
    domain: str
    page_model: PageModel
    route: Route = straight
    requires_browser: bool = False
