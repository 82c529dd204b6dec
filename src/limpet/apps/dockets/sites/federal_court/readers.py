"""Two readers of one site: the JSON, and the page when that is refused. What each brings is one and the same record."""

from __future__ import annotations

from typing import Any, Protocol

from limpet.apps.dockets.addresses import case_at
from limpet.apps.dockets.docket import Docket
from limpet.apps.dockets.document import CourtDocument, fetch_document, read_document
from limpet.apps.dockets.sites.federal_court import browser_reader, json_reader
from limpet.apps.dockets.sites.federal_court.choosing import (
    Choice,
    Detour,
    choice_of,
    is_refusal_of_the_endpoint,
    worse_of,
)
from limpet.errors import FetchError
from limpet.extract import Extraction, Missing, Unreadable
from limpet.extract.failure import CannotRead
from limpet.extract.parse.case_number import CaseNumber
from limpet.extract.site import Getter
from limpet.fetch.page import Page
from limpet.source import Source
from limpet.target import Target

VERSION = "1.0.0"


class Reader(Protocol):
    """One way to a docket: how it is reached, which pages are its own, and how they are read."""

    async def reach(self, way: Getter, source: Source, target: Target) -> Page:
        """Return one page that holds everything the record is read from."""
        ...

    def recognises(self, page: Page) -> bool:
        """Whether this reader made the page."""
        ...

    def read(self, page: Page, target: Target, asked: CaseNumber) -> Docket:
        """Return the docket, or raise CannotRead; NO_RECORD only on the court's explicit word."""
        ...


BY_JSON: Reader = json_reader.JsonReader(VERSION)
BY_PAGE: Reader = browser_reader.BrowserReader(VERSION)
# Pages of either may be read at any time, also years later.
READERS = (BY_JSON, BY_PAGE)
DETOUR = Detour()


async def reach_docket(way: Getter, source: Source, target: Target) -> Page:
    """Ask for the case by the reader that goes now, or for a published document by its address."""
    if case_at(target.address) is None:
        return await fetch_document(way.plain, target)
    choice = choice_of(source)
    if choice is Choice.BROWSER or (choice is Choice.AUTO and DETOUR.is_taken(source)):
        return await BY_PAGE.reach(way, source, target)
    try:
        return await BY_JSON.reach(way, source, target)
    except FetchError as refusal:
        if choice is Choice.JSON or not is_refusal_of_the_endpoint(refusal):
            raise
        return await _by_the_page_instead(way, source, target, refusal)


async def _by_the_page_instead(way: Getter, source: Source, target: Target, refusal: FetchError) -> Page:
    """Read the page where the JSON is refused; when that works, go on so."""
    try:
        page = await BY_PAGE.reach(way, source, target)
    except FetchError as by_page:
        raise worse_of(refusal, by_page) from by_page
    DETOUR.take(source)
    return page


class DocketPage:
    """Reads whatever either reader brought."""

    def read(self, page: Page, target: Target) -> Extraction[Docket | CourtDocument] | Unreadable:
        """Return the docket or the document, or why there is none we may believe."""
        try:
            return Extraction(page, self._record(page, target))
        except CannotRead as failure:
            return failure.about(page)

    def _record(self, page: Page, target: Target) -> Any:
        asked = case_at(target.address)
        if asked is None:
            return read_document(page, target, version=VERSION)
        for reader in READERS:
            if reader.recognises(page):
                return reader.read(page, target, asked)
        raise CannotRead(Missing.NOT_PARSABLE, f"no reader knows such an answer ({page.media_type})")


PAGE = DocketPage()
