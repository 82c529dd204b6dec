"""How one answer of crex is read by itself, without a code book: for `limpet parse` and for fixtures."""

from __future__ import annotations

from typing import Any

from limpet.apps.matches.models.crex.card import read_card
from limpet.apps.matches.models.crex.code_book import CodeBook
from limpet.apps.matches.models.crex.info import read_info
from limpet.apps.matches.models.crex.lists import fixtures, live_matches
from limpet.apps.matches.models.crex.live import Beside, read_live, team_codes
from limpet.apps.matches.models.telling import ScoreboardPage
from limpet.apps.matches.record import DiscoveredMatch, MatchList, MatchStatus
from limpet.apps.matches.scorecard import Scorecard, Side
from limpet.extract import Missing
from limpet.extract.failure import CannotRead
from limpet.extract.structured.loose_json import BadJson, loads
from limpet.fetch.page import Page

VERSION = "1.0.0"
DOMAIN = "crex"


class CrexAnswers(ScoreboardPage):
    """Reads sV3, sC4, the lists and the info page; which of them it is, the address says."""

    def record(self, page: Page) -> Any:
        """Return what the answer states, or raise CannotRead."""
        path, _, query = page.final_url.partition("?")
        if path.endswith("/sV3.php"):
            facts = json_in(page)
            match = DiscoveredMatch(DOMAIN, _key(query), page.final_url, MatchStatus.LIVE)
            return read_live(facts, Beside(match), CodeBook(), observed_at=page.fetched_at)
        if path.endswith("/sC4.php"):
            return Scorecard(read_card(json_in(page), _sides(query), CodeBook()))
        if path.rstrip("/").endswith("/info"):
            return read_info(page)
        if "/fixtures/" in path:
            return MatchList(tuple(fixtures(page, domain_id=DOMAIN)))
        return MatchList(tuple(live_matches(page, domain_id=DOMAIN)))


def json_in(page: Page) -> Any:
    """Return the JSON of an answer, or break off."""
    if not page.body.strip():
        raise CannotRead(Missing.EMPTY_PAGE, "the body is empty")
    try:
        return loads(page.body)
    except BadJson as wrong:
        raise CannotRead(Missing.NOT_PARSABLE, f"not JSON: {page.body[:60]!r}") from wrong


def _key(query: str) -> str:
    return next((part[4:] for part in query.split("&") if part.startswith("key=")), "")


def _sides(query: str) -> dict[str, Side]:
    """A scorecard alone names codes only: `&teams=CD.11` in the address says whose they are."""
    codes = next((part[6:] for part in query.split("&") if part.startswith("teams=")), "").split(".")
    return dict(zip(codes, ("team_a", "team_b"), strict=False)) if len(codes) == 2 else {}


PAGE = CrexAnswers()
__all__ = ["PAGE", "VERSION", "CrexAnswers", "json_in", "team_codes"]
