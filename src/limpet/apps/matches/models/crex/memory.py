"""What both ways to crex share: names, what its pages send along, and what is already known of each match."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field

from limpet.apps.matches.models.crex.code_book import CodeBook
from limpet.apps.matches.models.crex.info import MatchInfo
from limpet.apps.matches.models.crex.live import Beside
from limpet.apps.matches.record import DiscoveredMatch, InningsCard, Side

MOST_MATCHES = 1_000
# What the site's own pages send to its data host, and nothing that would pretend to be somebody else.
COPIED_HEADERS = ("authorization", "referer")


@dataclass(slots=True)
class KnownMatch:
    """What need not be asked again."""

    info: MatchInfo = field(default_factory=MatchInfo)
    bats_first: Side | None = None
    asked: dict[str, float] = field(default_factory=dict)  # monotonic seconds, by what was asked

    def is_due(self, what: str, *, now: float, every_seconds: float) -> bool:
        """Whether it may be asked again; answering yes counts as asking."""
        last = self.asked.get(what)
        if last is not None and now - last < every_seconds:
            return False
        self.asked[what] = now
        return True


class CrexMemory:
    """Shared by the adapters of one site in one process. Everything in it can be learnt again."""

    def __init__(self) -> None:
        self.book = CodeBook()
        self.headers: dict[str, str] = {}
        self.api_url = ""
        self._matches: OrderedDict[str, KnownMatch] = OrderedDict()

    def of(self, match: DiscoveredMatch) -> KnownMatch:
        """Return what is known of a match; the ones nobody asked about longest are forgotten."""
        known = self._matches.setdefault(match.match_key, KnownMatch())
        self._matches.move_to_end(match.match_key)
        while len(self._matches) > MOST_MATCHES:
            self._matches.popitem(last=False)
        return known

    def overhear(self, url: str, request_headers: Mapping[str, str]) -> None:
        """Keep where and with what a page asked its data host, so that asking directly works as well."""
        self.api_url = url.rpartition("/")[0]
        sent = {name.lower(): value for name, value in request_headers.items()}
        self.headers |= {name: sent[name] for name in COPIED_HEADERS if sent.get(name)}

    def beside(self, match: DiscoveredMatch, card: tuple[InningsCard, ...] = ()) -> Beside:
        """Return everything known that a live answer leaves out."""
        known = self.of(match)
        winner = known.info.toss.winner.casefold() if known.info.toss else ""
        teams = [self.book.team(listed.code, otherwise=listed) for listed in match.teams or ()]
        codes = [team.code for team in teams if winner in (team.short_name.casefold(), team.name.casefold())]
        return Beside(
            match,
            toss=known.info.toss,
            toss_winner_code=codes[0] if winner and codes else "",
            venue=known.info.venue,
            series=known.info.series,
            card=card,
            bats_first=known.bats_first,
        )
