"""How a rendered live page is read by itself: from its markup."""

from __future__ import annotations

from limpet.apps.matches.models.crex.lists import match_at
from limpet.apps.matches.models.crex.live_page import read_live_page
from limpet.apps.matches.models.telling import ScoreboardPage
from limpet.apps.matches.record import MatchSnapshot, MatchStatus
from limpet.extract import Missing
from limpet.extract.document import open_document
from limpet.extract.failure import CannotRead
from limpet.fetch.page import Page

VERSION = "1.0.0"
DOMAIN = "crex_browser"


class CrexLivePage(ScoreboardPage):
    """Reads the score off the page; which match it is, the address says."""

    def record(self, page: Page) -> MatchSnapshot:
        """Return what the page shows, or raise CannotRead."""
        match = match_at(page.final_url, domain_id=DOMAIN, status=MatchStatus.LIVE)
        if match is None:
            raise CannotRead(Missing.LISTING_PAGE, "the address is that of no match")
        return read_live_page(open_document(page), match, observed_at=page.fetched_at)


PAGE = CrexLivePage()
