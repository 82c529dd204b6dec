"""A published document: the PDF behind an entry of a docket, straight to the disk."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from functools import partial
from urllib.parse import parse_qs, urlsplit

from msgspec.structs import replace

from limpet.errors import MalformedPdf
from limpet.extract import Missing
from limpet.extract.failure import CannotRead
from limpet.extract.site import PlainWay
from limpet.fetch.page import Page
from limpet.fetch.pdf import PdfWatch, is_whole_pdf
from limpet.target import Target

KIND = "pdfs"
MEDIA_TYPE = "application/pdf"
SMALLEST_BYTES = 128  # a court's letter of one line is a document too


@dataclass(frozen=True, slots=True)
class CourtDocument:
    """A document that was kept, and the docket entry it belongs to."""

    source_id: str
    case_id: str
    entry_id: int
    document_number: str
    sha256: str
    adapter_version: str


async def fetch_document(way: PlainWay, target: Target) -> Page:
    """Return the page of the document with its file; raise MalformedPdf when no whole one came."""
    standing = await asyncio.to_thread(
        partial(
            way.store.adopt,
            KIND,
            _key(target),
            suffix=".pdf",
            media_type=MEDIA_TYPE,
            accept=partial(is_whole_pdf, smallest=SMALLEST_BYTES),
        )
    )
    if standing is not None:  # as after a crash before its row was written
        return Page(
            target.url, target.url, 200, {}, b"", standing.stored_at, fetcher="disk", files=(standing,)
        )
    draft = way.store.draft(KIND, _key(target), suffix=".pdf", media_type=MEDIA_TYPE)
    watch = PdfWatch(draft, smallest=SMALLEST_BYTES)
    try:
        page = await way.pour(target.url, watch)
        announced = None if page.headers.get("content-encoding") else page.headers.get("content-length")
        if problem := watch.objection(announced):
            broken = MalformedPdf(f"What came is no whole PDF: {problem}.", status=page.status)
            broken.page = page
            raise broken
        return replace(page, files=(await asyncio.to_thread(draft.finish),))
    finally:
        draft.discard()


def read_document(page: Page, target: Target, *, version: str) -> CourtDocument:
    """Return the document that was kept, or raise CannotRead when none was."""
    if not page.files:
        raise CannotRead(Missing.NOT_PARSABLE, "no document was kept")
    return CourtDocument(
        source_id=target.source_id,
        case_id=str(target.params.get("case_id", "")),
        entry_id=int(target.params.get("entry_id", 0)),
        document_number=_number(target),
        sha256=page.files[0].sha256,
        adapter_version=version,
    )


def _number(target: Target) -> str:
    return parse_qs(urlsplit(target.address).query).get("foremostNum", [""])[0]


def _key(target: Target) -> str:
    return f"{target.params.get('case_id', 'CASE')}-{_number(target)}"
