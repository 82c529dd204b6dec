"""The pavilion by plain HTTP: a list, a page per match, a list of balls per innings."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import urlsplit

from limpet.apps.matches.adapter import DomainAdapterDescriptor
from limpet.apps.matches.record import BallEvent, DiscoveredMatch, MatchSnapshot
from limpet.apps.matches.sites.pavilion.page import read_balls, read_list, read_match, state_of
from limpet.extract.site import Getter


class PavilionAdapter:
    """Needs nothing but the page: names, toss and ground are all in it."""

    def __init__(self, descriptor: DomainAdapterDescriptor) -> None:
        self._descriptor = descriptor
        self._base = str(descriptor.metadata.get("base_url", "")).rstrip("/")

    @property
    def domain_id(self) -> str:
        """The name under which its matches are known."""
        return self._descriptor.domain_id

    async def discover(self, way: Getter) -> Sequence[DiscoveredMatch]:
        """Return every match the list shows."""
        page = await way.get(f"{self._base}/scores", kind="index")
        return read_list(state_of(page), page, domain_id=self.domain_id)

    async def fetch_match(
        self, match: DiscoveredMatch, way: Getter, *, with_card: bool = False
    ) -> MatchSnapshot:
        """Return how the match stands; its page holds the scorecard anyway.

        Where the site stands now is asked, not where it stood when the match was found.
        """
        page = await way.get(self._base + urlsplit(match.url).path if self._base else match.url)
        return read_match(state_of(page), domain_id=self.domain_id, observed_at=page.fetched_at)

    async def fetch_balls(self, match: DiscoveredMatch, way: Getter, *, innings: int) -> Sequence[BallEvent]:
        """Return every ball of an innings."""
        address = f"{self._base}/matches/{match.match_key}/balls?innings={innings}"
        return read_balls(await way.get(address, headers={"Accept": "application/json"}))
