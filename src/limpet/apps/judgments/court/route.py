"""The way to a document: the page's nonce, the desk's signed address, Box's bytes - straight to the disk."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

import structlog
from msgspec.structs import replace

from limpet.apps.judgments.court.ajax import Handed, NonceRefused, read_answer
from limpet.apps.judgments.court.box import signed_url
from limpet.apps.judgments.court.court import Court
from limpet.apps.judgments.court.session import Session, Sessions
from limpet.apps.judgments.errors import AddressExpired, AjaxFault, AjaxRefused, AjaxUnreadable
from limpet.apps.judgments.options import options_of
from limpet.errors import (
    DocumentError,
    FetchError,
    HttpStatusError,
    MalformedPdf,
    PageBlocked,
    PageGone,
    ServerFault,
)
from limpet.extract.site import Getter, PlainWay
from limpet.fetch.filing import DraftFile, StoredArtefact
from limpet.fetch.page import Page
from limpet.fetch.pdf import PdfWatch, is_whole_pdf
from limpet.fetch.trail import Reception
from limpet.source import Source
from limpet.target import Target
from limpet.target.address import without_secret

_log = structlog.get_logger("limpet.judgments")
KIND = "pdfs"
MEDIA_TYPE = "application/pdf"
_ADDRESSES_PER_TRY = 2  # one may run out between the desk and Box; a second that does is another matter


@dataclass(slots=True)
class DocumentRoute:
    """Brings one document; its session with the court is shared by everybody who goes there."""

    court: Court
    sessions: Sessions = field(init=False)

    def __post_init__(self) -> None:
        self.sessions = Sessions(self.court)

    async def __call__(self, way: Getter, source: Source, target: Target) -> Page:
        """Return the page of the document with its file, or raise what stood in the way."""
        plain = way.plain
        standing = await self._standing(plain, source, target)
        if standing is not None:
            _log.debug("download_adopted", key=_key(target))
            return standing
        _log.debug("download_started", key=_key(target))
        for is_last in (*[False] * (_ADDRESSES_PER_TRY - 1), True):
            url = await self._address(plain, source, str(target.params["token"]))
            try:
                return await self._download(plain, url, target)
            except (PageBlocked, PageGone) as over:
                if is_last:
                    raise AddressExpired(
                        f"Box refused {_ADDRESSES_PER_TRY} fresh addresses (HTTP {over.status}).",
                        status=over.status,
                    ) from over
        raise AssertionError("the last try returns or raises")

    async def _standing(self, way: PlainWay, source: Source, target: Target) -> Page | None:
        """Return the page of a file that stands there already, as after a crash before its row was written."""
        file = await asyncio.to_thread(
            way.store.adopt, KIND, _key(target), suffix=".pdf", media_type=MEDIA_TYPE, accept=is_whole_pdf
        )
        if file is None:
            return None
        url = self.court.listing_url(source)
        return Page(url, url, 200, {}, b"", fetched_at=file.stored_at, fetcher="disk", files=(file,))

    # -- the desk ------------------------------------------------------------------------------------------

    async def _address(self, way: PlainWay, source: Source, token: str) -> str:
        session = await self.sessions.current(way, source)
        try:
            handed = await self._ask(way, source, token, session)
        except NonceRefused:
            session = await self.sessions.current(way, source, refused=session)
            try:
                handed = await self._ask(way, source, token, session)
            except NonceRefused as still:
                said = "The desk refuses us, even with a fresh nonce."
                raise _in_its_place(still.answer, AjaxRefused, said) from still
        return signed_url(handed, source, options_of(source))

    async def _ask(self, way: PlainWay, source: Source, token: str, session: Session) -> Handed:
        base, listing = self.court.base(source), self.court.listing_url(source)
        headers = {"X-Requested-With": "XMLHttpRequest", "Origin": base, "Referer": listing}
        if session.cookies:
            headers["Cookie"] = session.cookies
        form = {
            "action": self.court.action,
            "fid": session.folder_id,
            "fname": token,
            "security": session.nonce,
        }
        try:
            page = await way.post_form(self.court.ajax_url(source), form, headers=headers, kind="ajax")
        except PageBlocked as refusal:
            if refusal.status != 403:
                raise
            raise NonceRefused(refusal) from refusal
        except ServerFault as fault:
            raise _in_its_place(fault, AjaxFault, f"The desk fails (HTTP {fault.status}).") from fault
        except HttpStatusError as odd:
            if odd.status != 400:
                raise
            said = "The desk does not know what we ask (HTTP 400): its script has changed."
            raise _in_its_place(odd, AjaxUnreadable, said) from odd
        return read_answer(page)

    # -- Box -----------------------------------------------------------------------------------------------

    async def _download(self, way: PlainWay, url: str, target: Target) -> Page:
        draft = way.store.draft(KIND, _key(target), suffix=".pdf", media_type=MEDIA_TYPE)
        try:
            with way.receiving() as reception:
                page, file = await self._receive(way, url, draft, reception)
        finally:
            draft.discard()
        _log.debug("download_finished", key=_key(target), bytes=file.size_bytes)
        return replace(_without_address(page), files=(file,))

    @staticmethod
    async def _receive(
        way: PlainWay, url: str, draft: DraftFile, reception: Reception
    ) -> tuple[Page, StoredArtefact]:
        """Let the bytes in, and keep them when they are a whole PDF."""
        watch = PdfWatch(draft)
        page = await way.pour(url, reception.through(watch), kind="signed", has_secret_query=True)
        announced = None if page.headers.get("content-encoding") else page.headers.get("content-length")
        problem = watch.objection(announced)
        if problem:
            broken = MalformedPdf(f"What Box sent is no whole PDF: {problem}.", status=page.status)
            broken.page = _without_address(page)
            raise broken
        return page, await asyncio.to_thread(draft.finish)


def _key(target: Target) -> str:
    return str(target.params["file_key"])


def _without_address(page: Page) -> Page:
    """A signed address is a secret: only where it led stays."""
    return replace(page, url=without_secret(page.url), final_url=without_secret(page.final_url), redirects=())


def _in_its_place(error: FetchError | None, kind: type[DocumentError], message: str) -> DocumentError:
    """Return the same trouble under the name it has here, with its evidence."""
    if error is None:
        return kind(message)
    named = kind(message, status=error.status, retry_after=error.retry_after)
    named.page = error.page
    return named
