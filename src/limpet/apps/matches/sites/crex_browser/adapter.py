"""crex by browser: its live page is opened, and what its own script is told is overheard."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Protocol, runtime_checkable

from limpet.apps.matches.adapter import DomainAdapterDescriptor
from limpet.apps.matches.models.crex.card import codes_on_card, read_card
from limpet.apps.matches.models.crex.code_book import CodeBook
from limpet.apps.matches.models.crex.lists import live_matches
from limpet.apps.matches.models.crex.live import batting_first, player_codes, read_live, team_codes
from limpet.apps.matches.models.crex.live_page import read_live_page
from limpet.apps.matches.models.crex.memory import CrexMemory
from limpet.apps.matches.record import (
    BallEvent,
    DiscoveredMatch,
    InningsCard,
    MatchSnapshot,
    Side,
    in_order,
)
from limpet.errors import UsageError
from limpet.extract.document import open_document
from limpet.extract.failure import CannotRead
from limpet.extract.site import Getter
from limpet.extract.structured.loose_json import BadJson, loads
from limpet.fetch.browser.fetcher import Rendered
from limpet.fetch.browser.storage import StorageWish
from limpet.fetch.browser.visit import Captured

BASE_URL = "https://crex.com"
LIVE, CARD = "*/sV3.php?*", "*/sC4.php?*"
BOOK = ("t_*", "p_*", "s_*")


@runtime_checkable
class Renders(Protocol):
    """A way by browser."""

    async def render(self, url: str, **request: Any) -> Rendered:
        """Return the page with what its scripts were told meanwhile."""
        ...


class CrexBrowserAdapter:
    """Opens the live page on a pooled context; names come late, so it waits for those the answer needs."""

    def __init__(self, descriptor: DomainAdapterDescriptor, memory: CrexMemory) -> None:
        self._descriptor = descriptor
        self._memory = memory
        self._base = str(descriptor.metadata.get("base_url", BASE_URL)).rstrip("/")
        self._names_patience = float(descriptor.metadata.get("names_patience_seconds", 8.0))
        self._most = int(descriptor.metadata.get("most_matches", 0))  # a page is dear; 0 means no limit
        self._chosen: set[str] = set()

    @property
    def domain_id(self) -> str:
        """The name under which its matches are known."""
        return self._descriptor.domain_id

    async def discover(self, way: Getter) -> Sequence[DiscoveredMatch]:
        """Return the live matches, or as many of them as the domain is to follow: the same ones while they last."""
        page = await way.get(f"{self._base}/live-matches")
        listed = live_matches(page, domain_id=self.domain_id)
        if not self._most:
            return listed
        listed.sort(key=lambda match: match.match_key not in self._chosen)
        self._chosen = {match.match_key for match in listed[: self._most]}
        return listed[: self._most]

    async def fetch_match(
        self, match: DiscoveredMatch, way: Getter, *, with_card: bool = False
    ) -> MatchSnapshot:
        """Return how the match stands: as the page's own data says, else as the page shows it."""
        enough = partial(self._knows_enough, with_card=with_card)
        wish = StorageWish(BOOK, enough, self._names_patience)
        rendered = await by_browser(way).render(
            # A scorecard that does not come must not hold up the score when nobody asked for it.
            match.url,
            capture=[LIVE, CARD] if with_card else [LIVE],
            wait_for_capture=True,
            storage=wish,
        )
        self._memory.book.learn(rendered.storage)
        overheard = _newest(rendered.captured, LIVE)
        if overheard is None:
            return read_live_page(open_document(rendered.page), match, observed_at=rendered.page.fetched_at)
        self._memory.overhear(overheard.url, overheard.request_headers)
        card = self._card(match, rendered) if with_card else ()
        beside = self._memory.beside(match, card)
        snapshot = read_live(
            _facts(overheard), beside, self._memory.book, observed_at=rendered.page.fetched_at
        )
        self._memory.of(match).bats_first = batting_first(snapshot)
        return snapshot

    async def fetch_balls(self, match: DiscoveredMatch, way: Getter, *, innings: int) -> Sequence[BallEvent]:
        """Return the balls the page still shows of that innings."""
        snapshot = await self.fetch_match(match, way)
        return [ball for ball in snapshot.balls if ball.key.innings == innings]

    def _knows_enough(
        self, stored: Mapping[str, str], captured: Sequence[Captured], *, with_card: bool
    ) -> bool:
        """Whether every code that was overheard has its name, in what we know or in what the page has by now."""
        live, card = _newest(captured, LIVE), _newest(captured, CARD)
        if live is None:
            return False
        book, known = CodeBook(), self._memory.book
        book.learn(stored)
        try:
            teams, players = team_codes(_facts(live)), set(player_codes(_facts(live)))
        except CannotRead:
            return True  # not an answer that any name would help
        players |= set(codes_on_card(_facts(card))) if card is not None and with_card else set()
        return all(book.player(code) or known.player(code) for code in players) and all(
            book.team(code).name or known.team(code).name for code in teams
        )

    def _card(self, match: DiscoveredMatch, rendered: Rendered) -> tuple[InningsCard, ...]:
        overheard = _newest(rendered.captured, CARD)
        if overheard is None or match.teams is None:
            return ()
        first, second = in_order(*(self._memory.book.team(t.code, otherwise=t) for t in match.teams))
        sides: dict[str, Side] = {first.code: "team_a", second.code: "team_b"}
        return read_card(_facts(overheard), sides, self._memory.book)


def by_browser(way: Getter) -> Renders:
    """Return the way as one that renders, or say that the source is set up for plain HTTP."""
    if not isinstance(way, Renders):
        raise UsageError(
            "The domain crex_browser was given a way without a browser.",
            fix='Set fetcher = "browser" for its source.',
        )
    return way


def _newest(captured: Sequence[Captured], glob: str) -> Captured | None:
    """Return the last good answer to a call; a refused one says nothing about the match."""
    name = glob.split("/")[1].partition("?")[0]
    fitting = [each for each in captured if f"/{name}" in each.url and each.status == 200]
    return fitting[-1] if fitting else None


def _facts(overheard: Captured) -> Any:
    try:
        return loads(overheard.body)
    except BadJson:
        return None
