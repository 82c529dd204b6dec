"""How a rendered live page is read by itself: from its markup."""

from __future__ import annotations

from typing import Any

from limpet.apps.matches.models.crex.lists import match_at
from limpet.apps.matches.models.crex.live_page import read_live_page
from limpet.apps.matches.record import MatchStatus
from limpet.extract import Extraction, Missing, Unreadable
from limpet.extract.document import open_document
from limpet.extract.failure import CannotRead
from limpet.fetch.page import Page
from limpet.target import Target

VERSION = "1.0.0"
DOMAIN = "crex_browser"


class CrexLivePage:
    """Reads the score off the page; which match it is, the address says."""

    def read(self, page: Page, target: Target) -> Extraction[Any] | Unreadable:
        """Return what the page shows, or why it shows nothing."""
        try:
            match = match_at(page.final_url, domain_id=DOMAIN, status=MatchStatus.LIVE)
            if match is None:
                raise CannotRead(Missing.LISTING_PAGE, "the address is that of no match")
            return Extraction(page, read_live_page(open_document(page), match, observed_at=page.fetched_at))
        except CannotRead as failure:
            return failure.about(page)


PAGE = CrexLivePage()
