"""A published document: the PDF behind an entry of a docket."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import parse_qs, urlsplit

from limpet.extract import Missing
from limpet.extract.failure import CannotRead
from limpet.fetch.page import Page
from limpet.target import Target

PDF = b"%PDF-"
_END = b"%%EOF"


@dataclass(frozen=True, slots=True)
class CourtDocument:
    """A document as it was sent; which docket it belongs to is known from its target."""

    source_id: str
    case_id: str
    entry_id: int
    document_number: str
    content: bytes
    adapter_version: str


def read_document(page: Page, target: Target, *, version: str) -> CourtDocument:
    """Return the document, or raise CannotRead when what came is no whole PDF."""
    if not page.body.startswith(PDF):
        raise CannotRead(Missing.NOT_PARSABLE, f"no PDF came, but {page.media_type or 'something unnamed'}")
    if _END not in page.body[-2048:]:
        raise CannotRead(Missing.NOT_PARSABLE, "the PDF breaks off before its end")
    number = parse_qs(urlsplit(target.address).query).get("foremostNum", [""])[0]
    return CourtDocument(
        source_id=target.source_id,
        case_id=str(target.params.get("case_id", "")),
        entry_id=int(target.params.get("entry_id", 0)),
        document_number=number,
        content=page.body,
        adapter_version=version,
    )
